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

// rollUp is the filter value "Total". It marks the sum over all values of a filter.
const rollUp = "Total"

// columnsFile is the JSON text that the variable columns holds in parsed form.
//
//go:embed columns.json
var columnsFile []byte

// columns lists the publisher's column names and geographic levels, with their meanings. The
// publisher's data sets use different names for the same meaning. All column names here are in
// lower case.
var columns = func() (names struct {
	Subject         []string            `json:"subject"`
	BootcampSubject []string            `json:"bootcamp_subject"` // for files without sector subject areas
	Values          map[string][]string `json:"values"`           // names of the column with the figures, by metric
	// Bases states what the figures of a column count, if the column's name does not. A key is a
	// column, or a metric and a column. Enrolments on aims, enrolments and learners differ and are
	// never compared.
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
	// Communication Technology". Newer files have "Digital Technology" for every year. Without this
	// map, changes over the years would be lost.
	SubjectNames map[string]string `json:"subject_names"`
	// Counted holds a pattern for each metric, which matches names of columns and the publisher's
	// labels of its figures. NotCounts matches figures that are not numbers of people.
	Counted   map[string]*regexp.Regexp `json:"counted"`
	NotCounts *regexp.Regexp            `json:"not_counts"`
	// Periods are the types of year. The keys are values of time_identifier in lower case. For an
	// academic year, the covered months follow, such as "academic year to_april".
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

// requiredValue is a condition for rows: the column must contain the value. Other rows are skipped.
type requiredValue struct {
	column int
	value  string
}

// plan holds the column indices of one data file, counted from 0. The index of a missing column is
// -1.
type plan struct {
	width                     int
	period, identifier, level int
	subject, value            int
	filters                   []requiredValue
	// indices of the columns with code and name, by geographic_level
	places map[string][2]int
	// unit of the figures, such as starts, as part of the series' name
	basis string
	// configured filters with a value other than Total, for the series' name: ", sex=Female"
	filterText string
}

// findColumns finds the known columns in the header of a data file. It rejects a file with an
// unknown column, because that column may be a filter.
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

// need rejects the data file if a required column is missing. column is the column's index, or -1 if
// it is missing. name is the column's name, for the fault.
func (t *table) need(column int, name string) {
	if column < 0 {
		t.refuse("column "+name, sources.CodedErrorf(sources.FaultColumnMissing,
			"the file has no column %s; set `column` or take another data set", name))
	}
}

// findFilters sets t.filters, the conditions that a row must meet. It also sets t.filterText, which
// describes the configured filters with a value other than "Total".
//
// It rejects the file if a column is neither known nor configured, or if a configured filter has no
// column.
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

// first returns the index of the first of names that the header contains, or -1 if it contains
// none. index has the position of each column of the header, by the column's name.
func first(index map[string]int, names ...string) int {
	for _, n := range names {
		if i, ok := index[n]; ok {
			return i
		}
	}
	return -1
}
