package query

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// mountOnce seals and mounts the content.
func mountOnce(t *testing.T, asOf string, c snaptest.Content) *Snapshot {
	t.Helper()
	return mountDir(t, sealed(t, asOf, c))
}

func sealed(t *testing.T, asOf string, c snaptest.Content) (dir string) {
	t.Helper()
	data := t.TempDir()
	snaptest.MakeRemovable(t, data)
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return store.SnapshotDir(snaptest.BuildSnapshot(t, data, asOf, c))
}

func mountDir(t *testing.T, dir string) *Snapshot {
	t.Helper()
	s, err := Mount(context.Background(), dir, Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func oracleOf(t *testing.T, asOf string, c snaptest.Content) oracle {
	t.Helper()
	date, err := snapshots.ParseDate(asOf)
	if err != nil {
		t.Fatal(err)
	}
	return oracle{c, date.Time}
}

// walk asks for every page and checks each page's sources against its rows.
func walk(t rapid.TB, s *Snapshot, q api.SkillsUnmetQuery, sources []map[string]bool) []api.SkillsUnmetRow {
	var rows []api.SkillsUnmetRow
	for {
		page, err := s.SkillsUnmet(context.Background(), q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		want := map[string]bool{}
		for i := range page.Rows {
			if len(rows)+i < len(sources) {
				maps.Copy(want, sources[len(rows)+i])
			}
			want["platform"] = true
		}
		got := make([]string, 0, len(page.Sources))
		for _, e := range page.Sources {
			got = append(got, e.Key)
		}
		if !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
			t.Fatalf("%+v: sources %v, want %v", q, got, want)
		}
		rows = append(rows, page.Rows...)
		if !page.More || len(page.Rows) == 0 {
			return rows
		}
		last := rows[len(rows)-1]
		q.After = &api.SkillsUnmetPosition{Rank: last.Rank, Score: last.Score.TenThousandths,
			AdvertsShare: int64(last.AdvertsShare.Tenths), Skill: last.Skill}
		if last.Bucket != nil {
			q.After.Bucket = *last.Bucket
		}
	}
}

func sameRows(t rapid.TB, label string, got, want []api.SkillsUnmetRow) {
	if diff := gocmp.Diff(want, got, gocmp.Comparer(func(a, b figure.Count) bool { return a == b })); diff != "" {
		t.Fatalf("%s: (-want +got)\n%s", label, diff)
	}
}

// questionOf draws a question with values of the snapshot.
func questionOf(t *rapid.T, s *Snapshot) api.SkillsUnmetQuery {
	maybe := func(name string, values []string) string {
		return rapid.SampledFrom(append([]string{"", "", ""}, values...)).Draw(t, name)
	}
	q := api.SkillsUnmetQuery{
		Place: maybe("place", s.Values(api.Places)), Sector: maybe("sector", s.Values(api.Sectors)),
		SOC: maybe("soc", s.Values(api.Occupations)), Source: maybe("source", slices.Sorted(maps.Keys(s.sources))),
		Skill:  maybe("skill", s.Values(api.Skills)),
		Level:  rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3, 4, 5}).Draw(t, "level"),
		Window: rapid.SampledFrom([]int{3, 6, 12, 24}).Draw(t, "window"),
		Limit:  rapid.IntRange(1, 8).Draw(t, "limit"),
	}
	if q.Skill != "" {
		q.By = rapid.SampledFrom([]api.Breakdown{"", api.ByPlace, api.BySector, api.BySOC, api.ByLevel, api.ByMonth}).Draw(t,
			"by")
	}
	return q
}

func TestSkillsUnmetAgainstOracle(t *testing.T) {
	const asOf = "2026-11-20"
	snaptest.LimitRapidDraws(t, "33")
	contents := map[string]snaptest.Content{"default": snaptest.DefaultContent(t, asOf)}
	for seed := range drawn(3) {
		contents[fmt.Sprintf("random %d", seed)] = randomContent(t, asOf).Example(seed)
	}
	for name, content := range contents {
		t.Run(name, func(t *testing.T) {
			s, o := mountOnce(t, asOf, content), oracleOf(t, asOf, content)
			answered := 0
			// Most questions ask for what few adverts have: more are drawn until one has an answer.
			for round := 0; round == 0 || round < 10 && answered == 0; round++ {
				rapid.Check(t, func(t *rapid.T) {
					q := questionOf(t, s)
					want, sources := o.answer(q)
					answered += len(want)
					sameRows(t, fmt.Sprintf("%+v", q), walk(t, s, q, sources), want)
					page, err := s.SkillsUnmet(context.Background(), q)
					if tooFew := len(o.totals(q)) == 0; page.TooFewAdverts != tooFew {
						t.Fatalf("%+v: too few adverts match: %t, want %t", q, page.TooFewAdverts, tooFew)
					}
					if diff := gocmp.Diff(o.placed(q, want), page.Placed); diff != "" || err != nil {
						t.Fatalf("%+v: placed (-want +got)\n%s%v", q, diff, err)
					}
					q.Skill, q.Sector, q.By, q.Limit = "", "", api.BySector, len(s.Values(api.Sectors))
					page, err = s.SkillsUnmet(context.Background(), q)
					sameRows(t, fmt.Sprintf("%+v: %v", q, err), page.Rows, leading(o, q, s.NamedValues(api.Sectors)))
				})
			}
			if answered == 0 {
				t.Error("no question had an answer")
			}
		})
	}
}

// leading is the first row of the list of each sector.
func leading(o oracle, q api.SkillsUnmetQuery, sectors []api.Named) (rows []api.SkillsUnmetRow) {
	q.By = ""
	for _, n := range sectors {
		q.Sector = n.Value
		if list, _ := o.answer(q); len(list) > 0 {
			list[0].Bucket, list[0].BucketName = &n.Value, &n.Name
			rows = append(rows, list[0])
		}
	}
	return rows
}

// drawn is how many contents are drawn where the long form of a test draws so many.
func drawn(long int) int {
	if os.Getenv("LABOUR_LONG") != "" {
		return long
	}
	return 1
}

// randomContent makes few values of each kind, so that cells meet, groups fall
// under the floor and levels tie.
func randomContent(t *testing.T, asOf string) *rapid.Generator[snaptest.Content] {
	base := snaptest.DefaultContent(t, asOf)
	date, err := snapshots.ParseDate(asOf)
	if err != nil {
		t.Fatal(err)
	}
	latest := time.Date(date.Year(), date.Month(), 1, 0, 0, 0, 0, time.UTC)
	return rapid.Custom(func(t *rapid.T) snaptest.Content {
		c := base
		c.Adverts, c.AdvertsTotal = nil, nil
		places := append([]snapshots.PlacesRow{{AreaKind: snapshots.AreaKindAll}, {AreaKind: snapshots.AreaKindAll},
			{AreaKind: snapshots.AreaKindAll}}, base.Places...)
		seen := map[cell]bool{}
		for range rapid.IntRange(150, 400).Draw(t, "cells") {
			place := rapid.SampledFrom(places).Draw(t, "place")
			total := snapshots.AdvertsTotalRow{AreaKind: place.AreaKind, Place: place.Place,
				Sector: rapid.SampledFrom([]string{"", "digital", "care-services"}).Draw(t, "sector"),
				SOC:    rapid.SampledFrom([]string{"", "2134", "213", "21", "6135"}).Draw(t, "soc"),
				Source: rapid.SampledFrom([]string{"platform", "employer_boards"}).Draw(t, "source"),
				Month: latest.AddDate(0, -rapid.SampledFrom([]int{-1, 0, 2, 3, 5, 6, 11, 12, 23, 24}).Draw(t, "back"),
					0)}
			if seen[ofTotal(total)] {
				continue
			}
			seen[ofTotal(total)] = true
			total.Adverts = int32(rapid.IntRange(1, 4).Draw(t, "adverts"))
			total.InCouncil = rapid.Int32Range(0, total.Adverts).Draw(t, "in a council")
			total.InArea = rapid.Int32Range(0, total.Adverts-total.InCouncil).Draw(t, "in an area")
			drawEmployers(t, &total)
			c.AdvertsTotal = append(c.AdvertsTotal, total)
			for _, skill := range []string{"python", "sql", "site-safety"} {
				if asking := rapid.Int32Range(0, total.Adverts).Draw(t, "asking"); asking > 0 {
					level := int8(rapid.IntRange(1, 5).Draw(t, "level"))
					if skill == "site-safety" { // a licence has one level
						level = 1
					}
					c.Adverts = append(c.Adverts, snapshots.AdvertsRow{Skill: skill, Level: level,
						AreaKind: total.AreaKind, Place: total.Place, Sector: total.Sector, SOC: total.SOC,
						Source: total.Source,
						Month:  total.Month, Adverts: asking})
				}
			}
		}
		return c
	})
}

// drawEmployers gives a cell up to three employers of four, so that unions of
// cells have two about as often as three.
func drawEmployers(t *rapid.T, row *snapshots.AdvertsTotalRow) {
	employers := rapid.SliceOfNDistinct(rapid.Int32Range(1, 4), 1, int(min(row.Adverts, 3)), rapid.ID).Draw(t,
		"employers")
	row.Employer1 = employers[0]
	if len(employers) > 1 {
		row.Employer2 = &employers[1]
	}
	if len(employers) > 2 {
		row.Employer3 = &employers[2]
	}
}

// TestGroupsOfAPrefix: the groups of a prefix are those whose code begins with it, of as many digits
// or more; of a text that begins no code there are none.
func TestGroupsOfAPrefix(t *testing.T) {
	for prefix, of := range map[string]struct{ one, all span }{
		"2": {span{20001, 20001}, span{20001, 29994}}, "21": {span{21002, 21002}, span{21002, 21994}},
		"213": {span{21303, 21303}, span{21303, 21394}}, "2134": {span{21344, 21344}, span{21344, 21344}},
		"9999": {span{99994, 99994}, span{99994, 99994}}, "0": {span{0, -1}, span{0, -1}},
		"02": {span{0, -1}, span{0, -1}}, "21341": {span{0, -1}, span{0, -1}}, "2x": {span{0, -1}, span{0, -1}},
	} {
		if one, all := group(prefix), groups(prefix); one.from > one.to != (of.one.from > of.one.to) ||
			one.from <= one.to && one != of.one || all != of.all {
			t.Errorf("%q is %v, with %v; want %v, with %v", prefix, one, all, of.one, of.all)
		}
		if of.all.to >= 0 && groupOf(of.all.from) != prefix {
			t.Errorf("%q is read as %q", prefix, groupOf(of.all.from))
		}
	}
}
