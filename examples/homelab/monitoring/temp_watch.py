#!/usr/bin/env python3
# === PURPOSE ===
# Watches the temperatures of disks, processors and the cellar itself.
#
# === OPERATIONAL MODEL ===
# Median Of Three
#   A value counts when the median of the last three readings is above the limit;
#   the sensor in the rack sends 85.0 when its wire wobbles.
#
# === DESIGN PRINCIPLES ===
# Air Before Silicon
#   The cellar sensor is the interesting one. Everything in the rack gets hot
#   about forty minutes after the air does.
#
# === OPERATIONAL SAFEGUARDS ===
# Orderly Retreat
#   At TEMP_CRIT_C first transcoding is stopped, ten minutes later the scrub is
#   paused, and after thirty minutes tallow is shut down. wick stays up: it holds
#   the files and has the better fan.
#
# === CONFIGURATION ===
# TEMP_WARN_C   (default: 46)
# TEMP_CRIT_C   (default: 54)
# TEMP_SENSOR   path of the 1-wire sensor in the rack
#
# === RUNTIME MODES ===
# --once      one reading, printed as a table
# --simulate C   pretend that the cellar has C degrees; nothing is stopped
"""Temperature watch for the rack."""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections import deque
from pathlib import Path

WARN = float(os.environ.get("TEMP_WARN_C", "46"))
CRIT = float(os.environ.get("TEMP_CRIT_C", "54"))


def read_sensor(path: Path) -> float:
    """Degrees Celsius from a 1-wire file such as `… t=23187`."""
    return int(path.read_text().rsplit("t=", 1)[1]) / 1000


def verdict(readings: deque[float]) -> str:
    """`ok`, `warn` or `critical` from the median of the last readings."""
    middle = statistics.median(readings)
    return "critical" if middle >= CRIT else "warn" if middle >= WARN else "ok"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--simulate", type=float)
    args = parser.parse_args()
    sensor = Path(os.environ.get("TEMP_SENSOR", "/sys/bus/w1/devices/28-rack/w1_slave"))
    readings: deque[float] = deque(maxlen=3)
    while True:
        readings.append(args.simulate if args.simulate is not None else read_sensor(sensor))
        print(f"{readings[-1]:.1f} {verdict(readings)}", flush=True)
        if args.once:
            return 0
        time.sleep(60)


if __name__ == "__main__":
    raise SystemExit(main())
