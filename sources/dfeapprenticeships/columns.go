package dfeapprenticeships

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"labour/sources"
)

// rollUp is the value of a filter that stands for all its other values.
const rollUp = "Total"

//go:embed columns.json
var columnsFile []byte

// columns are the names that the publisher uses, which differ from release to release;
// those of columns are in lower case.
var columns = func() (names struct {
	Subject         []string            `json:"subject"`
	BootcampSubject []string            `json:"bootcamp_subject"` // of files that know no sector subject area
	Values          map[string][]string `json:"values"`           // by metric
	Bases           map[string]string   `json:"bases"`            // what the figures of a column count, where its name does not say it
	Filters         []string            `json:"filters"`          // break a figure down
	Figures         []string            `json:"figures"`
	Places          []string            `json:"places"`       // say where; most files have only some
	OtherLevels     []string            `json:"other_levels"` // geographic levels that are not taken
}) {
	if err := json.Unmarshal(columnsFile, &names); err != nil {
		panic(err)
	}
	return names
}()

// wanted is one filter: only rows with this value in this column are taken.
type wanted struct {
	column int
	value  string
}

// plan says where in a row of one file everything stands. Absent columns are -1.
type plan struct {
	width                     int
	period, identifier, level int
	subject, value            int
	filters                   []wanted
	places                    map[string][2]int // geographic_level -> columns of code and name
	basis                     string            // what is counted, for the series
	narrowed                  string            // filters on something else than all, for the series
}

// columnFault is one reason why a file is refused.
type columnFault struct {
	code   sources.FaultCode
	column string
	detail string
}

// planFor reads the header of a file. Every fault refuses the file: an unknown
// column may be a filter, and an overlooked filter counts learners twice.
func planFor(header []string, d DataSet) (plan, []columnFault) {
	index := make(map[string]int, len(header))
	var faults []columnFault
	for i, h := range header {
		h = columnName(h)
		if _, twice := index[h]; twice {
			faults = append(faults, columnFault{sources.FaultSchema, h, fmt.Sprintf("column %q stands twice in the header", h)})
		}
		index[h] = i
	}
	p := plan{width: len(header), period: first(index, "time_period"), identifier: first(index, "time_identifier"),
		level: first(index, "geographic_level"), subject: first(index, columns.Subject...)}
	if p.subject < 0 && d.Metric == MetricBootcamps {
		p.subject = first(index, columns.BootcampSubject...)
	}
	candidates := columns.Values[d.Metric]
	if d.Column != "" {
		candidates = []string{columnName(d.Column)}
	}
	p.value = first(index, candidates...)
	p.places = map[string][2]int{}
	for _, k := range placeKinds {
		if c := first(index, k.code); c >= 0 {
			p.places[k.level] = [2]int{c, first(index, k.name)}
		}
	}
	faults = append(faults, p.missing(candidates)...)
	faults = append(faults, p.sort(header, d)...)
	if p.value >= 0 {
		p.basis = basisOf(columnName(header[p.value]), d.Metric)
	}
	return p, faults
}

// missing names the columns without which no row can be read.
func (p plan) missing(candidates []string) []columnFault {
	var out []columnFault
	need := func(i int, name string) {
		if i < 0 {
			out = append(out, columnFault{sources.FaultColumnMissing, name,
				fmt.Sprintf("the file has no column %s; set `column` or take another data set", name)})
		}
	}
	need(p.period, "time_period")
	need(p.identifier, "time_identifier")
	need(p.level, "geographic_level")
	need(p.value, strings.Join(candidates, " or "))
	if len(p.places) == 0 {
		need(-1, "country_code, region_code, lad_code or lsip_code")
	}
	return out
}

// sort tells the filters from the figures and names the columns that are neither.
func (p *plan) sort(header []string, d DataSet) []columnFault {
	given := make(map[string]string, len(d.Filters))
	for k, v := range d.Filters {
		given[columnName(k)] = v
	}
	ignored := map[string]bool{}
	for _, c := range d.IgnoreColumns {
		ignored[columnName(c)] = true
	}
	var faults []columnFault
	var narrowed []string
	for i, h := range header {
		name := columnName(h)
		v, chosen := given[name]
		delete(given, name)
		switch {
		case chosen:
			p.filters = append(p.filters, wanted{i, v})
			if v != rollUp {
				narrowed = append(narrowed, name+"="+v)
			}
		case i == p.period, i == p.identifier, i == p.level, i == p.subject, i == p.value, ignored[name],
			slices.Contains(columns.Figures, name), slices.Contains(columns.Places, name):
		case slices.Contains(columns.Filters, name):
			p.filters = append(p.filters, wanted{i, rollUp})
		default:
			faults = append(faults, columnFault{sources.FaultColumnUnknown, name, fmt.Sprintf("column %q is unknown and may be a "+
				"breakdown, so the file is not used; name it under `filters` with the value that stands for all, or under "+
				"`ignore_columns` when it holds figures", name)})
		}
	}
	for _, c := range slices.Sorted(maps.Keys(given)) {
		faults = append(faults, columnFault{sources.FaultColumnMissing, c, fmt.Sprintf("the file has no column %q, which `filters` names", c)})
	}
	slices.Sort(narrowed)
	p.narrowed = strings.Join(narrowed, ", ")
	return faults
}

// basisOf says in words what the figures of a column count. Enrolments on aims,
// enrolments and learners are not the same thing and are never compared.
func basisOf(column, metric string) string {
	if metric == MetricBootcamps && slices.Contains(columns.Values[metric], column) {
		return "skills bootcamp starts"
	}
	return cmp.Or(columns.Bases[column], column)
}

func columnName(s string) string {
	return strings.ToLower(strings.TrimSpace(strings.TrimPrefix(s, "\ufeff")))
}

// first is where the first of the names stands, -1 when none does.
func first(index map[string]int, names ...string) int {
	for _, n := range names {
		if i, ok := index[n]; ok {
			return i
		}
	}
	return -1
}
