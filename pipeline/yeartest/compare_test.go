package yeartest

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"labour/snapshots"
)

// layout says of each table of figures which columns are compared.
type layout struct {
	name         string
	keys, values []string
	empty        string // values of a row that may also be absent
}

var layouts = []layout{
	{"adverts", []string{"area_kind", "place", "skill", "level", "sector", "soc", "source", "month"},
		[]string{"adverts"}, ""},
	{"adverts_total", []string{"area_kind", "place", "sector", "soc", "source", "month"},
		[]string{"adverts", "in_council", "in_area"}, ""},
	{"lists", []string{"window_months", "month", "source", "soc", "sector", "place"},
		[]string{"adverts", "in_council", "in_area", "sources"}, ""},
	{"rankings", []string{"list", "skill"}, []string{"adverts"}, ""},
	{"rankings_by_skill", []string{"list", "skill"}, []string{"adverts"}, ""},
	{"skills", []string{"skill"}, []string{"level"}, ""},
	{"people", []string{"signature", "place", "value", "skill"}, []string{"people_turned_down", "hired_with_skill_pct",
		"turned_down_with_skill_pct"}, nothing},
	{"residents", []string{"place", "skill", "level"}, []string{"people_below_share_pct"}, "null"},
	{"candidates", []string{"dimension", "value"}, []string{"residents"}, "null"},
	{"s106", []string{"place"}, []string{"developments", "obligations", "training_places", "contributions_gbp"}, ""},
	{"s106_people", []string{"place"}, []string{"jobs_created", "apprenticeships_started", "local_people_employed"},
		nothing},
	{"jobs", []string{"id"}, []string{"type", "title", "employer", "boroughs", "sector", "soc", "posted_at",
		"closes_on", "source_key"}, ""},
	{"events", []string{"id"}, []string{"type", "occurred_at", "advert", "borough"}, ""},
	{"jobs.first_seen", []string{"id"}, []string{"first_seen"}, ""},
	{"course_demand", []string{"region_code", "subject_area", "period_end"},
		[]string{"region_name", "value", "previous_value", "change_pct"}, ""},
	{"regions", []string{"kind", "code"}, []string{"name", "former_codes"}, ""},
	{"corrections", []string{"source_key", "kind", "record", "field"}, []string{"old", "new", "outcome"}, ""},
	{"places", []string{"place"}, []string{"area_kind", "code"}, ""},
	{"place_members", []string{"area", "borough"}, nil, ""},
	{"freshness", []string{"source_key", "part"}, []string{"last_success_at"}, ""},
}

// compareWith compares every table of figures of a snapshot, row by row.
func (p *player) compareWith(id snapshots.ID, e expected) {
	p.t.Helper()
	dir := p.store.SnapshotDir(id)
	has, err := columnsOf(dir)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, l := range layouts {
		if e.tables[l.name] == nil {
			continue
		}
		want, got, err := p.pair(dir, has, l, e)
		if err != nil {
			p.differs(l.name, difference{id.String(), "a table", err.Error()})
		}
		p.tally.rows += max(len(want), len(got))
		for _, d := range compare(want, got, l.empty) {
			p.differs(l.name, d)
		}
	}
	p.comparePartners(id, has, e)
	p.compareChanges(id, e)
}

// comparePartners compares the events of partners, which are outside the snapshot.
func (p *player) comparePartners(id snapshots.ID, has columns, e expected) {
	want, got := e.tables["events.partners"], figures{}
	if want == nil {
		return
	}
	files, _ := filepath.Glob(filepath.Join(p.data(), "partners", id.String(), "*.parquet")) // the pattern is sound
	for _, file := range files {
		names := []string{"id", "partner", "type", "occurred_at", "advert", "borough", "outcome"}
		rows, err := has.read(file, "events", names...)
		if err != nil {
			p.differs("events.partners", difference{file, "a table", err.Error()})
		}
		for _, row := range rows {
			got[row[0]] = strings.Join(row[1:], " | ")
		}
	}
	p.tally.rows += max(len(want), len(got))
	for _, d := range compare(want, got, "") {
		p.differs("events.partners", d)
	}
}

// pair reads a table and what it must be.
func (p *player) pair(dir string, has columns, l layout, e expected) (want, got figures, err error) {
	want = e.tables[l.name]
	for _, c := range slices.Concat(l.keys, l.values) {
		if !has.has(l.of(), c) {
			return want, figures{}, nil // an edition without the column has none of these figures
		}
	}
	if got, err = has.table(dir, l.of(), l.keys, l.values); err != nil {
		return want, figures{}, err
	}
	if strings.HasPrefix(l.name, "rankings") {
		got, err = has.ofLists(dir, got)
	}
	if l.name == "people" { // zeros are there where an advert asks for the skill: elsewhere no answer has a row
		want = maps.Clone(want)
		maps.DeleteFunc(want, func(of, row string) bool { return got[of] == "" && row == zeros })
	}
	if l.name == "freshness" {
		got = newestOf(got)
		// Only the parts of boards are compared, and one that is only credited has no fetches of its own.
		maps.DeleteFunc(got, func(of, _ string) bool { return want[of] == "" })
	}
	return want, got, err
}

// newestOf adds to the parts of sources each source, with the newest of its parts.
func newestOf(parts figures) figures {
	all := maps.Clone(parts)
	for of, had := range parts {
		source, _, _ := strings.Cut(of, " | ")
		if had != "null" {
			all[source] = max(all[source], had)
		}
	}
	return all
}

// ofLists puts the filters of a list in the place of its number.
func (c columns) ofLists(dir string, rankings figures) (figures, error) {
	rows, err := c.rows(dir, "lists", "list", "window_months", "month", "source", "soc", "sector", "place")
	filters := map[string]string{}
	for _, row := range rows {
		filters[row[0]] = strings.Join(row[1:], " | ")
	}
	named := figures{}
	for of, n := range rankings {
		number, skill, _ := strings.Cut(of, " | ")
		named[line(filters[number], skill)] = n
	}
	return named, err
}

// of is the table in which the figures are.
func (l layout) of() string {
	table, _, _ := strings.Cut(l.name, ".")
	return table
}

// summary is what was compared, in a few lines.
func (t tally) summary() string {
	differing := 0
	for _, n := range t.differing {
		differing += n
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d days, %d runs, %d figures compared, %d differing", t.days, t.runs, t.rows, differing)
	for _, table := range slices.Sorted(maps.Keys(t.differing)) {
		fmt.Fprintf(&b, "; %s %d", table, t.differing[table])
	}
	for _, name := range slices.Sorted(maps.Keys(t.mishaps)) {
		fmt.Fprintf(&b, "\nmishap: %s, %d times", name, t.mishaps[name])
	}
	return b.String()
}
