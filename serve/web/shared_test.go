package web_test

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"labour/snapshots/snaptest"
)

// whole is the run of all tests: what is made with it lasts until the last has ended.
type whole struct {
	testing.TB
	dir  string
	ends []func()
}

func (w *whole) Cleanup(end func()) { w.ends = append(w.ends, end) }

func (w *whole) TempDir() string {
	dir, err := os.MkdirTemp(w.dir, "")
	if err != nil {
		w.Fatal(err)
	}
	return dir
}

// all is the run of all tests.
var all = &whole{}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "labour-web-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	all.dir = dir
	status := m.Run()
	for _, end := range slices.Backward(all.ends) {
		end()
	}
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

var made struct {
	sync.Mutex
	data string
	site *site
}

// sampleData is a data directory with two small snapshots, or the one that dataEnv names.
// No test changes it.
func sampleData(t testing.TB) string {
	t.Helper()
	if data := os.Getenv(dataEnv); data != "" {
		return data
	}
	made.Lock()
	defer made.Unlock()
	if made.data == "" {
		all.TB = t
		data := all.TempDir()
		for _, day := range []string{"2026-11-19", "2026-11-20"} {
			snaptest.BuildSnapshot(all, data, day, snaptest.DefaultContent(t, day))
		}
		made.data = data
	}
	return made.data
}

// newSite is the pages of the sample's data, which tests share: none changes anything there.
func newSite(t testing.TB) *site {
	t.Helper()
	data := sampleData(t)
	made.Lock()
	defer made.Unlock()
	if made.site == nil {
		all.TB = t
		made.site = siteOf(all, data)
	}
	return made.site
}
