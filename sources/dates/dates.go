// Package dates parses dates in the formats that publishers print. For a date with a time and a
// time zone, the day is the printed one: half past midnight on 1 August in British Summer Time
// gives 1 August, though it is 31 July in UTC.
package dates

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"labour/sources"
)

// Regular expressions for parts of a date.
const (
	// clock matches a time of day, which may have a time zone.
	clock = `(?:\s*,?\s*(?:at\s+)?|[Tt])(?:[01]?[0-9]|2[0-4])[:.][0-5]?[0-9](?:[:.][0-6]?[0-9](?:[.,][0-9]{1,9})?)?` +
		`(?:\s*[AaPp]\.?[Mm]\.?)?(?:\s*(?:[Zz]|[A-Za-z]{2,5}|(?:UTC|GMT)?[+-][0-9]{2}:?(?:[0-9]{2})?)(?:\s*\([A-Za-z ]{1,` +
		`40}\))?)?`
	// weekday matches the name of a weekday, or nothing.
	weekday = `(?:[A-Za-z]{2,9}\.?,?\s+)?`
	// ordinal matches a day of the month, such as "4" or "4th".
	ordinal = `([0-9]{1,2})(?:st|nd|rd|th)?`
	// month matches the name of a month.
	month = `([A-Za-z]{3,9})\.?,?`
)

var (
	iso     = regexp.MustCompile(`^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:` + clock + `)?$`)
	slashes = regexp.MustCompile(`^([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})(?:` + clock + `)?$`)
	compact = regexp.MustCompile(`^([0-9]{4})([0-9]{2})([0-9]{2})(?:[Tt][0-9]{4,6}(?:Z|[+-][0-9]{4})?)?$`)
	written = regexp.MustCompile(`^` + weekday + ordinal + `(?:\s+of)?[\s-]+` + month + `[\s-]+([0-9]{4}|[0-9]{2})(?:` +
		clock + `)?$`)
	inverse = regexp.MustCompile(`^` + weekday + month + `\s+` + ordinal + `,?\s+([0-9]{4})(?:` + clock + `)?$`)
	ansi    = regexp.MustCompile(
		`^[A-Za-z]{3},?\s+` + month + `\s+([0-9]{1,2})\s+[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\s+[A-Z]{2,5})?\s+([0-9]{4})$`)
	british = regexp.MustCompile(`^` + weekday + `([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})(?:` + clock + `)?$`)
)

// ParseDay parses a date that may be followed by a time. Examples: "2026-08-01",
// "2026-08-01T00:30:00+01:00", "Sat, 01 Aug 2026 00:30:00 BST", "Wed, 4th November 2026" and
// "August 1, 2026 9:00 AM". ok is false if s is not a valid date.
func ParseDay(s string) (d sources.Date, ok bool) {
	s = strings.TrimSpace(s)
	for _, form := range []*regexp.Regexp{iso, slashes, compact} {
		if m := form.FindStringSubmatch(s); m != nil {
			return day(m[1], m[2], m[3])
		}
	}
	if m := written.FindStringSubmatch(s); m != nil {
		return day(m[3], monthOf(m[2]), m[1])
	}
	for _, form := range []*regexp.Regexp{inverse, ansi} {
		if m := form.FindStringSubmatch(s); m != nil {
			return day(m[3], monthOf(m[1]), m[2])
		}
	}
	return d, false
}

// ParseDayFirst parses a date like ParseDay. It also accepts numeric dates with the day first:
// 08/11/2026 is 8 November. The second result is false if s is not a valid date.
func ParseDayFirst(s string) (sources.Date, bool) {
	if m := british.FindStringSubmatch(strings.TrimSpace(s)); m != nil {
		return day(m[3], m[2], m[1])
	}
	return ParseDay(s)
}

// day returns the date for a year, month and day of the month, each as digits. The second result is
// false if there is no such day.
func day(year, month, dayOfMonth string) (sources.Date, bool) {
	y, errYear := strconv.Atoi(year)
	m, errMonth := strconv.Atoi(month)
	d, errDay := strconv.Atoi(dayOfMonth)
	if errYear != nil || errMonth != nil || errDay != nil {
		return sources.Date{}, false
	}
	switch {
	case len(year) > 2:
	case y < 70: // RFC 822 uses two-digit years
		y += 2000
	default:
		y += 1900
	}
	at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if int(at.Month()) != m { // time.Date moves a day or month that does not exist into another month
		return sources.Date{}, false
	}
	return sources.DateOf(at), true
}

// monthOf returns the number of a month as text, such as "9" for "September", "Sep" or "Sept". It
// returns "" for any other text.
func monthOf(name string) string {
	for m := time.January; m <= time.December; m++ {
		isSept := m == time.September && strings.EqualFold(name, "Sept")
		if isSept || strings.EqualFold(name, m.String()) || strings.EqualFold(name, m.String()[:3]) {
			return strconv.Itoa(int(m))
		}
	}
	return ""
}
