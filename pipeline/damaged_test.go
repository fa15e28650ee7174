package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/pipeline/options"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestDamagedFilesAreNotTakenOver holds that no run takes a file over that is not the one that was
// sealed, though it can be read: the figures of another feed would be printed as sound.
func TestDamagedFilesAreNotTakenOver(t *testing.T) {
	other := newSmall(t)
	other.turnedDown(90)
	other.change(1)
	foreign := other.run()
	every, light := []string{options.OnlyPlatform, ""}, []string{options.OnlyPlatform}
	for table, runs := range map[string][]string{"people": every, "adverts": light, "jobs": light} {
		s := newSmall(t)
		s.turnedDown(40)
		whole := s.run()
		s.swap(whole.ID, table, other.store().SnapshotDir(foreign.ID))
		for _, only := range runs {
			s.clock = s.clock.Add(time.Hour)
			if _, err := s.runOnly(only); err == nil || !strings.Contains(err.Error(), "is damaged") {
				t.Errorf("%s, run of %q: %v", table, only, err)
			}
		}
	}
}

// swap puts a table of another snapshot in the place of a sealed one.
func (s *small) swap(id snapshots.ID, table, from string) {
	s.t.Helper()
	snaptest.MakeRemovable(s.t, s.data)
	name := snapshots.TableFileName(table)
	file := snapshots.JoinPath(s.store().SnapshotDir(id), name)
	content, err := os.ReadFile(snapshots.JoinPath(from, name))
	if err == nil {
		err = errors.Join(os.Chmod(filepath.Dir(file), 0o700), os.Remove(file), os.WriteFile(file, content, 0o600))
	}
	if err != nil {
		s.t.Fatal(err)
	}
}
