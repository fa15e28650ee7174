package dfeapprenticeships

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"labour/sources"
)

// figure reads one cell. The codes of the publisher become symbols: "`c`, `x`,
// `z`, `u`, `:`, blank, `[c]` etc. -> null"; `low`, `k` and `~` are fewer than 5
// only when the data set says so; "a printed 1..4 -> `<5`"; "0 -> 0". A cell that
// is neither a code nor a whole number from 0 is an error, never a guess.
func figure(cell, lowMeans string) (int64, sources.Symbol, error) {
	s := strings.TrimSpace(cell)
	if len(s) > 2 && s[0] == '[' && s[len(s)-1] == ']' {
		s = s[1 : len(s)-1]
	}
	switch strings.ToLower(s) {
	case "", "c", "x", "z", "u", ":":
		return 0, sources.SymbolNotPublished, nil
	case "low", "k", "~":
		if lowMeans == LowUnderFive {
			return 0, sources.SymbolUnderFive, nil
		}
		return 0, sources.SymbolNotPublished, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || s[0] == '+' || s[0] == '-' {
		return 0, "", fmt.Errorf("%.40q is neither a count from 0 nor a known symbol", cell)
	}
	if n >= 1 && n <= 4 {
		return 0, sources.SymbolUnderFive, nil
	}
	return n, sources.SymbolNone, nil
}

// span is a period with the words that tell its figures from others.
type span struct {
	start, end sources.Date
	covers     string
}

// lastMonths are the months in which the editions of an academic year end.
var lastMonths = map[string]struct {
	month time.Month
	words string
}{
	CoversFullYear:  {time.July, "full academic year"},
	CoversToOctober: {time.October, "academic year to October"},
	CoversToJanuary: {time.January, "academic year to January"},
	CoversToApril:   {time.April, "academic year to April"},
}

// period reads time_period and time_identifier. "Academic year 1 Aug-31 Jul: full
// year period_end = YYYY-07-31; "Aug to Apr" = YYYY-04-30. Financial year
// period_end = YYYY-03-31." Other periods (terms, quarters, weeks) are refused.
func period(p, identifier, covers string) (span, error) {
	switch strings.ToLower(strings.TrimSpace(identifier)) {
	case "academic year":
		y, err := splitYear(p)
		if err != nil {
			return span{}, err
		}
		m := lastMonths[covers]
		end := y + 1
		if m.month > time.July {
			end = y
		}
		return span{date(y, time.August, 1), endOf(end, m.month), m.words}, nil
	case "financial year":
		y, err := splitYear(p)
		if err != nil {
			return span{}, err
		}
		return span{date(y, time.April, 1), endOf(y+1, time.March), "financial year"}, nil
	case "calendar year":
		y, err := year(p)
		if err != nil {
			return span{}, err
		}
		return span{date(y, time.January, 1), endOf(y, time.December), "calendar year"}, nil
	}
	return span{}, fmt.Errorf("time_identifier %.40q is not an academic, financial or calendar year", identifier)
}

// splitYear reads "202425" or "2024/25" as 2024.
func splitYear(p string) (int, error) {
	s := strings.Replace(strings.TrimSpace(p), "/", "", 1)
	if len(s) != 6 {
		return 0, fmt.Errorf("time_period %.20q is not two years like 202425", p)
	}
	y, err := year(s[:4])
	if err != nil {
		return 0, err
	}
	if s[4:] != fmt.Sprintf("%02d", (y+1)%100) {
		return 0, fmt.Errorf("time_period %.20q: the second year does not follow the first", p)
	}
	return y, nil
}

func year(p string) (int, error) {
	s := strings.TrimSpace(p)
	y, err := strconv.Atoi(s)
	if err != nil || len(s) != 4 || y < 1900 || y > 2199 {
		return 0, fmt.Errorf("time_period %.20q is not a year", p)
	}
	return y, nil
}

func date(y int, m time.Month, d int) sources.Date { return sources.Date{Year: y, Month: m, Day: d} }

// endOf is the last day of a month.
func endOf(y int, m time.Month) sources.Date {
	return sources.DateOf(time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC))
}

// subjectNames bridges names that changed: files to about 2021/22 say
// "Information and Communication Technology" and newer ones "Digital Technology"
// for every year, so that a change over the years would be lost without this.
var subjectNames = map[string]string{
	"information and communication technology":   "Digital Technology",
	"information and communication technologies": "Digital Technology",
	"total": rollUp,
}

// subjectArea is the subject of a row with its present name.
func subjectArea(cell string) string {
	s := strings.Join(strings.Fields(cell), " ")
	if now, ok := subjectNames[strings.ToLower(s)]; ok {
		return now
	}
	return s
}

// placeKind is one geographic level that is taken.
type placeKind struct {
	level, kind, code, name string
	shape                   *regexp.Regexp
}

// placeKinds are the levels that course-demand can be asked for. The statistics cover England only.
var placeKinds = []placeKind{
	{"National", "nation", "country_code", "country_name", regexp.MustCompile(`^[EWSN]92\d{6}$`)},
	{"Regional", "region", "region_code", "region_name", regexp.MustCompile(`^E12\d{6}$`)},
	{"Local authority district", "council", "lad_code", "lad_name", regexp.MustCompile(`^(E0[6-9]|W06|S12|N09)\d{6}$`)},
	{"Local skills improvement plan area", "lsip", "lsip_code", "lsip_name", regexp.MustCompile(`^E69\d{6}$`)},
}

// nowhere says that a region code stands for no place: "unknown area = code `x`
// or `z`, name `Outside of England and unknown`".
func nowhere(code string) bool {
	switch strings.ToLower(code) {
	case "", "x", "z":
		return true
	}
	return false
}
