package staging

import (
	"os"
	"slices"
	"testing"

	"labour/snapshots"
)

// The staged columns of a live advert have the types of the table jobs.
func TestColumnsAreThoseOfTheTable(t *testing.T) {
	jobs, _ := snapshots.FindTable("jobs")
	for _, c := range snapshots.ColumnsOf[Job]() {
		if c.Name == "ordinal" || c.Name == "precedence" {
			continue
		}
		if !slices.Contains(snapshots.WithoutDescriptions(jobs.Columns), c) {
			t.Errorf("jobs: %+v", c)
		}
	}
}

// A stage that was not made whole is closed without an error of its own.
func TestStageOfEveryFile(t *testing.T) {
	s, err := Create(t.TempDir() + "/stage")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := new(StagedFiles).Close(); err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(s.Dir); len(files) != 14 || err != nil {
		t.Errorf("%v, %v", files, err)
	}
}
