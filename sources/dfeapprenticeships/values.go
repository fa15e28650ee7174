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

type lastMonth struct {
	month time.Month
	words string // for the series
}

// lastMonths are the months in which the editions of an academic year end.
var lastMonths = map[string]lastMonth{
	CoversFullYear:  {time.July, "full academic year"},
	CoversToOctober: {time.October, "academic year to October"},
	CoversToJanuary: {time.January, "academic year to January"},
	CoversToApril:   {time.April, "academic year to April"},
}

var yearsPattern = regexp.MustCompile(`^((?:19|20|21)\d\d)(?:/?(\d\d))?$`)

// period reads time_period and time_identifier. "Academic year 1 Aug-31 Jul: full
// year period_end = YYYY-07-31; "Aug to Apr" = YYYY-04-30. Financial year
// period_end = YYYY-03-31." Other periods (terms, quarters, weeks) are refused.
func period(p, identifier, covers string) (span, error) {
	kind := strings.ToLower(strings.TrimSpace(identifier))
	var from time.Month
	var to lastMonth
	switch kind {
	case "academic year":
		from, to = time.August, lastMonths[covers]
	case "financial year":
		from, to = time.April, lastMonth{time.March, kind}
	case "calendar year":
		from, to = time.January, lastMonth{time.December, kind}
	default:
		return span{}, fmt.Errorf("time_identifier %.40q is not an academic, financial or calendar year", identifier)
	}
	m := yearsPattern.FindStringSubmatch(strings.TrimSpace(p))
	if m == nil || (m[2] == "") != (kind == "calendar year") {
		return span{}, fmt.Errorf("time_period %.20q is no %s: a calendar year is 2024, the others are 202425", p, kind)
	}
	y, _ := strconv.Atoi(m[1]) // four digits
	if m[2] != "" && m[2] != fmt.Sprintf("%02d", (y+1)%100) {
		return span{}, fmt.Errorf("time_period %.20q: the second year does not follow the first", p)
	}
	end := y
	if to.month < from {
		end++
	}
	// The last day of a month is day 0 of the next.
	return span{sources.Date{Year: y, Month: from, Day: 1}, sources.DateOf(time.Date(end, to.month+1, 0, 0, 0, 0, 0, time.UTC)), to.words}, nil
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
