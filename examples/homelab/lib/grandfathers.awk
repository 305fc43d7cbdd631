# Reads snapshot names, oldest first, prints those that no rule claims.
{ name[NR] = $0; split($0, at, "@"); split(at[2], part, "-"); day[NR] = part[2]; hour[NR] = part[2] substr(part[3], 1, 2) }
END {
    for (i = NR; i >= 1; i--) {
        h = hour[i]; d = day[i]; m = substr(day[i], 1, 6)
        if (!(h in hours) && length(hours) < hourly) { hours[h] = 1; keep[i] = 1 }
        if (!(d in days) && length(days) < daily) { days[d] = 1; keep[i] = 1 }
        if (!(m in months) && length(months) < monthly) { months[m] = 1; keep[i] = 1 }
    }
    for (i = 1; i <= NR; i++) if (!(i in keep)) print name[i]
}
