package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"labour/pipeline/options"
	"labour/pipeline/protected"
)

// TestFilesOfAKilledRunAreRemoved also by a fetch, and by a light run that fails because there is no
// snapshot. While another run builds, they are its files and stay.
func TestFilesOfAKilledRunAreRemoved(t *testing.T) {
	s := newSmall(t)
	if _, err := s.runOnly(options.OnlyPlatform); err == nil || !strings.Contains(err.Error(), "no snapshot yet") {
		t.Fatalf("a light run without a snapshot: %v", err)
	}
	fetch := func() error {
		o := *s.last
		o.IsLight = false
		_, err := Fetch(context.Background(), o)
		return err
	}
	light := func() error {
		_, err := s.runOnly(options.OnlyPlatform)
		if err == nil || !strings.Contains(err.Error(), "no snapshot yet") {
			return errors.Join(errors.New("the light run did not fail"), err)
		}
		return nil
	}
	for name, run := range map[string]func() error{"fetch": fetch, "light run": light} {
		leave := func() (dir string) {
			dir = protected.StagingDir(s.last.DataDir)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			return dir
		}
		dir := leave()
		if err := run(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the files of the killed run are left: %v", name, err)
		}
		leave()
		err := s.store().WithWriterLock(func() error { return run() })
		if err != nil {
			t.Fatalf("%s while another run builds: %v", name, err)
		}
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("%s: the files of the other run are gone: %v", name, err)
		}
	}
}
