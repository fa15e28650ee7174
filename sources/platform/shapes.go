package platform

import (
	"time"

	"labour/sources"
)

// isID is ^[A-Za-z0-9_.:-]{1,100}$.
func isID(b []byte) bool {
	if len(b) == 0 || len(b) > maxID {
		return false
	}
	for _, c := range b {
		if !alphanumeric(c) && (c < 'A' || c > 'Z') && c != '_' && c != '.' && c != ':' && c != '-' {
			return false
		}
	}
	return true
}

// isSlug is ^[a-z0-9]+(-[a-z0-9]+)*$ with at most 100 characters.
func isSlug(b []byte) bool {
	if len(b) == 0 || len(b) > maxID || b[0] == '-' || b[len(b)-1] == '-' {
		return false
	}
	for i, c := range b {
		if !alphanumeric(c) && (c != '-' || b[i-1] == '-') {
			return false
		}
	}
	return true
}

// isSOC is ^[1-9][0-9]{3}$, a unit group of SOC 2020.
func isSOC(b []byte) bool { return len(b) == 4 && digits(b) && b[0] != '0' }

// isCouncilCode is ^[EWSN][0-9]{8}$.
func isCouncilCode(b []byte) bool {
	return len(b) == 9 && (b[0] == 'E' || b[0] == 'W' || b[0] == 'S' || b[0] == 'N') && digits(b[1:])
}

func alphanumeric(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// number is the value of a few digits.
func number(b []byte) int {
	n := 0
	for _, c := range b {
		n = 10*n + int(c-'0')
	}
	return n
}

// parseDay reads a day from 1900-01-01 to 2199-12-31.
func parseDay(b []byte) (sources.Date, bool) {
	if len(b) != 10 || b[4] != '-' || b[7] != '-' || !digits(b[:4]) || !digits(b[5:7]) || !digits(b[8:]) {
		return sources.Date{}, false
	}
	year, month, dom := number(b[:4]), number(b[5:7]), number(b[8:])
	if year < 1900 || year > 2199 || month < 1 || month > 12 || dom < 1 || dom > daysIn(year, month) {
		return sources.Date{}, false
	}
	return sources.Date{Year: year, Month: time.Month(month), Day: dom}, true
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// parseInstant reads a day, T, a time of day with up to 9 decimals of the second,
// and Z or an offset, and gives it in UTC.
func parseInstant(b []byte) (time.Time, bool) {
	if len(b) < 20 || b[10] != 'T' {
		return time.Time{}, false
	}
	d, ok := parseDay(b[:10])
	clock := b[11:19]
	if !ok || clock[2] != ':' || clock[5] != ':' || !digits(clock[:2]) || !digits(clock[3:5]) || !digits(clock[6:]) {
		return time.Time{}, false
	}
	hour, minute, second := number(clock[:2]), number(clock[3:5]), number(clock[6:])
	nanos, rest, ok := decimals(b[19:])
	offset, zoned := zone(rest)
	if !ok || !zoned || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	t := time.Date(d.Year, d.Month, d.Day, hour, minute, second, nanos, time.UTC)
	return t.Add(-offset), true
}

// decimals reads the decimals of a second: none, or 1 to 9.
func decimals(b []byte) (nanos int, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '.' {
		return 0, b, true
	}
	n := 1
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	if n == 1 || n > 10 {
		return 0, nil, false
	}
	nanos = number(b[1:n])
	for i := n; i < 10; i++ {
		nanos *= 10
	}
	return nanos, b[n:], true
}

// zone reads Z, or an offset from -23:59 to +23:59.
func zone(b []byte) (time.Duration, bool) {
	if len(b) == 1 && b[0] == 'Z' {
		return 0, true
	}
	if len(b) != 6 || b[0] != '+' && b[0] != '-' || b[3] != ':' || !digits(b[1:3]) || !digits(b[4:]) {
		return 0, false
	}
	hours, minutes := number(b[1:3]), number(b[4:])
	if hours > 23 || minutes > 59 {
		return 0, false
	}
	d := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if b[0] == '-' {
		d = -d
	}
	return d, true
}
