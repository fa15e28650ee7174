package staging

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/filestest"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// A folder that exists is not staged into; a parent folder is made, and both are private.
func TestStageOfANewFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "stage")
	s, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Dir != dir {
		t.Errorf("the stage is in %s, want %s", s.Dir, dir)
	}
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if about, err := os.Stat(d); err != nil || about.Mode().Perm() != 0o700 {
			t.Errorf("%s is not private: %v, %v", d, about, err)
		}
	}
	if again, err := Create(dir); err == nil || again != nil || !strings.HasPrefix(err.Error(), "create staging: ") {
		t.Errorf("a folder that exists: %v, %v", again, err)
	}
}

// TestStageThatIsNotWhole: if one file cannot be created, there is no stage, and the other files are
// closed. Only the short names of files fit in the folder, whose path is nearly as long as it may be.
func TestStageThatIsNotWhole(t *testing.T) {
	const longest = 4095 // bytes of a path on Linux
	parent := t.TempDir()
	for len(parent) < 3900 {
		parent = filepath.Join(parent, strings.Repeat("d", 100))
	}
	left := longest - len(parent) - len("/") - len("/events.parquet")
	dir := filepath.Join(parent, strings.Repeat("d", left))
	filestest.CheckFilesClosed(t, map[string]func() error{"a stage": func() error {
		if s, err := Create(dir); err == nil || s != nil || !strings.HasPrefix(err.Error(), "stage adverts: ") {
			return fmt.Errorf("the stage is %v, %w", s, err)
		}
		return os.RemoveAll(dir)
	}})
}

// Rows are written to a file with the name, or it is an error with the name.
func TestRowsOfAFile(t *testing.T) {
	dir, rows := t.TempDir(), []AdvertArea{{Ordinal: 1, Area: "a"}, {Ordinal: 2, Area: "b"}}
	file, err := WriteRows(dir, "areas", rows)
	if err != nil || file != filepath.Join(dir, "areas.parquet") {
		t.Fatalf("the file is %s, %v", file, err)
	}
	if got, err := parquetio.ReadAll[AdvertArea](file); err != nil || !slices.Equal(got, rows) {
		t.Errorf("the rows are %+v, %v; want %+v", got, err, rows)
	}
	if file, err := WriteRows(filepath.Join(dir, "none"), "areas", rows); err == nil || file != "" ||
		!strings.HasPrefix(err.Error(), "write areas: ") {
		t.Errorf("a folder that does not exist: %q, %v", file, err)
	}
	var w *parquetio.Writer[AdvertArea]
	if err := create(&StagedFiles{Dir: filepath.Join(dir, "none")}, "areas", &w); err == nil || w != nil ||
		!strings.HasPrefix(err.Error(), "stage areas: ") {
		t.Errorf("a file that cannot be made: %v", err)
	}
}

// Every field of a piece of evidence is staged, with its order of reading.
func TestFieldsOfEvidence(t *testing.T) {
	day := sources.Date{Year: 2026, Month: 11, Day: 20}
	change, openings := 1.5, int64(7)
	one := sources.Evidence{Source: "s", ID: "i", Published: day, Title: "t", Statement: "st", Link: "l", Kind: "k",
		Signal: "g", SOC: "2231", Class: "c", Occupation: "o", RegionCode: "r", Country: "GB", BaseYear: 2025,
		HorizonYear: 2035, ChangePct: &change, Openings: &openings, Embargoed: true}
	want := Evidence{Ordinal: 1, SourceKey: "s", ID: "i", Published: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
		Title: "t", Statement: "st", Link: "l", Kind: "k", Signal: "g", SOC: "2231", Classification: "c", Occupation: "o",
		RegionCode: "r", Country: "GB", BaseYear: 2025, HorizonYear: 2035, ChangePct: &change, Openings: &openings,
		Embargoed: true}
	got := EvidenceRows([]sources.Evidence{{}, one})
	if len(got) != 2 || got[0].Ordinal != 0 || !reflect.DeepEqual(got[1], want) {
		t.Errorf("the rows are %+v, want the second as %+v", got, want)
	}
}

// Every writer of a stage writes the file of its name, which can be read once the stage is closed.
func TestEveryFileOfAStageIsWritten(t *testing.T) {
	s, err := Create(filepath.Join(t.TempDir(), "stage"))
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(s.Adverts.Append(Advert{ID: "a"}), s.AdvertPlaces.Append(AdvertPlace{CouncilCode: "b"}),
		s.AdvertAreas.Append(AdvertArea{Area: "c"}), s.AdvertSkills.Append(AdvertSkill{Skill: 1}),
		s.AdvertVacancies.Append(AdvertVacancy{CountedAs: 1}), s.Residents.Append(Resident{ID: "d"}),
		s.ResidentSkills.Append(ResidentSkill{Skill: 2}), s.Outcomes.Append(ApplicationOutcome{ApplicationID: "e"}),
		s.OutcomeSkills.Append(OutcomeSkill{Skill: 3}), s.Statistics.Append(Statistic{}), s.Jobs.Append(Job{ID: "f"}),
		s.Events.Append(snapshots.EventsRow{ID: "g"}), s.ShareableAdverts.Append(ShareableAdvert{SourceKey: "h"}),
		s.ShareablePlaces.Append(ShareablePlace{Latitude: 51}), s.Close())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"adverts", "advert_places", "advert_areas", "advert_skills", "advert_vacancies",
		"residents",
		"resident_skills", "outcomes", "outcome_skills", "statistics", "jobs", "events", "shared", "shared_places"} {
		about, err := parquetio.ReadFooter(filepath.Join(s.Dir, name+".parquet"))
		if err != nil || about.Rows != 1 {
			t.Errorf("%s has %d rows, %v; want 1", name, about.Rows, err)
		}
	}
	adverts, err := parquetio.ReadAll[Advert](filepath.Join(s.Dir, "adverts.parquet"))
	if err != nil || adverts[0].ID != "a" {
		t.Errorf("the advert is %+v, %v", adverts, err)
	}
	places, err := parquetio.ReadAll[AdvertPlace](filepath.Join(s.Dir, "advert_places.parquet"))
	if err != nil || places[0].CouncilCode != "b" {
		t.Errorf("the place is %+v, %v", places, err)
	}
}
