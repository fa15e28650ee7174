package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/api"
	"labour/serve/prefixsearch"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// mounted is the default content, mounted, and the content.
func mountedDefault(t *testing.T) (*Snapshot, snaptest.Content) {
	t.Helper()
	c := snaptest.DefaultContent(t, "2026-11-20")
	return mountOnce(t, "2026-11-20", c), c
}

// jobsOf answers a question without SQL.
func jobsOf(c snaptest.Content, q api.JobsQuery) []api.JobsRow {
	asked := map[string]bool{q.Borough: true}
	for _, m := range c.PlaceMembers {
		if m.Area == q.Borough {
			asked[m.Borough] = true
		}
	}
	var out []api.JobsRow
	for _, j := range c.Jobs {
		r := api.JobsRow{ID: j.ID, Type: j.Type, Title: j.Title, Employer: j.Employer, Sector: known(j.Sector),
			SOC:        known(j.SOC),
			SalaryText: j.SalaryText, PostedAt: api.TimestampOf(j.PostedAt), FirstSeenAt: api.TimestampOf(j.FirstSeen),
			ClosesOn: api.NullableDate{T: j.ClosesOn}, Link: j.Link, SourceKey: j.SourceKey}
		for _, b := range strings.Split(j.Boroughs, ",") {
			if b != "" && (q.Borough == "" || asked[b]) && r.Borough == nil {
				r.Borough = &b
			}
		}
		for _, p := range c.Places {
			if r.Borough != nil && p.Place == *r.Borough {
				r.BoroughName = &p.Name
			}
		}
		for _, s := range c.Sources {
			if s.Key == j.SourceKey {
				r.AttributionStatement = s.AttributionStatement
			}
		}
		if (q.Borough == "" || r.Borough != nil) && (q.Type == "" || j.Type == q.Type) &&
			(q.Sector == "" || j.Sector == q.Sector) &&
			strings.HasPrefix(j.SOC, q.SOC) && hasWords(j.Title+" "+j.Employer, q.Search) {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b api.JobsRow) int {
		return cmp.Or(b.PostedAt.Time().Compare(a.PostedAt.Time()), b.FirstSeenAt.Time().Compare(a.FirstSeenAt.Time()),
			strings.Compare(b.ID, a.ID))
	})
	return out
}

func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// hasWords knows the letters of the default content alone.
func hasWords(text, asked string) bool {
	fold := func(s string) string {
		return strings.NewReplacer("é", "e", "<", " ", ">", " ", "&", " ").Replace(strings.ToLower(s))
	}
	for _, a := range strings.Fields(asked) {
		if !slices.ContainsFunc(strings.Fields(fold(text)),
			func(w string) bool { return strings.HasPrefix(w, fold(a)) }) {
			return false
		}
	}
	return true
}

func TestJobsAgainstOracle(t *testing.T) {
	s, c := mountedDefault(t)
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, of ...string) string { return rapid.SampledFrom(append(of, "")).Draw(t, name) }
		q := api.JobsQuery{Borough: pick("borough", "camden", "islington", "westminster", "central-london"),
			Type:   pick("type", "job", "apprenticeship", "training"),
			Sector: pick("sector", "digital", "care-services"), SOC: pick("soc", "2", "6135", "21", "9"),
			Limit:  rapid.IntRange(1, 70).Draw(t, "limit"),
			Search: pick("q", "care", "CAFE", "développer", "employer 3", "assistant barista", "ist", "worker 1")}
		var got []api.JobsRow
		for page := 0; ; page++ {
			p, err := s.Jobs(context.Background(), q)
			if err != nil || page > 70 {
				t.Fatalf("page %d: %v", page, err)
			}
			got = append(got, p.Rows...)
			if len(p.Rows) > q.Limit || p.More && len(p.Rows) < q.Limit {
				t.Fatalf("page of %d rows, more %v", len(p.Rows), p.More)
			}
			if !p.More {
				break
			}
			last := p.Rows[len(p.Rows)-1]
			q.After = &api.JobsPosition{PostedAt: last.PostedAt.Time(), FirstSeen: last.FirstSeenAt.Time(), ID: last.ID}
		}
		if d := gocmp.Diff(jobsOf(c, q), got); d != "" {
			t.Fatalf("%+v (-want +got):\n%s", q, d)
		}
	})
}

// TestJobsAreHeldOnce: a job in several places has one row, which every list of these places reads.
func TestJobsAreHeldOnce(t *testing.T) {
	s, c := mountedDefault(t)
	several, rows := 0, 0
	for _, j := range c.Jobs {
		if strings.Contains(j.Boroughs, ",") {
			several++
		}
	}
	if err := s.parts[platform].db.QueryRow("SELECT count(*) FROM jobs").Scan(&rows); err != nil {
		t.Fatal(err)
	}
	if rows != len(c.Jobs) || several == 0 {
		t.Errorf("%d rows of %d jobs, %d of them in several boroughs", rows, len(c.Jobs), several)
	}
}

// TestWordsAreCutAlike: the names that are searched are cut into words as the words that
// are looked for.
func TestWordsAreCutAlike(t *testing.T) {
	s, _ := mountedDefault(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringOfN(rapid.RuneFrom([]rune("abAB12 -.,'’+#éÉßñÎ&_/|")), 0, 30, -1),
			rapid.SampledFrom([]string{"C++ & C#", "King's Lynn", "Développeur", "İstanbul", "naïve café"})).Draw(t,
			"text")
		var got string
		if err := s.parts[platform].db.QueryRow("SELECT words(?)", text).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimSpace(string(prefixsearch.NewName(text))); strings.TrimSpace(got) != want {
			t.Fatalf("%q is cut into %q, want %q", text, got, want)
		}
	})
}

func TestPathways(t *testing.T) {
	s, _ := mountedDefault(t)
	got, err := s.Pathways(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	two, three := 2, 3
	care, software := "6135", "2134"
	want := []api.PathwaysRow{
		{ID: "pw-2", Slug: "into-care", Title: "Into care", Summary: "From a first course to a registered manager.",
			Sector: "care-services", UpdatedOn: api.DateOf(date("2026-09-20")),
			Steps: []api.Step{{Order: 1, Title: "Care certificate", Description: "A first course.", Level: &two},
				{Order: 2, Title: "Care worker", SOC: &care, Level: &three}, {Order: 4, Title: "Registered manager"}},
			Standards: []api.Standard{{Code: "ST0005", Title: "Adult care worker", Level: 2},
				{Code: "ST0008", Title: "Leader in adult care", Level: 5}}},
		{ID: "pw-1", Slug: "into-software", Title: "Into software", Sector: "digital",
			UpdatedOn: api.DateOf(date("2026-11-10")), Standards: []api.Standard{},
			Steps: []api.Step{{Order: 1, Title: "Junior developer", SOC: &software}}},
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func date(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestCandidates(t *testing.T) {
	s, _ := mountedDefault(t)
	c, err := s.Candidates(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var places, levels, sectors string
	for _, g := range c.ByBorough {
		places += fmt.Sprintf("%s (%s) %s; ", g.Borough, g.BoroughName, g.Residents)
	}
	for _, g := range c.ByLevel {
		levels += fmt.Sprintf("%d (%s) %s; ", g.Level, g.LevelName, g.Residents)
	}
	for _, g := range c.BySectorSought {
		sectors += fmt.Sprintf("%s (%s) %s; ", g.Sector, g.SectorName, g.Residents)
	}
	for got, want := range map[string]string{
		c.Residents.String() + " " + c.SeekingWork.String(): "120 70",
		places: "camden (Camden) null; islington (Islington) 60; westminster (Westminster) <5; ",
		levels: "1 (Aware (1)) 0; 2 (Working (2)) 50; 3 (Practitioner (3)) 30; 4 (Expert (4)) 10; 5 (Leading (5)) 0; ",
		sectors: "care-services (Care services) 40; construction-and-the-built-environment (Construction and the built " +
			"environment) null; digital (Digital) <5; ",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestS106(t *testing.T) {
	s, c := mountedDefault(t)
	for i, r := range c.S106 {
		p := c.S106People[i] // of the same place
		employed, err := figure.ParseCount(p.LocalPeopleEmployed, p.LocalPeopleEmployedStatus)
		started, err2 := figure.ParseCount(p.ApprenticeshipsStarted, p.ApprenticeshipsStartedStatus)
		jobs, err3 := figure.ParseCount(p.JobsCreated, p.JobsCreatedStatus)
		if err := errors.Join(err, err2, err3); err != nil || p.Place != r.Place {
			t.Fatal(p.Place, err)
		}
		want := api.S106{Developments: r.Developments, Obligations: r.Obligations, JobsCreated: api.Count{Count: jobs},
			TrainingPlaces:         r.TrainingPlaces,
			ApprenticeshipsStarted: api.Count{Count: started}, LocalPeopleEmployed: api.Count{Count: employed},
			ContributionsGBP: r.ContributionsGBP}
		if got, err := s.S106(context.Background(), r.Place); err != nil || got != want {
			t.Errorf("%q: %+v, %v", r.Place, got, err)
		}
	}
}

// A snapshot without people has no figures, and no zero in their place.
func TestNoPeople(t *testing.T) {
	s := mountOnce(t, "2026-11-20", snaptest.Content{PlatformName: "Nobody"})
	c, err := s.Candidates(context.Background())
	d, err2 := s.S106(context.Background(), "")
	if err != nil || err2 != nil || c.Residents.String() != "null" || c.SeekingWork.String() != "null" ||
		d.LocalPeopleEmployed.String() != "null" {
		t.Errorf("%+v %v, %+v %v", c, err, d, err2)
	}
}

func TestEventsAgainstOracle(t *testing.T) {
	s, c := mountedDefault(t)
	rapid.Check(t, func(t *rapid.T) {
		q := api.EventsQuery{Partner: rapid.SampledFrom([]string{"", "north-london-jobs", "south-works",
			"nobody"}).Draw(t, "partner"),
			Type: rapid.SampledFrom([]string{"", "click.recorded", "outcome.recorded"}).Draw(t, "type"),
			Page: rapid.IntRange(1, 4).Draw(t, "page"), Limit: rapid.IntRange(1, 40).Draw(t, "limit")}
		if rapid.Bool().Draw(t, "with since") {
			since := c.Events[0].OccurredAt.Add(
				time.Duration(rapid.IntRange(-2, 40).Draw(t, "since")) * 30 * time.Minute)
			q.Since = &since
		}
		var all []snapshots.EventsRow
		for _, e := range c.Events {
			open := e.Partner == "" && (e.Type == "click.recorded" || e.Type == "opportunity.published")
			if (open || e.Partner != "" && e.Partner == q.Partner) && (q.Type == "" || e.Type == q.Type) &&
				(q.Since == nil || !e.OccurredAt.Before(*q.Since)) {
				all = append(all, e)
			}
		}
		slices.SortFunc(all, func(a, b snapshots.EventsRow) int {
			order := cmp.Or(a.OccurredAt.Compare(b.OccurredAt), strings.Compare(a.ID, b.ID))
			if q.Since == nil {
				return -order
			}
			return order
		})
		got, err := s.Events(context.Background(), q)
		if err != nil || got.Total != int64(len(all)) {
			t.Fatalf("total %d, want %d, %v", got.Total, len(all), err)
		}
		var want []api.EventsRow
		for _, e := range all[min(len(all), (q.Page-1)*q.Limit):min(len(all), q.Page*q.Limit)] {
			want = append(want, api.EventsRow{ID: e.ID, Type: e.Type, OccurredAt: api.TimestampOf(e.OccurredAt),
				Data: api.EventData{Advert: e.Advert, Borough: e.Borough, Outcome: e.Outcome}})
		}
		if d := gocmp.Diff(want, got.Rows); d != "" {
			t.Fatalf("%+v (-want +got):\n%s", q, d)
		}
	})
}

// Boroughs, sectors and the like in the platform's records must be listed.
func TestUnfitPlatformRecordsAreRefused(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	c.Jobs[0].Boroughs, c.Jobs[1].Sector = "atlantis", "magic"
	c.PathwaySteps[0].Pathway = "pw-9"
	c.S106[1].Place = "elsewhere"
	c.Candidates[2].Value = "nowhere"
	root := t.TempDir()
	id := snaptest.BuildSnapshot(t, root, "2026-11-20", c)
	store, err := store.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Mount(context.Background(), store.SnapshotDir(id), Options{TempDir: t.TempDir()})
	for _, want := range []string{`borough "atlantis"`, `sector "magic"`, `pathway "pw-9"`, `place "elsewhere"`,
		`"nowhere" is no borough`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is not named: %v", want, err)
		}
	}
}
