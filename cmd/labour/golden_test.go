package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/sources/fakepublishers/recordedtest"
)

var update = flag.Bool("update", false, "write the golden files again")

// sameTables holds the bytes of every table and embargoed dataset of a snapshot to those
// that are kept in testdata/golden, so that no change of the pipeline alters a published
// byte unseen.
func (p *published) sameTables(id snapshots.ID, golden string) {
	p.t.Helper()
	if runtime.GOARCH != "amd64" {
		p.t.Logf("nothing is compared with testdata/golden, which was made on amd64: %s rounds sums of products otherwise",
			runtime.GOARCH)
		return
	}
	sums, err := os.ReadFile(filepath.Join(p.data, "snapshots", string(id), snapshots.SumsFileName))
	if err != nil {
		p.t.Fatal(err)
	}
	is, file := tableSums(sums), filepath.Join("testdata", "golden", golden)
	if *update {
		var b bytes.Buffer
		for _, path := range slices.Sorted(maps.Keys(is)) {
			fmt.Fprintf(&b, "%s  %s\n", is[path], path)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		p.t.Fatal(err)
	}
	was := tableSums(kept)
	var differ []string
	for path := range maps.Keys(is) {
		if was[path] != is[path] {
			differ = append(differ, path)
		}
	}
	for path := range was {
		if is[path] == "" {
			differ = append(differ, path+" (gone)")
		}
	}
	if slices.Sort(differ); len(differ) > 0 {
		p.t.Errorf("other bytes than in cmd/labour/%s:\n\t%s\nIf that is meant, `go test ./cmd/labour -run '^%s$' "+
			"-update` keeps the new ones; say in the commit which tables changed, and why",
			file, strings.Join(differ, "\n\t"), p.t.Name())
	}
}

// sameRecordedTables is sameTables for a snapshot of the recorded data, where it is the
// edition whose tables are kept.
func (p *published) sameRecordedTables(id snapshots.ID) {
	p.t.Helper()
	dir, err := recordedtest.RecordedDir()
	if err != nil {
		p.t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(dir, "MANIFEST.csv"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.t.Fatal(err)
	}
	golden := fmt.Sprintf("recorded-%.4x.sums", sha256.Sum256(list))
	if _, err := os.Stat(filepath.Join("testdata", "golden", golden)); errors.Is(err, fs.ErrNotExist) && !*update {
		p.t.Log("nothing is compared with testdata/golden, which has no tables of this edition of the recorded data")
		return
	}
	p.sameTables(id, golden)
}

// tableSums are the hashes of the tables and embargoed datasets in a list of sums, by path.
func tableSums(list []byte) map[string]string {
	sums := map[string]string{}
	for line := range strings.Lines(string(list)) {
		sum, path, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if dir, _, _ := strings.Cut(path, "/"); dir == snapshots.TablesDirName || dir == snapshots.EmbargoedDirName {
			sums[path] = sum
		}
	}
	return sums
}
