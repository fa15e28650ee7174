package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
)

// TestFactsOfASnapshot: the corrections of figures that were applied, by record, its outlines by place, and the
// rates of its manifest.
func TestFactsOfASnapshot(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	old, fresh := "7", "8"
	day := date("2026-11-01")
	source, training := c.Sources[0].Key, "starts E12000007 2026-07-31 Care"
	row := func(record, kind, field, outcome string, old, fresh *string) snapshots.CorrectionsRow {
		return snapshots.CorrectionsRow{SourceKey: source, Kind: kind, Record: record, Field: field, Old: old, New: fresh,
			Reason: "a slip in " + record, DecidedBy: "A", DecidedOn: day, Outcome: outcome}
	}
	c.Corrections = []snapshots.CorrectionsRow{row("a", "statistic", "value", "applied", &old, &fresh),
		row("b", "statistic", "value", "applied", nil, &fresh), row("mended", "statistic", "value", "mended", &old, &fresh),
		row("period", "statistic", "period_end", "applied", &old, &fresh), row("advert", "advert", "value", "applied",
			nil, nil), row(training, "statistic", "value", "applied", &old, &fresh)}
	const ring = "((-0.1 51.5,-0.1 51.6,-0.2 51.6,-0.1 51.5))"
	c.Outlines = []snapshots.OutlinesRow{{Place: "hackney", Code: "E09000012", Outline: "MULTIPOLYGON(" + ring + ")",
		SourceKey: source}}
	s := mountOnce(t, "2026-11-20", c)
	for record, want := range map[string]api.Correction{
		"a": {Source: source, Record: "a", Old: &old, New: &fresh, Reason: "a slip in a", DecidedOn: api.DateOf(day)},
		"b": {Source: source, Record: "b", New: &fresh, Reason: "a slip in b", DecidedOn: api.DateOf(day)}} {
		if got, ok := s.CorrectionOf(record); !ok || !cmp.Equal(got, want) {
			t.Errorf("the correction of %s is %+v, %t; want %+v", record, got, ok, want)
		}
	}
	evidence := func(id string) api.EvidenceRow {
		return api.EvidenceRow{ID: id, Statement: "Starts in London, Care, period to 31 July 2026: 10."}
	}
	stated := source + ":starts:E12000007:care:full-year:2026-07-31"
	if got, ok := s.CorrectionStatedIn(evidence(stated)); !ok || got.Reason != "a slip in "+training {
		t.Errorf("%s states the corrected figure %+v, %t", stated, got, ok)
	}
	for _, none := range []string{"", source + ":starts:E12000007:care:full-year:2025-07-31", "x" + stated} {
		if got, ok := s.CorrectionStatedIn(evidence(none)); ok {
			t.Errorf("%s states no corrected figure, and has %+v", none, got)
		}
	}
	for _, none := range []string{"mended", "period", "advert", "c"} {
		if got, ok := s.CorrectionOf(none); ok {
			t.Errorf("%s is no corrected figure, and has %+v", none, got)
		}
	}
	shape := orb.MultiPolygon{{{{-0.1, 51.5}, {-0.1, 51.6}, {-0.2, 51.6}, {-0.1, 51.5}}}}
	outlines := s.Outlines()
	if want := []api.Outline{{Place: "hackney", Shape: shape}}; !cmp.Equal(outlines.Rows, want) ||
		len(outlines.Sources) != 1 || outlines.Sources[0].Key != source {
		t.Errorf("outlines %+v, want %+v of %s", outlines, want, source)
	}
	if got := s.CodingErrors(); got != (figure.CodingErrors{RandomError: 0.46, SystematicError: 0.05}) {
		t.Errorf("rates of error %+v", got)
	}
	if one, other := s.DigestOf("skills-unmet"), s.DigestOf("evidence"); one == "" || other == "" || one == other ||
		s.DigestOf("none") != "" {
		t.Errorf("digests %q and %q, and %q of no dataset", one, other, s.DigestOf("none"))
	}
	c.Outlines[0].Outline = "MULTIPOLYGON(" + strings.Replace(ring, "51.5", "51.4", 1) + ")" // not closed
	if s, err := Mount(context.Background(), sealed(t, "2026-11-20", c), Options{TempDir: t.TempDir()}); s != nil ||
		err == nil || !strings.Contains(err.Error(), "outline of hackney: ") {
		t.Errorf("an outline that is not closed: %v", err)
	}
}

// TestQueriesEndWithTheirContext: each gives its error and no row, also those that read a snapshot into memory.
func TestQueriesEndWithTheirContext(t *testing.T) {
	s, _ := mountedDefault(t)
	ended, end := context.WithCancel(t.Context())
	end()
	rows, skill := 0, s.Values(api.Skills)[0]
	ask := func(n int, err error) error { rows += n; return err }
	for name, query := range map[string]func() error{
		"skills-unmet": func() error {
			p, err := s.SkillsUnmet(ended, api.SkillsUnmetQuery{Window: 12, Limit: 5})
			return ask(len(p.Rows), err)
		},
		"one skill by place": func() error {
			p, err := s.SkillsUnmet(ended, api.SkillsUnmetQuery{Window: 12, Limit: 5, Skill: skill,
				By: api.ByPlace})
			return ask(len(p.Rows), err)
		},
		"quarters": func() error {
			p, err := s.SkillsUnmetByQuarter(ended, api.SkillsUnmetQuery{})
			return ask(len(p.Rows), err)
		},
		"course-demand": func() error {
			p, err := s.CourseDemand(ended, api.CourseDemandQuery{Country: "GB", Limit: 5})
			return ask(len(p.Rows), err)
		},
		"skills-gaps": func() error {
			p, err := s.SkillsGaps(ended, api.SkillsGapsQuery{Country: "GB", Limit: 5})
			return ask(len(p.Rows), err)
		},
		"evidence": func() error {
			p, err := s.Evidence(ended, api.EvidenceQuery{Country: "GB", Limit: 5})
			return ask(len(p.Rows), err)
		},
		"events": func() error {
			p, err := s.Events(ended, api.EventsQuery{Page: 1, Limit: 5})
			return ask(len(p.Rows), err)
		},
		"next occupations": func() error {
			list, err := s.NextOccupations(ended, api.NextOccupationsQuery{SOC: "2134"})
			return ask(len(list), err)
		},
		"vocabularies": func() error { return s.readVocabularies(ended) },
		"sources":      func() error { return s.readSources(ended) },
		"freshness":    func() error { return s.readFreshness(ended) },
		"residents":    func() error { return s.readResidents(ended) },
		"regions":      func() error { return s.readRegionNames(ended) },
		"outlines":     func() error { return s.readOutlines(ended) },
		"corrections":  func() error { return s.readCorrections(ended) }, "held": func() error { return s.readCached(ended) },
	} {
		if err := query(); !errors.Is(err, context.Canceled) || rows > 0 {
			t.Errorf("%s: %d rows, %v", name, rows, err)
		}
	}
}

// TestSharesOfResidentsOfASnapshot: each skill has the published share of its place and level, and no score
// where the share is not published.
func TestSharesOfResidentsOfASnapshot(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	c.Residents = slices.Clone(c.Residents)
	want := map[string]*figure.Tenths{}
	for i := range c.Residents {
		r := &c.Residents[i]
		if i%3 == 0 {
			r.PeopleBelowSharePct = nil
		}
		want[fmt.Sprint(r.Place, r.Skill, r.Level)] = r.PeopleBelowSharePct
	}
	s, hidden := mountOnce(t, "2026-11-20", c), 0
	for _, place := range append([]string{""}, s.Values(api.Places)...) {
		page, err := s.SkillsUnmet(t.Context(), api.SkillsUnmetQuery{Place: place, Window: 24, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Rows {
			share, ok := want[fmt.Sprint(place, r.Skill, r.Level)]
			if got := r.PeopleBelow.Tenths; !ok || !cmp.Equal(got, share) || (r.Score.TenThousandths == nil) != (share == nil) {
				t.Errorf("%s in %q: share %v, score %v; want %v", r.Skill, place, got, r.Score.TenThousandths, share)
			}
			if share == nil {
				hidden++
			}
		}
	}
	if hidden == 0 {
		t.Error("every share is published, so nothing is tried")
	}
}
