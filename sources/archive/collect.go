package archive

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Collected is what Collect found.
type Collected struct {
	Kept, Removed           int   // bodies
	KeptBytes, RemovedBytes int64 // on disk, compressed
}

// Collect removes the bodies that needed says no to, and nothing else: the records
// of their downloads stay. The last body of every object is always kept, since a
// publisher that says "unchanged" means that one. dry removes nothing. It is the
// one way in which bytes ever leave the archive; ErrBusy while a run writes to it.
func (a *Archive) Collect(needed func(sha string) bool, dry bool) (Collected, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var c Collected
	if a.locks[""] != nil {
		return c, fmt.Errorf("collect archived bodies: %w", ErrBusy)
	}
	if err := a.take("", "lock", unix.LOCK_EX); err != nil {
		return c, err
	}
	last, err := a.lastBodies()
	if err != nil {
		return c, fmt.Errorf("collect archived bodies: %w", err)
	}
	err = filepath.WalkDir(filepath.Join(a.dir, "sha256"), func(path string, e fs.DirEntry, err error) error {
		sha, isBody := strings.CutSuffix(filepath.Base(path), ".zst")
		if err != nil || e.IsDir() || !isBody {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if last[sha] || needed(sha) {
			c.Kept, c.KeptBytes = c.Kept+1, c.KeptBytes+info.Size()
			return nil
		}
		c.Removed, c.RemovedBytes = c.Removed+1, c.RemovedBytes+info.Size()
		if dry {
			return nil
		}
		return os.Remove(path)
	})
	if err != nil {
		return c, fmt.Errorf("collect archived bodies: %w", err)
	}
	return c, nil
}

// lastBodies are the bodies that a publisher means who answers "unchanged".
func (a *Archive) lastBodies() (map[string]bool, error) {
	keys, err := a.Sources()
	if err != nil {
		return nil, err
	}
	bodies := map[string]bool{}
	for _, source := range keys {
		last, err := a.lastOf(source)
		if err != nil {
			return nil, err
		}
		for _, f := range last {
			bodies[f.SHA256] = true
		}
	}
	return bodies, nil
}

// Sources are the keys of the sources that have an extract, sorted.
func (a *Archive) Sources() ([]string, error) {
	files, err := os.ReadDir(filepath.Join(a.dir, extracts))
	if err != nil {
		return nil, fmt.Errorf("list the sources of the archive: %w", err)
	}
	var keys []string
	for _, f := range files {
		if key, ok := strings.CutSuffix(f.Name(), suffix); ok {
			keys = append(keys, key)
		}
	}
	return keys, nil
}
