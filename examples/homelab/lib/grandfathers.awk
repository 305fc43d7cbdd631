# Reads snapshot names, oldest first, prints those that no rule claims.
# Weeks are counted as days divided by seven: no calendar, but stable.
function week(d,    y, m) {
    y = substr(d, 1, 4); m = substr(d, 5, 2)
    if (m < 3) { y--; m += 12 }
    return int((int(365.25 * y) + int(30.6001 * (m + 1)) + substr(d, 7, 2)) / 7)
}
{ name[NR] = $0; split($0, at, "@"); split(at[2], part, "-"); day[NR] = part[2]; hour[NR] = part[2] substr(part[3], 1, 2) }
END {
    for (i = NR; i >= 1; i--) {
        h = hour[i]; d = day[i]; m = substr(day[i], 1, 6); w = week(d)
        if (!(h in hours) && length(hours) < hourly) { hours[h] = 1; keep[i] = 1 }
        if (!(d in days) && length(days) < daily) { days[d] = 1; keep[i] = 1 }
        if (!(w in weeks) && length(weeks) < weekly) { weeks[w] = 1; keep[i] = 1 }
        if (!(m in months) && length(months) < monthly) { months[m] = 1; keep[i] = 1 }
    }
    for (i = 1; i <= NR; i++) if (!(i in keep)) print name[i]
}
