package platform

import (
	"time"

	"labour/sources"
)

// idEnd is where what begins at from ends as ^[A-Za-z0-9_.:-]*.
func idEnd(text string, from int) int {
	for from < len(text) && inID[text[from]] {
		from++
	}
	return from
}

// slugEnd is where what begins at from ends as ^([a-z0-9]+(-[a-z0-9]+)*)?.
func slugEnd(text string, from int) int {
	end := from
	for {
		word := from
		for from < len(text) && inWord[text[from]] {
			from++
		}
		if from == word {
			return end
		}
		end = from
		if from == len(text) || text[from] != '-' {
			return end
		}
		from++
	}
}

// inWord and inID are the bytes of a slug's words and of an id.
var (
	inWord = bytesOf("abcdefghijklmnopqrstuvwxyz0123456789")
	inID   = bytesOf("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_.:-")
)

func bytesOf(all string) (in [256]bool) {
	for _, c := range []byte(all) {
		in[c] = true
	}
	return in
}

// isSOC is ^[1-9][0-9]{3}$, a unit group of SOC 2020.
func isSOC(s string) bool { return len(s) == 4 && number(s) >= 1000 }

// isCouncilCode is ^[EWSN][0-9]{8}$.
func isCouncilCode(s string) bool {
	return len(s) == 9 && (s[0] == 'E' || s[0] == 'W' || s[0] == 'S' || s[0] == 'N') && number(s[1:]) >= 0
}

// number is the value of a few digits, -1 where one of the bytes is none.
func number(s string) int {
	n := 0
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 {
			return -1
		}
		n = 10*n + int(d)
	}
	return n
}

// two is the value of two digits, -1 where one of the bytes is none.
func two(s string) int {
	tens, ones := s[0]-'0', s[1]-'0'
	if tens > 9 || ones > 9 {
		return -1
	}
	return 10*int(tens) + int(ones)
}

// parseDay reads a day from 1900-01-01 to 2199-12-31.
func parseDay(s string) (sources.Date, bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return sources.Date{}, false
	}
	century, year, month, dom := two(s), two(s[2:]), two(s[5:]), two(s[8:])
	if century < 19 || century > 21 || year < 0 || month < 1 || month > 12 || dom < 1 {
		return sources.Date{}, false
	}
	year += 100 * century
	return sources.Date{Year: year, Month: time.Month(month), Day: dom}, dom <= daysIn(year, month)
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
func parseInstant(s string) (time.Time, bool) {
	if len(s) < 20 || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return time.Time{}, false
	}
	d, ok := parseDay(s[:10])
	hour, minute, second := two(s[11:]), two(s[14:]), two(s[17:])
	nanos, offset, zoned := 0, time.Duration(0), s[19:] == "Z"
	if !zoned {
		nanos, offset, zoned = zone(s[19:])
	}
	if !ok || !zoned || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return time.Time{}, false
	}
	t := time.Date(d.Year, d.Month, d.Day, hour, minute, second, nanos, time.UTC)
	return t.Add(-offset), true
}

// zone reads what stands behind the seconds: none or 1 to 9 decimals, and Z or an
// offset from -23:59 to +23:59.
func zone(s string) (nanos int, offset time.Duration, ok bool) {
	if s[0] == '.' {
		n := 1
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == 1 || n > 10 {
			return 0, 0, false
		}
		nanos = number(s[1:n])
		for i := n; i < 10; i++ {
			nanos *= 10
		}
		s = s[n:]
	}
	if s == "Z" {
		return nanos, 0, true
	}
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return 0, 0, false
	}
	hours, minutes := two(s[1:]), two(s[4:])
	offset = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if s[0] == '-' {
		offset = -offset
	}
	return nanos, offset, hours >= 0 && hours <= 23 && minutes >= 0 && minutes <= 59
}
