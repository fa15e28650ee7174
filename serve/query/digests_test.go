package query

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// A light snapshot leaves the digests of everything that does not read what it brought.
func TestDigestsFollowTheData(t *testing.T) {
	w := newWorld(t)
	first := w.promote("2026-11-20")
	digests := func(id snapshots.ID) map[string]string { return mountDir(t, w.live.store.SnapshotDir(id)).digests }
	before := digests(first)
	for table, tt := range map[string]struct {
		change   func(*snaptest.Content)
		datasets []string // whose digests change
	}{
		"events": {func(c *snaptest.Content) {
			more := c.Events[0]
			more.ID, more.Partner, more.Type, more.Outcome = "ev-more", "", "click.recorded", nil
			c.Events = append(c.Events, more)
		}, nil}, // see TestDigestOfEvents
		"jobs": {func(c *snaptest.Content) { c.Jobs = c.Jobs[:3] }, []string{"jobs"}},
		"regions": {func(c *snaptest.Content) { c.Regions[0].Name += " again" }, []string{"places", "regions", "skills-gaps",
			"course-demand", "evidence"}}, // which resolve the parameter region
		"corrections": {func(c *snaptest.Content) {
			c.Corrections = append(c.Corrections, snapshots.CorrectionsRow{SourceKey: c.Sources[0].Key, Kind: "statistic",
				Record: "r", Field: "value", Reason: "A slip.", DecidedBy: "A", DecidedOn: date("2026-11-01"), Outcome: "applied"})
		}, []string{"course-demand", "evidence"}}, // whose notes name them
		"skills": {func(c *snaptest.Content) { c.Skills[0].Name += " again" }, []string{"skills", "skills-unmet"}},
	} {
		after := digests(w.with(first, table, tt.change))
		for dataset := range datasets {
			if changed, wanted := before[dataset] != after[dataset], slices.Contains(tt.datasets,
				dataset); changed != wanted {
				t.Errorf("%s after a change of %s: changed %v", dataset, table, changed)
			}
		}
	}
}

// Events have another digest while the files of partners are missing, so that a client that has an
// answer without its own events asks again. No other digest changes.
func TestDigestWithoutTheFilesOfPartners(t *testing.T) {
	root := t.TempDir()
	id := snaptest.BuildSnapshot(t, root, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	folder, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	s := mountDir(t, folder.SnapshotDir(id))
	if s.withoutPartners {
		t.Fatal("the snapshot has no files of partners")
	}
	before := s.DigestOfEvents("south-works")
	s.withoutPartners = true
	if s.DigestOfEvents("south-works") == before {
		t.Error("the digest of events is the same")
	}
	if diff := cmp.Diff(s.digests, s.digestsOf(s.manifest)); diff != "" {
		t.Error(diff)
	}
}

// The digest of events changes for the partners who may see the change, and for nobody else. A
// snapshot with the same events leaves it, although the bytes of its event files are others.
func TestDigestOfEvents(t *testing.T) {
	w := newWorld(t)
	first := w.promote("2026-11-20")
	const owner, other = "north-london-jobs", "south-works"
	digests := func(id snapshots.ID) [2]string {
		s := mountDir(t, w.live.store.SnapshotDir(id))
		return [2]string{s.DigestOfEvents(owner), s.DigestOfEvents(other)}
	}
	before := digests(first)
	for name, tt := range map[string]struct {
		change func(*snapshots.EventsRow)
		want   [2]bool // whether the digests of owner and of other change
	}{
		"no event":         {nil, [2]bool{false, false}},
		"a public event":   {func(e *snapshots.EventsRow) { e.Partner = "" }, [2]bool{true, true}},
		"an event of one":  {func(e *snapshots.EventsRow) { e.Partner = owner }, [2]bool{true, false}},
		"of a new partner": {func(e *snapshots.EventsRow) { e.Partner = "a-new-one" }, [2]bool{false, false}},
	} {
		after := digests(w.with(first, "events", func(c *snaptest.Content) {
			if tt.change != nil {
				more := c.Events[0]
				more.ID, more.Type, more.Outcome = "ev-more", "click.recorded", nil
				tt.change(&more)
				c.Events = append(c.Events, more)
			}
		}))
		if got := [2]bool{before[0] != after[0], before[1] != after[1]}; got != tt.want {
			t.Errorf("%s more: changed %v, want %v", name, got, tt.want)
		}
	}
}

// Each dataset reads tables, and runs no query other than those in its digest.
func TestDigestsAreOfEveryQuestionAsked(t *testing.T) {
	root := t.TempDir()
	id := snaptest.BuildSnapshot(t, root, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	s, ctx := mountDir(t, store.SnapshotDir(id)), context.Background()
	all := map[string]map[queryName]statement{}
	for name, p := range s.parts {
		all[name] = p.statements
	}
	for dataset, ask := range map[string]func() error{
		"skills-unmet": func() error {
			for _, q := range []api.SkillsUnmetQuery{{}, {Place: "camden", Sector: "digital"},
				{Skill: "sql", By: api.ByPlace}, {Skill: "sql", By: api.ByMonth}, {By: api.BySector}} {
				q.Window, q.Limit = 12, 5
				if _, err := s.SkillsUnmet(ctx, q); err != nil {
					return err
				}
			}
			return nil
		},
		"skills-gaps": func() error { _, err := s.SkillsGaps(ctx, api.SkillsGapsQuery{Country: "GB", Limit: 5}); return err },
		"course-demand": func() error {
			_, err := s.CourseDemand(ctx, api.CourseDemandQuery{Country: "GB", Limit: 5})
			return err
		},
		"evidence":   func() error { _, err := s.Evidence(ctx, api.EvidenceQuery{Country: "GB", Limit: 5}); return err },
		"sources":    func() error { _, err := s.Sources(ctx, api.SourcesQuery{}); return err },
		"regions":    func() error { _, err := s.Regions(ctx, api.RegionsQuery{Kind: "council", Limit: 5}); return err },
		"jobs":       func() error { _, err := s.Jobs(ctx, api.JobsQuery{Limit: 5}); return err },
		"pathways":   func() error { _, err := s.Pathways(ctx); return err },
		"candidates": func() error { _, err := s.Candidates(ctx); return err },
		"s106":       func() error { _, err := s.S106(ctx, "camden"); return err },
		"events":     func() error { _, err := s.Events(ctx, api.EventsQuery{Page: 1, Limit: 5}); return err },
	} {
		for name, p := range s.parts {
			p.statements = maps.Clone(all[name])
			maps.DeleteFunc(p.statements,
				func(q queryName, _ statement) bool { return !slices.Contains(datasets[dataset], q) })
		}
		if first := datasets[dataset][0]; len(partOf(first.part(), s.manifest).tablesOf(first)) == 0 {
			t.Errorf("%s reads no table", dataset)
		}
		if err := ask(); err != nil {
			t.Errorf("%s: %v", dataset, err)
		}
	}
	for name, p := range s.parts { // for the others of their library
		p.statements = all[name]
	}
}
