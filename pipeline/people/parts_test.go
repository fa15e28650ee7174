package people

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/sources"
)

// A person or an advert without a sector or a source counts under no sector and no source.
func TestUnknownValuesAreNoFilter(t *testing.T) {
	in, dir := world(t), t.TempDir()
	rows := events()
	for i := range rows {
		if rows[i].Person%2 == 1 {
			rows[i].Sector, rows[i].Source, rows[i].SOC, rows[i].Level = "", "", "", 0
		}
	}
	in.QueryResults.People = answer(t, dir, "people", rows)
	// 12 were turned down for the lack of care, 6 of them with an odd number.
	_, people := built(t, in)
	want := []string{"care level  2 6 null null\n", "care none   12 25 50\n", "care place camden  12 25 50\n",
		"care place_level camden 2 6 null null\n", "care sector  care 6 null null\n", "care source  platform 6 null null\n"}
	if !slices.Equal(people, want) {
		t.Errorf("people\n%q, want\n%q", people, want)
	}
}

// All residents are part of nothing: few of them print as "<5", and all parts of them are null.
func TestFewResidentsOfAll(t *testing.T) {
	for _, tt := range []struct {
		all, seeking int64
		want         string
	}{
		{3, 2, "all <5, seeking_work null, sector_sought care null"},
		{5, 0, "all 5, seeking_work null, sector_sought care null"},
		{10, 10, "all 10, seeking_work 10, sector_sought care null"},
		{25, 5, "all 25, seeking_work 5, sector_sought care null"},
		{25, 20, "all 25, seeking_work 20, sector_sought care <5"},
		{0, 0, "all 0, seeking_work 0, sector_sought care 0"},
	} {
		cell := func(dimension, value string) candidateCell { return candidateCell{dimension, value} }
		truth := map[candidateCell]disclosure.TrueCount{
			cell(snapshots.CandidatesTotal, ""):        {People: tt.all},
			cell(snapshots.CandidatesSeekingWork, ""):  {People: tt.seeking},
			cell(snapshots.CandidatesBySector, "care"): {People: min(1, tt.seeking)},
		}
		var got []string
		care := []candidateCell{cell(snapshots.CandidatesBySector, "care")}
		for _, r := range candidates(disclosure.ProtectionRounded, truth, care) {
			printed := "null"
			if c, err := r.Count(); err == nil && c.Status() != figure.StatusNotPublished {
				printed = c.String()
			}
			got = append(got, strings.TrimSpace(r.Dimension+" "+r.Value)+" "+printed)
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("%d residents, %d seek work: %s, want %s", tt.all, tt.seeking, text, tt.want)
		}
	}
}

// A site counts from one job on; one that says less than none counts for nothing.
func TestSmallSites(t *testing.T) {
	in := world(t)
	site := func(id string, jobs, started, employed int) sources.S106Development {
		return sources.S106Development{ID: id, Borough: "camden", JobsCreated: jobs, ApprenticeshipsStarted: started,
			LocalPeopleEmployed: employed}
	}
	for _, tt := range []struct {
		sites []sources.S106Development
		want  string
	}{
		{[]sources.S106Development{site("a", 1, 0, 0)}, "<5 0 0"},
		{[]sources.S106Development{site("a", 4, 1, 0), site("b", 1, 0, -7)}, "5 <5 0"},
		{[]sources.S106Development{site("a", 9, 9, 1), site("b", -4, -9, 4)}, "9 9 5"},
	} {
		in.Developments = tt.sites
		row := s106(&disclosure.Rules{Protection: disclosure.ProtectionUnrounded, Places: in.Places}, &in)[1]
		jobs, err1 := figure.ParseCount(row.JobsCreated, row.JobsCreatedStatus)
		started, err2 := figure.ParseCount(row.ApprenticeshipsStarted, row.ApprenticeshipsStartedStatus)
		employed, err3 := figure.ParseCount(row.LocalPeopleEmployed, row.LocalPeopleEmployedStatus)
		got, err := fmt.Sprint(jobs, started, employed), errors.Join(err1, err2, err3)
		if err != nil || got != tt.want || row.Place != "camden" {
			t.Errorf("%+v print %s in %s, want %s", tt.sites, got, row.Place, tt.want)
		}
	}
}

// Where a number of people is hidden, so is a small number of jobs: nobody works where there is no job.
func TestJobsDoNotTellHiddenPeople(t *testing.T) {
	in := world(t)
	for camden, want := range map[sources.S106Development]string{
		{JobsCreated: 30, LocalPeopleEmployed: 3}:  "camden 30 0 null, hackney null 0 null",
		{JobsCreated: 30, LocalPeopleEmployed: 20}: "camden 30 0 20, hackney 0 0 0",
		{JobsCreated: 10, LocalPeopleEmployed: 3}:  "camden 10 0 null, hackney null 0 null",
		{JobsCreated: 5, LocalPeopleEmployed: 3}:   "camden null 0 null, hackney null 0 null",
	} {
		camden.ID, camden.Borough = "a", "camden"
		in.Developments = []sources.S106Development{camden, {ID: "b", Borough: "islington", JobsCreated: 40}}
		var got []string
		for _, row := range s106(&disclosure.Rules{Protection: disclosure.ProtectionRounded, Places: in.Places}, &in) {
			if row.Place == "camden" || row.Place == "hackney" {
				jobs, err1 := figure.ParseCount(row.JobsCreated, row.JobsCreatedStatus)
				started, err2 := figure.ParseCount(row.ApprenticeshipsStarted, row.ApprenticeshipsStartedStatus)
				employed, err3 := figure.ParseCount(row.LocalPeopleEmployed, row.LocalPeopleEmployedStatus)
				if err := errors.Join(err1, err2, err3); err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprint(row.Place, " ", jobs, " ", started, " ", employed))
			}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%d jobs and %d people: %s, want %s", camden.JobsCreated, camden.LocalPeopleEmployed, text, want)
		}
	}
}

// A row that cannot be read, and a caller that fails, end the reading of a skill.
func TestRowsThatCannotBeRead(t *testing.T) {
	damaged, full := errors.New("the file is damaged"), errors.New("the disk is full")
	reader := func() *skillRows[requirementRow] {
		read := 0
		r := &skillRows[requirementRow]{skill: func(a *requirementRow) string { return a.Skill }, stop: func() {}}
		r.next = func() (requirementRow, error, bool) {
			if read++; read > 2 {
				return requirementRow{}, damaged, true
			}
			return requirementRow{Skill: "care", Level: int8(read)}, nil, true
		}
		if err := r.advance(); err != nil {
			t.Fatal(err)
		}
		return r
	}
	levels := []int8{}
	note := func(a *requirementRow) error {
		levels = append(levels, a.Level)
		return nil
	}
	r := reader()
	if err := r.forEach("care", note); !errors.Is(err, damaged) || !slices.Equal(levels, []int8{1, 2}) {
		t.Errorf("read the levels %d, %v", levels, err)
	}
	if err := r.forEach("care", note); err != nil || len(levels) != 2 {
		t.Errorf("read again: the levels %d, %v", levels, err)
	}
	if err := reader().forEach("care", func(*requirementRow) error { return full }); !errors.Is(err, full) {
		t.Errorf("a caller that fails: %v", err)
	}
}
