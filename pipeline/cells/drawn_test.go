package cells

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/pipeline/cells/engine"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// raw is a small labour market in plain Go.
type raw struct {
	adverts  []staging.Advert
	places   []staging.AdvertPlace
	wider    []staging.AdvertArea
	skills   []staging.AdvertSkill
	verdicts []staging.AdvertVacancy
	people   []staging.Resident
	held     []staging.ResidentSkill
	outcomes []outcome
	limits   engine.Limits
}

// outcome is the end of an application for one skill that was asked for.
type outcome struct {
	staging.ApplicationOutcome
	staging.OutcomeSkill
}

var boroughs = []snapshots.PlacesRow{{Place: "camden", Code: "E1"}, {Place: "hackney", Code: "E2"},
	{Place: "islington", Code: "E3"}}

var members = []snapshots.PlaceMembersRow{{Area: "north", Borough: "camden"}, {Area: "north", Borough: "islington"},
	{Area: "all-three", Borough: "camden"},
	{Area: "all-three", Borough: "hackney"}, {Area: "all-three", Borough: "islington"}}

var skillList = []string{"care", "english", "python"}

var register = []Skill{{"care", 2}, {"english", 3}, {"python", 4}}

func draw(t *rapid.T) raw {
	var r raw
	pick := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	n := rapid.IntRange(1, 25).Draw(t, "adverts")
	for i := range n {
		r.adverts = append(r.adverts, staging.Advert{Ordinal: int32(i), ID: fmt.Sprint("a", i),
			Source:      pick("source", "platform", "platform", "employer_boards"),
			Precedence:  rapid.Int32Range(0, 1).Draw(t, "precedence"),
			FirstSource: pick("first posted", "platform", "platform", "employer_boards"),
			Sector:      pick("sector", "", "care", "digital"), SOC: pick("soc", "", "2134", "6135", "213"),
			Employer: pick("employer", "", "x", "y", "z", "w"),
			Posted:   asOf.AddDate(0, 0, -rapid.IntRange(0, 700).Draw(t, "age")),
			Readable: rapid.IntRange(0, 4).Draw(t, "readable") > 0})
		as, applied := int32(i), int32(-1)
		switch rapid.IntRange(0, 5).Draw(t, "verdict") {
		case 0: // excluded; people may count for it or for what stands for it all the same
			if as = -1; rapid.Bool().Draw(t, "old") {
				applied = int32(i)
				for j := range i {
					if r.verdicts[j].AppliedAs == int32(j) && rapid.Bool().Draw(t, "one vacancy") {
						applied = int32(j)
					}
				}
			}
		case 1: // a duplicate of an earlier advert that is counted
			for j := range i {
				if r.verdicts[j].CountedAs == int32(j) {
					as = int32(j)
				}
			}
		}
		r.verdicts = append(r.verdicts, staging.AdvertVacancy{Ordinal: int32(i), CountedAs: as, AppliedAs: max(as, applied)})
		for _, code := range []string{"E1", "E2", "E3", "E9"} {
			if rapid.IntRange(0, 3).Draw(t, code) == 0 {
				r.places = append(r.places, staging.AdvertPlace{Ordinal: int32(i), CouncilCode: code, IsCertain: true})
				r.adverts[i].PlacePrecision = 2
			}
		}
		if r.adverts[i].PlacePrecision == 0 {
			drawWider(t, &r, i)
		}
		for k, s := range skillList {
			if rapid.Bool().Draw(t, s) && r.adverts[i].Readable {
				r.skills = append(r.skills, staging.AdvertSkill{Ordinal: int32(i), Skill: int16(k),
					Level: int8(rapid.IntRange(0, 5).Draw(t, "level"))})
			}
		}
	}
	drawPeople(t, &r, n)
	return r
}

// drawWider draws an advert whose council is not known: in an area, or in one of several
// councils.
func drawWider(t *rapid.T, r *raw, i int) {
	if rapid.Bool().Draw(t, "ambiguous") {
		for _, code := range []string{"E1", "E2"} {
			r.places = append(r.places, staging.AdvertPlace{Ordinal: int32(i), CouncilCode: code})
		}
		r.adverts[i].PlacePrecision = 1
	}
	if area := rapid.SampledFrom([]string{"", "north", "all-three"}).Draw(t, "area"); area != "" {
		r.wider = append(r.wider, staging.AdvertArea{Ordinal: int32(i), Area: area})
		r.adverts[i].PlacePrecision = 1
	}
}

func drawPeople(t *rapid.T, r *raw, adverts int) {
	for i := range rapid.IntRange(0, 12).Draw(t, "residents") {
		r.people = append(r.people, staging.Resident{Ordinal: int32(i), ID: fmt.Sprint("r", i),
			Borough:      rapid.SampledFrom([]string{"camden", "hackney", "islington", "elsewhere"}).Draw(t, "borough"),
			SeekingWork:  rapid.Bool().Draw(t, "seeks work"),
			SectorSought: rapid.SampledFrom([]string{"", "care", "digital"}).Draw(t, "sector sought")})
		for k := range skillList {
			if level := rapid.IntRange(0, 5).Draw(t, "held"); level > 0 {
				r.held = append(r.held, staging.ResidentSkill{Resident: int32(i), Skill: int16(k), Level: int8(level)})
			}
		}
	}
	for i := range rapid.IntRange(0, 40).Draw(t, "applications") {
		hired := rapid.Bool().Draw(t, "hired")
		recorded := peopleTo.Add(24*time.Hour-time.Second).AddDate(0, 0, 40-rapid.IntRange(0, 800).Draw(t, "recorded"))
		o := outcome{ApplicationOutcome: staging.ApplicationOutcome{Ordinal: int32(i), ApplicationID: fmt.Sprintf("p%03d", i),
			ResidentID: fmt.Sprint("r", rapid.IntRange(0, 14).Draw(t, "who")),
			AdvertID:   fmt.Sprint("a", rapid.IntRange(0, adverts).Draw(t, "which")), Hired: hired,
			RecordedMicros: recorded.UnixMicro(),
			Day:            recorded.Truncate(24 * time.Hour)}}
		if rapid.IntRange(0, 9).Draw(t, "another zone") == 0 {
			o.Day = o.Day.AddDate(0, 0, 1)
		}
		for k := range skillList {
			if rapid.Bool().Draw(t, "asked") {
				o.OutcomeSkill.Outcome, o.Skill, o.RequiredLevel = int32(i), int16(k),
					int8(rapid.IntRange(1, 5).Draw(t, "asked level"))
				o.RecordedLevel = int8(rapid.IntRange(0, 5).Draw(t, "held level"))
				o.TurnedDownFor = !hired && o.RecordedLevel < o.RequiredLevel && rapid.Bool().Draw(t, "reason")
				r.outcomes = append(r.outcomes, o)
			}
		}
	}
}

// stage writes r and opens its cells, on a cluster unless it is nil.
func (r raw) stage(t testing.TB, dir string, cluster engine.Engine) *QueryRunner {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.RemoveAll(filepath.Join(dir, "staging")))
	s, err := staging.Create(filepath.Join(dir, "staging"))
	must(err)
	for _, x := range r.adverts {
		must(s.Adverts.Append(x))
	}
	for _, x := range r.places {
		must(s.AdvertPlaces.Append(x))
	}
	for _, x := range r.wider {
		must(s.AdvertAreas.Append(x))
	}
	for _, x := range r.skills {
		must(s.AdvertSkills.Append(x))
	}
	for _, x := range r.verdicts {
		must(s.AdvertVacancies.Append(x))
	}
	for _, x := range r.people {
		must(s.Residents.Append(x))
	}
	for _, x := range r.held {
		must(s.ResidentSkills.Append(x))
	}
	for i, x := range r.outcomes {
		if i == 0 || x.Ordinal != r.outcomes[i-1].Ordinal {
			must(s.Outcomes.Append(x.ApplicationOutcome))
		}
		must(s.OutcomeSkills.Append(x.OutcomeSkill))
	}
	must(s.Close())
	e, err := OpenQueryRunner(context.Background(), s.Dir, QueryInputs{AsOf: asOf, PeopleFirstDay: peopleFrom,
		PeopleLastDay: peopleTo,
		Boroughs:      boroughs, PlaceMembers: members, Skills: register}, r.limits, cluster)
	must(err)
	return e
}

func ask[T any](t testing.TB, e *QueryRunner, dir string, q QueryName) []T {
	t.Helper()
	file := filepath.Join(dir, string(q)+".parquet")
	if err := e.WriteResult(context.Background(), q, file); err != nil {
		t.Fatal(err)
	}
	rows, err := parquetio.ReadAll[T](file)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// advertRows makes the table adverts of an answer that later questions read.
func advertRows(t testing.TB, e *QueryRunner, dir string) []snapshots.AdvertsRow {
	t.Helper()
	answer, file := filepath.Join(dir, "cells.parquet"), filepath.Join(dir, "adverts.parquet")
	if err := e.WriteResult(context.Background(), QueryAdverts, answer); err != nil {
		t.Fatal(err)
	}
	table, _ := snapshots.FindTable(string(QueryAdverts))
	if _, err := parquetio.ImportTable(file, table, nil, asOf, answer); err != nil {
		t.Fatal(err)
	}
	rows, err := parquetio.ReadAll[snapshots.AdvertsRow](file)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// areas are the nodes of the place tree in which adverts of a vacancy are.
func (r raw) areas(adverts []int32) map[[2]string]bool {
	in := map[[2]string]bool{{"all", ""}: true}
	for _, w := range r.wider {
		if slices.Contains(adverts, w.Ordinal) {
			in[[2]string{"area", w.Area}] = true
		}
	}
	for _, p := range r.places {
		if !slices.Contains(adverts, p.Ordinal) || !p.IsCertain && r.settled(p.Ordinal) != p.CouncilCode {
			continue
		}
		for _, b := range boroughs {
			if b.Code == p.CouncilCode {
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

// appliedAreas are the areas of a vacancy that people are counted by: of one that is older than the
// counted ones only the boroughs matter.
func (r raw) appliedAreas(ordinal int32) map[[2]string]bool {
	for _, c := range r.counted() {
		if c.Ordinal == ordinal {
			return r.areas(c.adverts)
		}
	}
	in := map[[2]string]bool{}
	for _, p := range r.places {
		if r.verdicts[p.Ordinal].AppliedAs != ordinal || !p.IsCertain && r.settled(p.Ordinal) != p.CouncilCode {
			continue
		}
		for _, b := range boroughs {
			if b.Code == p.CouncilCode {
				in[[2]string{"borough", b.Place}] = true
			}
		}
	}
	return in
}

// settled is the council of an ambiguous advert in which its employer has other
// adverts, if it has none in the other one.
func (r raw) settled(ordinal int32) (code string) {
	employer := r.adverts[ordinal].Employer
	for _, maybe := range r.places {
		if maybe.Ordinal != ordinal || maybe.IsCertain || employer == "" {
			continue
		}
		if slices.ContainsFunc(r.places, func(p staging.AdvertPlace) bool {
			return p.IsCertain && p.CouncilCode == maybe.CouncilCode && r.adverts[p.Ordinal].Employer == employer
		}) {
			if code != "" {
				return ""
			}
			code = maybe.CouncilCode
		}
	}
	return code
}

// placed is how exactly the place of adverts of a vacancy is known: 2 in a council, 1 in
// an area, 0 not.
func (r raw) placed(adverts []int32) (placed int8) {
	for _, i := range adverts {
		placed = max(placed, r.adverts[i].PlacePrecision)
		if r.settled(i) != "" {
			placed = 2
		}
	}
	return placed
}

func monthOf(t time.Time) string { return t.Format("2006-01") }
