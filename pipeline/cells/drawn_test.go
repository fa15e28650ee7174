package cells

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// raw is a small labour market in plain Go.
type raw struct {
	adverts  []staging.Advert
	places   []staging.AdvertPlace
	skills   []staging.AdvertSkill
	verdicts []staging.Verdict
	people   []staging.Resident
	held     []staging.ResidentSkill
	outcomes []outcome
}

// outcome is the end of an application for one skill that was asked for.
type outcome struct {
	staging.Outcome
	staging.OutcomeSkill
}

var boroughs = []Borough{{"camden", "E1"}, {"hackney", "E2"}, {"islington", "E3"}}

var members = []Member{{"north", "camden"}, {"north", "islington"}, {"all-three", "camden"}, {"all-three", "hackney"}, {"all-three", "islington"}}

var skillList = []Skill{{"care", 2}, {"english", 4}, {"python", 3}}

func draw(t *rapid.T) raw {
	var r raw
	pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	n := rapid.IntRange(1, 25).Draw(t, "adverts")
	for i := range n {
		r.adverts = append(r.adverts, staging.Advert{Ordinal: int32(i), ID: fmt.Sprint("a", i), Source: pick("source", "platform", "platform", "employer_boards"),
			Sector: pick("sector", "", "care", "digital"), SOC: pick("soc", "", "2134", "6135"), Employer: pick("employer", "", "x", "y", "z", "w"),
			Posted: asOf.AddDate(0, 0, -rapid.IntRange(0, 700).Draw(t, "age"))})
		as := int32(i)
		switch rapid.IntRange(0, 5).Draw(t, "verdict") {
		case 0:
			as = -1
		case 1: // a duplicate of an earlier advert that is counted
			for j := range i {
				if r.verdicts[j].CountedAs == int32(j) {
					as = int32(j)
				}
			}
		}
		r.verdicts = append(r.verdicts, staging.Verdict{Ordinal: int32(i), CountedAs: as})
		for _, code := range []string{"E1", "E2", "E3", "E9"} {
			if rapid.IntRange(0, 3).Draw(t, code) == 0 {
				r.places = append(r.places, staging.AdvertPlace{Ordinal: int32(i), Code: code})
			}
		}
		for k, s := range skillList {
			if rapid.Bool().Draw(t, s.Skill) {
				r.skills = append(r.skills, staging.AdvertSkill{Ordinal: int32(i), Skill: int16(k), Level: int8(rapid.IntRange(0, 5).Draw(t, "level"))})
			}
		}
	}
	drawPeople(t, &r, n)
	return r
}

func drawPeople(t *rapid.T, r *raw, adverts int) {
	for i := range rapid.IntRange(0, 12).Draw(t, "residents") {
		r.people = append(r.people, staging.Resident{Ordinal: int32(i), ID: fmt.Sprint("r", i), Borough: rapid.SampledFrom([]string{"camden", "hackney", "islington", "elsewhere"}).Draw(t, "borough")})
		for k := range skillList {
			if level := rapid.IntRange(0, 5).Draw(t, "held"); level > 0 {
				r.held = append(r.held, staging.ResidentSkill{Resident: int32(i), Skill: int16(k), Level: int8(level)})
			}
		}
	}
	for i := range rapid.IntRange(0, 40).Draw(t, "applications") {
		hired := rapid.Bool().Draw(t, "hired")
		recorded := peopleAsOf.Add(24*time.Hour-time.Second).AddDate(0, 0, 40-rapid.IntRange(0, 800).Draw(t, "recorded"))
		o := outcome{Outcome: staging.Outcome{Ordinal: int32(i), Application: fmt.Sprintf("p%03d", i), Resident: fmt.Sprint("r", rapid.IntRange(0, 14).Draw(t, "who")),
			Advert: fmt.Sprint("a", rapid.IntRange(0, adverts).Draw(t, "which")), Hired: hired, RecordedAt: recorded}}
		for k := range skillList {
			if rapid.Bool().Draw(t, "asked") {
				o.OutcomeSkill.Outcome, o.Skill, o.AskedLevel = int32(i), int16(k), int8(rapid.IntRange(1, 5).Draw(t, "asked level"))
				o.HeldLevel = int8(rapid.IntRange(0, 5).Draw(t, "held level"))
				o.TurnedDownFor = !hired && o.HeldLevel < o.AskedLevel && rapid.Bool().Draw(t, "reason")
				r.outcomes = append(r.outcomes, o)
			}
		}
	}
}

// stage writes r and opens an engine over it.
func (r raw) stage(t testing.TB, dir string) *Engine {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := staging.Create(filepath.Join(dir, "staging"))
	must(err)
	for _, x := range r.adverts {
		must(s.Adverts.Append(x))
	}
	for _, x := range r.places {
		must(s.AdvertPlaces.Append(x))
	}
	for _, x := range r.skills {
		must(s.AdvertSkills.Append(x))
	}
	for _, x := range r.verdicts {
		must(s.Verdicts.Append(x))
	}
	for _, x := range r.people {
		must(s.Residents.Append(x))
	}
	for _, x := range r.held {
		must(s.ResidentSkills.Append(x))
	}
	for i, x := range r.outcomes {
		if i == 0 || x.Ordinal != r.outcomes[i-1].Ordinal {
			must(s.Outcomes.Append(x.Outcome))
		}
		must(s.OutcomeSkills.Append(x.OutcomeSkill))
	}
	must(s.Close())
	e, err := Open(context.Background(), s.Dir, Inputs{AsOf: asOf, PeopleAsOf: peopleAsOf, Boroughs: boroughs, Members: members, Skills: skillList}, Limits{})
	must(err)
	e.partRows = int64(len(r.outcomes) / 2) // so that people are counted in several parts
	return e
}

func ask[T any](t testing.TB, e *Engine, dir string, q Question) []T {
	t.Helper()
	file := filepath.Join(dir, string(q)+".parquet")
	if err := e.Write(context.Background(), q, file); err != nil {
		t.Fatal(err)
	}
	rows, err := parquetio.ReadAll[T](file)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// advertRows makes the table adverts, which later questions read.
func advertRows(t testing.TB, e *Engine, dir string) []snapshots.AdvertsRow {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, answer, table := context.Background(), filepath.Join(dir, "cells.parquet"), filepath.Join(dir, "adverts.parquet")
	must(e.Write(ctx, Adverts, answer))
	names, err := e.AdvertNames(ctx)
	must(err)
	n, err := names.Table(ctx, table, nil, asOf, answer)
	must(err)
	must(e.Show(ctx, string(Adverts), table))
	rows, err := parquetio.ReadAll[snapshots.AdvertsRow](table)
	must(err)
	if int64(len(rows)) != n {
		t.Fatalf("%d rows of %d", len(rows), n)
	}
	return rows
}

// areas are the nodes of the place tree in which a counted vacancy is.
func (r raw) areas(ordinal int32) map[[2]string]bool {
	in := map[[2]string]bool{{"all", ""}: true}
	for _, p := range r.places {
		if r.verdicts[p.Ordinal].CountedAs != ordinal {
			continue
		}
		for _, b := range boroughs {
			if b.Code == p.Code {
				in[[2]string{"borough", b.Place}] = true
				for _, m := range members {
					if m.Borough == b.Place {
						in[[2]string{"area", m.Area}] = true
					}
				}
			}
		}
	}
	return in
}

func (r raw) counted() []staging.Advert {
	var out []staging.Advert
	for i, a := range r.adverts {
		if r.verdicts[i].CountedAs == int32(i) {
			out = append(out, a)
		}
	}
	return out
}

func monthOf(t time.Time) string { return t.Format("2006-01") }
