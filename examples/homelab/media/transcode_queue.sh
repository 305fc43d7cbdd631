#!/usr/bin/env bash
# PURPOSE
# -------
# Makes small copies of films for the tablets, one at a time, when nobody minds.
#
# OPERATIONAL MODEL
# -----------------
# Queue Of Links
#   A film is queued by putting a symbolic link into /spark/scratch/queue. The
#   worker takes the oldest, writes to /spark/scratch/out and removes the link.
#
# Quick Sync
#   tallow's graphics unit does the work: about 140 frames a second at 6 W. The
#   same film in software took three hours and made the cellar warm.
#
# DESIGN PRINCIPLES
# -----------------
# One Quality
#   720p, H.264, 2200 kbit/s, stereo. The children do not compare bit rates.
#
# OPERATIONAL SAFEGUARDS
# ----------------------
# Somebody Is Watching
#   While the media server has an active stream the worker sleeps. It asks every
#   four minutes.
#
# Poison Film
#   A film that fails twice is moved to queue/failed so that it does not block the
#   others for ever.
#
# Scratch Ceiling
#   With more than TRANSCODE_MAX_GB in the output folder no new film is begun.
#
# CONFIGURATION
# -------------
# TRANSCODE_HOURS    when it may work (default: 09:00-16:00)
# TRANSCODE_MAX_GB   (default: 90)
#
# RUNTIME MODES
# -------------
# --once    one film, then stop
# --list    the queue, oldest first

set -euo pipefail
source "$(dirname "$0")/../lib/common.sh"
queue=/spark/scratch/queue out=/spark/scratch/out
[[ "${1:-}" == --list ]] && { ls -tr "$queue"; exit 0; }
hours="${TRANSCODE_HOURS:-09:00-16:00}"
while film="$(ls -tr "$queue" | grep -v '^failed$' | head -1)" && [[ -n "$film" ]]; do
    now="$(date +%H:%M)"
    [[ "$now" < "${hours%-*}" || "$now" > "${hours#*-}" ]] && exit 0
    (( $(du -s --block-size=G "$out" | cut -dG -f1) > ${TRANSCODE_MAX_GB:-90} )) && die 69 "output folder is full"
    if ffmpeg -nostdin -hwaccel qsv -i "$queue/$film" -vf scale=-2:720 -c:v h264_qsv \
              -b:v 2200k -ac 2 "$out/${film%.*}.mp4"; then
        rm "$queue/$film"
    else
        mkdir -p "$queue/failed"; mv "$queue/$film" "$queue/failed/"
    fi
    [[ "${1:-}" == --once ]] && exit 0
done
