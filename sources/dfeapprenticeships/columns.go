package dfeapprenticeships

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"labour/sources"
	"labour/sources/sheets"
)

// rollUp is the filter value "Total", which stands for the sum over all other values of that
// filter.
const rollUp = "Total"

//go:embed columns.json
var columnsFile []byte

// columns describes the publisher's column names and geographic levels: it maps the different names
// that the publisher's releases use to their meanings. Column names are in lower case.
var columns = func() (names struct {
	Subject         []string            `json:"subject"`
	BootcampSubject []string            `json:"bootcamp_subject"` // for files without sector subject areas
	Values          map[string][]string `json:"values"`           // by metric
	// Bases holds what the figures of a column count, for columns whose names do not state it: by
	// column, or by metric and column. Enrolments on aims, enrolments and learners are different
	// and are never compared.
	Bases       map[string]string `json:"bases"`
	Filters     []string          `json:"filters"` // columns that break a figure down
	Figures     []string          `json:"figures"`
	Places      []string          `json:"places"`       // columns that hold the place; most files have only some of them
	OtherLevels []string          `json:"other_levels"` // geographic levels that are skipped
	// PlaceKinds are the geographic levels of /v1/labour/course-demand. The statistics cover
	// England only.
	PlaceKinds map[string]struct {
		Kind       string
		Code, Name string         // columns
		Shape      *regexp.Regexp // pattern of the codes
	} `json:"place_kinds"`
	// SubjectNames maps old subject names to new ones. Files to about 2021/22 have "Information and
	// Communication Technology", newer ones have "Digital Technology" for every year; without this
	// a change over the years would be lost.
	SubjectNames map[string]string `json:"subject_names"`
	// Counted holds a pattern for each metric, which matches names of columns and the publisher's
	// labels of its figures. NotCounts matches figures that are not numbers of people.
	Counted   map[string]*regexp.Regexp `json:"counted"`
	NotCounts *regexp.Regexp            `json:"not_counts"`
	// Periods are the kinds of year, by time_identifier; for an academic year also by the months
	// covered.
	Periods map[string]struct {
		From, To time.Month
		Words    string // text for the series
	} `json:"periods"`
}) {
	if err := json.Unmarshal(columnsFile, &names); err != nil {
		panic(err)
	}
	return names
}()

// requiredValue is a condition for rows. A row is used only if it has this value in this column.
type requiredValue struct {
	column int
	value  string
}

// plan holds the indices of the columns in one file. The index of a missing column is -1.
type plan struct {
	width                     int
	period, identifier, level int
	subject, value            int
	filters                   []requiredValue
	// indices of the columns with code and name, by geographic_level
	places map[string][2]int
	// unit of the figures, such as starts, as part of the series' name
	basis string
	// filters whose value is not Total, as part of the series' name: ", sex=Female"
	filterText string
}

// findColumns finds the known columns in the header of a file. An unknown column rejects the file,
// because it may be a filter.
func (t *table) findColumns(header []string) {
	index := make(map[string]int, len(header))
	for i, h := range header {
		h = columnName(h)
		if _, twice := index[h]; twice {
			t.refuse("column "+h, sources.CodedErrorf(sources.FaultSchema, "column %q is in the header twice", h))
		}
		index[h] = i
	}
	candidates := columns.Values[t.d.Metric]
	if t.d.Column != "" {
		candidates = []string{columnName(t.d.Column)}
	}
	t.plan = plan{width: len(header), period: first(index, "time_period"), identifier: first(index, "time_identifier"),
		level: first(index, "geographic_level"), subject: first(index, columns.Subject...),
		value:  first(index, candidates...),
		places: map[string][2]int{}}
	if t.subject < 0 && t.d.Metric == MetricBootcamps {
		t.subject = first(index, columns.BootcampSubject...)
	}
	placed := -1
	for level, k := range columns.PlaceKinds {
		if c := first(index, k.Code); c >= 0 {
			t.places[level], placed = [2]int{c, first(index, k.Name)}, c
		}
	}
	t.need(t.period, "time_period")
	t.need(t.identifier, "time_identifier")
	t.need(t.level, "geographic_level")
	t.need(t.value, strings.Join(candidates, " or "))
	t.need(placed, "country_code, region_code, lad_code or lsip_code")
	t.findFilters(header)
	if t.value >= 0 {
		name := columnName(header[t.value])
		t.basis = cmp.Or(columns.Bases[t.d.Metric+" "+name], columns.Bases[name], name)
	}
}

// need rejects the file if a required column is missing (its index is -1).
func (t *table) need(column int, name string) {
	if column < 0 {
		t.refuse("column "+name, sources.CodedErrorf(sources.FaultColumnMissing,
			"the file has no column %s; set `column` or take another data set", name))
	}
}

// findFilters sets t.filters and t.filterText. t.filters holds the conditions that a row must meet.
// t.filterText describes the configured filters that select a part of the total. The file is rejected
// if a column is neither known nor configured, or if a configured filter has no column.
func (t *table) findFilters(header []string) {
	given := make(map[string]string, len(t.d.Filters))
	for k, v := range t.d.Filters {
		given[columnName(k)] = v
	}
	var narrowed []string
	for i, h := range header {
		name := columnName(h)
		v, chosen := given[name]
		delete(given, name)
		switch {
		case chosen:
			t.filters = append(t.filters, requiredValue{i, v})
			if v != rollUp {
				narrowed = append(narrowed, ", "+name+"="+v)
			}
		case slices.Contains([]int{t.period, t.identifier, t.level, t.subject, t.value}, i),
			slices.Contains(columns.Figures, name), slices.Contains(columns.Places, name),
			slices.ContainsFunc(t.d.IgnoreColumns, func(c string) bool { return columnName(c) == name }):
		case slices.Contains(columns.Filters, name):
			t.filters = append(t.filters, requiredValue{i, rollUp})
		default:
			t.refuse("column "+name,
				sources.CodedErrorf(sources.FaultColumnUnknown, "column %q is unknown and may be a breakdown, so the file "+
					"is not used; name it under `filters` with the value that stands for all, or under `ignore_columns` when it "+
					"holds figures", name))
		}
	}
	for _, c := range slices.Sorted(maps.Keys(given)) {
		t.refuse("column "+c,
			sources.CodedErrorf(sources.FaultColumnMissing, "the file has no column %q, which `filters` names", c))
	}
	t.filterText = strings.Join(slices.Sorted(slices.Values(narrowed)), "")
}

func columnName(s string) string {
	return strings.ToLower(sheets.CleanText(s))
}

// first looks up the column names in the header, in order. It returns the index of the first column
// that the header has, or -1.
func first(index map[string]int, names ...string) int {
	for _, n := range names {
		if i, ok := index[n]; ok {
			return i
		}
	}
	return -1
}
