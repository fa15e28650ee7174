package check

import (
	"slices"
	"testing"

	"labour/pipeline/check/limits"
	"labour/snapshots"
)

// said returns the check of each fault with the setting that would permit it.
func said(faults []Fault) []string {
	all := []string{}
	for _, f := range faults {
		all = append(all, f.Check+" "+f.LimitSetting)
	}
	return all
}

// TestBoundsOfASourceAtTheirEdges holds each bound of a delivery at its value and one past it, and
// the setting that the fault names.
func TestBoundsOfASourceAtTheirEdges(t *testing.T) {
	adverts := func(change func(*advertCounts)) *sourceEntry {
		a := &advertCounts{Counted: 1000, InUK: 1000, Placed: 1000, WithSOC: 1000, WithSector: 1000, WithSkill: 1000}
		change(a)
		return &sourceEntry{Source: "s", Records: 1000, Adverts: a}
	}
	unknown := func(records int64, faults faultCounts) *sourceEntry {
		return &sourceEntry{Source: "s", Records: records, Faults: faults}
	}
	for _, c := range []struct {
		within, past *sourceEntry
		limits       limits.Source
		want         string
	}{
		{&sourceEntry{Source: "s", Records: 10}, &sourceEntry{Source: "s", Records: 9}, limits.Source{MinRecords: 10},
			"records drift.s.min_records"},
		{&sourceEntry{Source: "s", Records: 10}, &sourceEntry{Source: "s", Records: 11}, limits.Source{MaxRecords: 10},
			"records drift.s.max_records"},
		{&sourceEntry{Source: "s", Records: 1}, &sourceEntry{Source: "s", Records: 2}, limits.Source{MaxRecords: 1},
			"records drift.s.max_records"},
		{adverts(func(a *advertCounts) {}), adverts(func(a *advertCounts) { a.Counted = 999 }),
			limits.Source{MinCounted: 1000},
			"counted drift.s.min_counted"},
		{adverts(func(a *advertCounts) {}), adverts(func(a *advertCounts) { a.Counted = 1001 }),
			limits.Source{MaxCounted: 1000},
			"counted drift.s.max_counted"},
		{adverts(func(a *advertCounts) { a.Placed = 300 }), adverts(func(a *advertCounts) { a.Placed = 299 }),
			limits.Source{MinWithCouncilPct: 30}, "coded drift.s.min_placed_pct"},
		{adverts(func(a *advertCounts) { a.WithSOC = 300 }), adverts(func(a *advertCounts) { a.WithSOC = 299 }),
			limits.Source{MinWithOccupationPct: 30}, "coded drift.s.min_soc_pct"},
		{adverts(func(a *advertCounts) { a.WithSector = 300 }), adverts(func(a *advertCounts) { a.WithSector = 299 }),
			limits.Source{MinWithSectorPct: 30}, "coded drift.s.min_sector_pct"},
		{adverts(func(a *advertCounts) { a.WithSkill = 300 }), adverts(func(a *advertCounts) { a.WithSkill = 299 }),
			limits.Source{MinWithSkillPct: 30}, "coded drift.s.min_skill_pct"},
		{adverts(func(a *advertCounts) { a.InUK, a.WithSOC = 99, 0 }),
			adverts(func(a *advertCounts) { a.InUK, a.WithSOC = 100, 0 }),
			limits.Source{MinWithOccupationPct: 1}, "coded drift.s.min_soc_pct"},
		{unknown(100, faultCounts{"unknown_code": 5}), unknown(100, faultCounts{"unknown_code": 6}),
			limits.Source{}, "unknown drift.s.max_unknown_pct"},
		{unknown(99, faultCounts{"unknown_code": 99}), unknown(100, faultCounts{"unknown_code": 99}),
			limits.Source{}, "unknown drift.s.max_unknown_pct"},
		{unknown(0, faultCounts{"schema": 1}), unknown(0, faultCounts{"unknown_code": 1}), limits.Source{},
			"unknown drift.s.max_unknown_pct"},
		{unknown(100, faultCounts{"unknown_code": 3, "unknown_column": 1, "missing_column": 1}),
			unknown(100, faultCounts{"unknown_code": 2, "unknown_column": 2, "missing_column": 2}), limits.Source{},
			"unknown drift.s.max_unknown_pct"},
	} {
		if got := said(bounds(c.within, c.limits)); len(got) > 0 {
			t.Errorf("%+v within %+v: %q", c.within, c.limits, got)
		}
		if got := said(bounds(c.past, c.limits)); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%+v past %+v: %q, want %q", c.past, c.limits, got, c.want)
		}
	}
}

// TestChangesOfASourceAtTheirEdges holds each default limit of a change at its value and one past it.
func TestChangesOfASourceAtTheirEdges(t *testing.T) {
	records := func(n int64) *sourceEntry { return &sourceEntry{Source: "s", Records: n} }
	adverts := func(change func(*advertCounts)) *sourceEntry {
		a := &advertCounts{Counted: 100, Listed: 100, InUK: 100, Placed: 50, WithSOC: 50, WithSector: 50, WithSkill: 50,
			Parts: map[string]int64{"board": 100}}
		change(a)
		return &sourceEntry{Source: "s", Adverts: a}
	}
	const fall, rise, coded = " drift.s.max_fall_pct", " drift.s.max_rise_pct", "coded drift.s.max_coded_fall_points"
	before := adverts(func(*advertCounts) {})
	for _, c := range []struct {
		before, within, past *sourceEntry
		want                 string
	}{
		{records(100), records(60), records(59), limits.CheckRecordCount + fall},
		{records(100), records(1000), records(1001), limits.CheckRecordCount + rise},
		{records(99), records(0), records(100_000), ""},
		{before, adverts(func(a *advertCounts) { a.Counted = 60 }), adverts(func(a *advertCounts) { a.Counted = 59 }),
			limits.CheckCountedAdvertCount + fall},
		{before, adverts(func(a *advertCounts) { a.Counted = 1000 }), adverts(func(a *advertCounts) { a.Counted = 1001 }),
			limits.CheckCountedAdvertCount + rise},
		{before, adverts(func(a *advertCounts) { a.Listed = 60 }), adverts(func(a *advertCounts) { a.Listed = 59 }),
			limits.CheckListedAdvertCount + fall},
		{before, adverts(func(a *advertCounts) { a.Parts["board"] = 60 }),
			adverts(func(a *advertCounts) { a.Parts["board"] = 59 }),
			limits.CheckListedAdvertCount + fall},
		{before, adverts(func(a *advertCounts) { a.Placed = 30 }), adverts(func(a *advertCounts) { a.Placed = 29 }), coded},
		{before, adverts(func(a *advertCounts) { a.WithSOC = 30 }), adverts(func(a *advertCounts) { a.WithSOC = 29 }), coded},
		{before, adverts(func(a *advertCounts) { a.WithSector = 30 }), adverts(func(a *advertCounts) { a.WithSector = 29 }),
			coded},
		{before, adverts(func(a *advertCounts) { a.WithSkill = 30 }), adverts(func(a *advertCounts) { a.WithSkill = 29 }),
			coded},
	} {
		if got := said(changes(c.before, c.within, "", limits.Source{})); len(got) > 0 {
			t.Errorf("from %+v to %+v: %q", c.before, c.within, got)
		}
		want := []string{c.want}
		if c.want == "" {
			want = []string{}
		}
		if got := said(changes(c.before, c.past, "", limits.Source{})); !slices.Equal(got, want) {
			t.Errorf("from %+v to %+v: %q, want %q", c.before, c.past, got, want)
		}
	}
}

// TestSizesOfTablesAtTheirEdges holds from how many rows on a table's shrinking and growing is a
// fault, and that its own limits go before those of all tables.
func TestSizesOfTablesAtTheirEdges(t *testing.T) {
	l := limits.Checks{MaxShrinkPct: 50, MaxGrowthPct: 900,
		PerTable: map[string]limits.Table{"places": {MaxShrinkPct: new(10), MaxGrowthPct: new(20)}}}
	for _, c := range []struct {
		table         string
		before, after int64
		want          []string
	}{
		{"regions", 20, 10, nil}, {"regions", 20, 9, []string{"shrink checks.tables.regions.max_shrink_pct"}},
		{"regions", 19, 0, nil}, {"regions", 100, 1000, nil},
		{"regions", 100, 1001, []string{"growth checks.tables.regions.max_growth_pct"}}, {"regions", 99, 100_000, nil},
		{"places", 100, 90, nil}, {"places", 100, 89, []string{"shrink checks.tables.places.max_shrink_pct"}},
		{"places", 100, 120, nil}, {"places", 100, 121, []string{"growth checks.tables.places.max_growth_pct"}},
	} {
		got := rowFaults(snapshots.TableFile{Name: c.table, Rows: c.before},
			snapshots.TableFile{Name: c.table, Rows: c.after}, l)
		if !slices.Equal(said(got), append([]string{}, c.want...)) {
			t.Errorf("%s from %d to %d rows: %q, want %q", c.table, c.before, c.after, said(got), c.want)
		}
	}
}

// TestFloorsOfTables: the lists of the service need a row, other tables need none, and a table's
// own floor holds.
func TestFloorsOfTables(t *testing.T) {
	l := limits.Checks{PerTable: map[string]limits.Table{"skills": {MinRows: 3}, "regions": {MinRows: 2},
		"levels": {MaxShrinkPct: new(1)}}}
	for table, want := range map[string]int64{"skills": 3, "regions": 2, "levels": 1, "sectors": 1, "occupations": 1,
		"sources": 1, "adverts": 0} {
		m := snapshots.Manifest{Tables: []snapshots.TableFile{{Name: table, Rows: want}}}
		if got := floors(m, l); len(got) > 0 {
			t.Errorf("%s at its floor: %v", table, got)
		}
		if m.Tables[0].Rows = want - 1; want > 0 && !slices.Equal(said(floors(m, l)),
			[]string{"min_rows checks.tables." + table + ".min_rows"}) {
			t.Errorf("%s below its floor: %v", table, floors(m, l))
		}
	}
}

// TestFaultsThatNothingExcuses advise nothing.
func TestFaultsThatNothingExcuses(t *testing.T) {
	for _, check := range []string{limits.CheckVerify, limits.CheckEarlierDate, limits.CheckMissingFile,
		limits.CheckTruncatedFile} {
		if got := (Fault{Check: check, Subject: "x", Text: "wrong", LimitSetting: "a.setting"}).String(); got != "wrong" {
			t.Errorf("%s advises: %q", check, got)
		}
	}
}

// TestWhenFiguresOfPeopleAreCompared: only figures of another quarter or protection, where both
// snapshots have some and the same are withdrawn.
func TestWhenFiguresOfPeopleAreCompared(t *testing.T) {
	of := func(quarterEnd, protection string, withdrawn ...snapshots.PeopleWithdrawal) snapshots.Manifest {
		to := manifest(quarterEnd, nil).AsOf
		return snapshots.Manifest{PeopleAsOf: &to, People: &snapshots.People{To: to, Protection: protection},
			PeopleWithdrawn: withdrawn}
	}
	none, noDate := snapshots.Manifest{}, of("2026-09-30", "rounded")
	noDate.PeopleAsOf = nil
	june, september := of("2026-06-30", "rounded"), of("2026-09-30", "rounded")
	for _, c := range []struct {
		name           string
		previous, next snapshots.Manifest
		want           bool
	}{
		{"the next quarter", june, september, true},
		{"the same quarter", september, september, false},
		{"another protection", september, of("2026-09-30", "plain"), true},
		{"none before", none, september, false}, {"none now", june, none, false},
		{"without a date before", noDate, of("2026-12-31", "rounded"), false},
		{"without a date now", june, noDate, false},
		{"all withdrawn since", june, of("2026-09-30", "rounded", snapshots.PeopleWithdrawal{}), false},
		{"all withdrawn before", of("2026-06-30", "rounded", snapshots.PeopleWithdrawal{}), september, false},
		{"a skill withdrawn since", june, of("2026-09-30", "rounded", snapshots.PeopleWithdrawal{Skill: "sql"}), true},
		{"a skill withdrawn before", of("2026-06-30", "rounded", snapshots.PeopleWithdrawal{Skill: "sql"}), september,
			true},
	} {
		if got := newPeople(c.previous, c.next); got != c.want {
			t.Errorf("%s: compared %t", c.name, got)
		}
	}
}

// TestTablesOfPeopleMayShrinkByAWithdrawal: what the operator withdrew is no fault of a table of
// people, and excuses no other table. A withdrawn skill has rows in two of these tables only.
func TestTablesOfPeopleMayShrinkByAWithdrawal(t *testing.T) {
	l := limits.Checks{MaxShrinkPct: 50, MaxGrowthPct: 900}
	of := func(rows int64, withdrawn ...snapshots.PeopleWithdrawal) snapshots.Manifest {
		m := snapshots.Manifest{PeopleWithdrawn: withdrawn}
		for _, name := range append(snapshots.PeopleTables(), "regions") {
			m.Tables = append(m.Tables, snapshots.TableFile{Name: name, Rows: rows})
		}
		return m
	}
	skill, all := snapshots.PeopleWithdrawal{Skill: "sql"}, snapshots.PeopleWithdrawal{}
	for _, c := range []struct {
		name           string
		previous, next snapshots.Manifest
		want           []string
	}{
		{"none", of(100), of(10), []string{"candidates", "people", "regions", "residents", "s106_people"}},
		{"all", of(100), of(10, all), []string{"regions"}},
		{"a skill", of(100), of(10, skill), []string{"candidates", "regions", "s106_people"}},
		{"as before", of(100, skill), of(10, skill),
			[]string{"candidates", "people", "regions", "residents", "s106_people"}},
		{"a skill, and then all", of(100, skill), of(10, skill, all), []string{"regions"}},
	} {
		var got []string
		for _, f := range FindManifestSuccessionFaults(c.previous, c.next, l) {
			got = append(got, f.Subject)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: the tables %q have shrunk, want %q", c.name, got, c.want)
		}
	}
}
