package check

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/check/limits"
	"labour/pipeline/report"
	"labour/sources"
)

// The parts of a report that the tests of this package make up.
type (
	sourceEntry  = report.SourceEntry
	advertCounts = report.AdvertCounts
	faultCounts  = map[sources.FaultCode]int64
)

func checkNames(faults []Fault) string {
	var all []string
	for _, b := range faults {
		all = append(all, b.Check)
	}
	return strings.Join(all, " ")
}

func TestBounds(t *testing.T) {
	adverts := func(inUK, soc int64) *advertCounts {
		return &advertCounts{Counted: inUK, InUK: inUK, Placed: inUK, WithSOC: soc, WithSector: inUK, WithSkill: inUK}
	}
	// withSkill is a source of 200 adverts, with so many that have a skill, and so many without a text.
	withSkill := func(n, noText int64) *sourceEntry {
		return &sourceEntry{Adverts: &advertCounts{Counted: 200, InUK: 200, NoText: noText, WithSkill: n}}
	}
	for _, c := range []struct {
		name string
		of   *sourceEntry
		l    limits.Source
		want string
	}{
		{"no bounds", &sourceEntry{}, limits.Source{}, ""},
		{"at the floor", &sourceEntry{Records: 10}, limits.Source{MinRecords: 10, MaxRecords: 10}, ""},
		{"below it", &sourceEntry{Records: 9}, limits.Source{MinRecords: 10}, "records"},
		{"above the ceiling", &sourceEntry{Records: 11}, limits.Source{MaxRecords: 10}, "records"},
		{"no adverts any more", &sourceEntry{Records: 11}, limits.Source{MinCounted: 1}, "counted"},
		{"too many", &sourceEntry{Adverts: adverts(300, 300)}, limits.Source{MaxCounted: 299}, "counted"},
		{"a share at its floor", &sourceEntry{Adverts: adverts(200, 80)}, limits.Source{MinWithOccupationPct: 40}, ""},
		{"below it", &sourceEntry{Adverts: adverts(200, 79)}, limits.Source{MinWithOccupationPct: 40}, "coded"},
		{"of too few to mean anything", &sourceEntry{Adverts: adverts(99, 0)}, limits.Source{MinWithOccupationPct: 40}, ""},
		{"a share of adverts with a text", withSkill(40, 100), limits.Source{MinWithSkillPct: 40}, ""},
		{"below it", withSkill(39, 100), limits.Source{MinWithSkillPct: 40}, "coded"},
		{"too few with a text", withSkill(0, 101), limits.Source{MinWithSkillPct: 40}, ""},
		{"a few unknown codes", &sourceEntry{Records: 100, Faults: faultCounts{"unknown_code": 5}}, limits.Source{}, ""},
		{"many", &sourceEntry{Records: 100, Faults: faultCounts{"unknown_code": 5, "unknown_column": 1}}, limits.Source{},
			"unknown"},
		{"many of the newest fetch", &sourceEntry{Records: 900, PastRecords: 800, Faults: faultCounts{"unknown_code": 6}},
			limits.Source{}, "unknown"},
		{"too few in the newest fetch", &sourceEntry{Records: 900, PastRecords: 800}, limits.Source{MinRecords: 101},
			"records"},
		{"many of few records", &sourceEntry{Records: 99, Faults: faultCounts{"unknown_code": 50}}, limits.Source{}, ""},
		{"one of one record", &sourceEntry{Records: 1, Faults: faultCounts{"unknown_code": 1}}, limits.Source{}, ""},
		{"nothing but", &sourceEntry{Faults: faultCounts{"missing_column": 1}}, limits.Source{}, "unknown"},
		{"other faults", &sourceEntry{Faults: faultCounts{"schema": 100}}, limits.Source{}, ""},
	} {
		if got := checkNames(bounds(c.of, c.l)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestSentences: what was unknown is listed, and each sentence says where the bound is
// set and how it is acknowledged.
func TestSentences(t *testing.T) {
	s := &sourceEntry{Source: "boards", Records: 100, Faults: faultCounts{"unknown_code": 12, "schema": 1},
		Samples: []sources.Fault{{Code: "unknown_code", Detail: "group 9998"}, {Code: "schema", Detail: "an id"},
			{Code: "unknown_code", Detail: "group 9999"}}}
	got := fmt.Sprint(bounds(s, limits.Source{MinRecords: 500}))
	for _, want := range []string{"records is 100, below its floor of 500", "drift.boards.min_records",
		"check: records, of: boards",
		"12 columns, categories or codes of 100 records are not known and were not used; group 9998; group 9999;",
		"drift.boards.max_unknown_pct"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nhas not %q", got, want)
		}
	}
	if strings.Contains(got, "an id") {
		t.Error("another fault is listed")
	}
}

// drawn is a report of a source, sometimes of another size than the last.
func drawn(t *rapid.T, name string) *sourceEntry {
	most := rapid.SampledFrom([]int64{5, 120, 2000}).Draw(t, name+" size")
	n := rapid.Int64Range(0, most)
	s := &sourceEntry{Source: "s", Records: n.Draw(t, name+" records")}
	if rapid.Bool().Draw(t, name+" adverts") {
		inUK := n.Draw(t, name+" in the country")
		part := rapid.Int64Range(0, inUK)
		s.Adverts = &advertCounts{Counted: n.Draw(t, name+" counted"), Listed: n.Draw(t, name+" listed"), InUK: inUK,
			Placed:  part.Draw(t, name+" placed"),
			WithSOC: part.Draw(t, name+" soc"), WithSector: part.Draw(t, name+" sector"),
			WithSkill: part.Draw(t, name+" skill")}
	}
	return s
}

// TestChangesAgainstFractions compares with the definition in exact fractions.
func TestChangesAgainstFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, now := drawn(t, "before"), drawn(t, "now")
		l := limits.Source{MaxFallPct: rapid.IntRange(0, 100).Draw(t, "fall"),
			MaxRisePct:              rapid.IntRange(0, 300).Draw(t, "rise"),
			MaxCodedShareFallPoints: rapid.IntRange(0, 100).Draw(t, "points")}
		full := l.WithDefaults()
		var want []string
		changed := func(check string, from, to int64) {
			if from < MinComparedRecords {
				return
			}
			change := new(big.Rat).Sub(new(big.Rat).SetFrac64(100*to, from), big.NewRat(100, 1))
			if change.Cmp(big.NewRat(int64(-full.MaxFallPct), 1)) < 0 ||
				change.Cmp(big.NewRat(int64(full.MaxRisePct), 1)) > 0 {
				want = append(want, check)
			}
		}
		changed(limits.CheckRecordCount, before.Records, now.Records)
		if a, b := before.Adverts, now.Adverts; a != nil {
			if b == nil {
				b = &advertCounts{}
			}
			changed(limits.CheckCountedAdvertCount, a.Counted, b.Counted)
			changed(limits.CheckListedAdvertCount, a.Listed, b.Listed)
			for _, c := range [][2]int64{{a.Placed, b.Placed}, {a.WithSOC, b.WithSOC}, {a.WithSector, b.WithSector},
				{a.WithSkill, b.WithSkill}} {
				if a.InUK < MinComparedRecords || b.InUK < MinComparedRecords {
					continue
				}
				fall := new(big.Rat).Sub(new(big.Rat).SetFrac64(100*c[0], a.InUK),
					new(big.Rat).SetFrac64(100*c[1], b.InUK))
				if fall.Cmp(big.NewRat(int64(full.MaxCodedShareFallPoints), 1)) > 0 {
					want = append(want, limits.CheckCodedShare)
				}
			}
		}
		if got := checkNames(changes(before, now, "", l)); got != strings.Join(want, " ") {
			t.Fatalf("%q, want %q", got, want)
		}
		if same := changes(now, now, "", l); len(same) != 0 {
			t.Fatalf("no change at all is %v", same)
		}
	})
}

// TestLooserLimitsRefuseLess: whatever passes under some limits passes under looser ones.
func TestLooserLimitsRefuseLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, now := drawn(t, "before"), drawn(t, "now")
		pct := rapid.IntRange(1, 99)
		tight := limits.Source{MinRecords: rapid.Int64Range(0, 500).Draw(t, "floor"),
			MaxRecords: rapid.Int64Range(500, 1000).Draw(t, "ceiling"),
			MaxFallPct: pct.Draw(t, "fall"), MaxRisePct: pct.Draw(t, "rise"), MinWithOccupationPct: pct.Draw(t, "soc"),
			MaxCodedShareFallPoints: pct.Draw(t, "points")}
		loose := tight
		loose.MinRecords, loose.MaxRecords, loose.MaxFallPct, loose.MaxRisePct = tight.MinRecords/2, tight.MaxRecords*2,
			tight.MaxFallPct+1, tight.MaxRisePct+1
		loose.MinWithOccupationPct, loose.MaxCodedShareFallPoints = tight.MinWithOccupationPct-1,
			tight.MaxCodedShareFallPoints+1
		all := checkNames(append(bounds(now, tight), changes(before, now, "", tight)...))
		for _, b := range append(bounds(now, loose), changes(before, now, "", loose)...) {
			if !slices.Contains(strings.Fields(all), b.Check) {
				t.Fatalf("%v under looser limits only; %q under tighter ones", b, all)
			}
		}
	})
}

// TestReports: a source that is compared, one that is new, and one that has vanished.
func TestReports(t *testing.T) {
	before := []*sourceEntry{{Source: "a", Records: 1000}, {Source: "gone", Records: 1000}}
	now := []*sourceEntry{{Source: "a", Records: 500}, {Source: "new", Records: 1}}
	perSource := map[string]limits.Source{"gone": {MinRecords: 10}, "new": {MinRecords: 2}, "free": {MaxRecords: 1}}
	got := append(allChanges(before, now, nil, perSource), allBounds(now, perSource)...)
	var all []string
	for _, b := range got {
		all = append(all, b.Subject+" "+b.Check)
	}
	if fmt.Sprint(all) != "[a records new records gone records]" {
		t.Errorf("%v", got)
	}
}

// A list of 10 records is compared, and adverts and news from 100 on.
func TestChangesOfSmallNumbers(t *testing.T) {
	for _, c := range []struct {
		kind        sources.Kind
		before, now int64
		want        string
	}{
		{sources.KindStatistics, 22, 1, "records"}, {sources.KindProjections, 15, 1, "records"},
		{sources.KindGeography, 10, 5, "records"}, {sources.KindPlans, 10, 101, "records"},
		{sources.KindStatistics, 10, 6, ""}, {sources.KindStatistics, 9, 0, ""},
		{sources.KindPlatform, 99, 0, ""}, {sources.KindPlatform, 100, 0, "records"},
		{sources.KindEmployerBoards, 99, 0, ""}, {sources.KindApprenticeships, 99, 0, ""}, {sources.KindNews, 99, 0, ""},
	} {
		before, now := []*sourceEntry{{Source: "s", Records: c.before}}, []*sourceEntry{{Source: "s", Records: c.now}}
		got := checkNames(allChanges(before, now, map[string]sources.Kind{"s": c.kind}, nil))
		if got != c.want {
			t.Errorf("%s from %d to %d: %q, want %q", c.kind, c.before, c.now, got, c.want)
		}
	}
}

// One board that lists far fewer adverts is seen, even where the source as a whole is not
// much smaller; one that was taken out of the configuration is not.
func TestChangesOfAPart(t *testing.T) {
	parts := func(p map[string]int64) []*sourceEntry {
		return []*sourceEntry{{Source: "boards", Records: 5000, Adverts: &advertCounts{Listed: 5000, Parts: p}}}
	}
	before := parts(map[string]int64{"v/a": 200, "v/b": 90, "v/c": 4000})
	now := parts(map[string]int64{"v/a": 50, "v/b": 10})
	got := allChanges(before, now, nil, nil)
	if len(got) != 1 || got[0].Check != limits.CheckListedAdvertCount ||
		!strings.Contains(got[0].Text, "adverts listed by v/a fall from 200 to 50") {
		t.Errorf("%v", got)
	}
}
