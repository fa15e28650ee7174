package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"labour/sources"
	"labour/sources/intake"
	"labour/sources/platform"
)

type feedOptions struct {
	MaxFaults int `flag:"limit" least:"0" usage:"how many refused lines to print"`
}

// feedDir opens the files of a feed in a directory, for `labour feed check`. The index file of the
// feed is generated.
type feedDir struct {
	dir   string
	index []byte
}

func (d feedDir) Open(o sources.ArchivedObject) (sources.Body, error) {
	if o.Name == platform.IndexObjectName {
		return io.NopCloser(bytes.NewReader(d.index)), nil
	}
	return os.Open(filepath.Join(d.dir, o.Name))
}

// openFeed lists the files in a directory that a fetch of the feed would read.
func openFeed(dir string) (feedDir, sources.Extract, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return feedDir{}, sources.Extract{}, fmt.Errorf("read the feed: %w", err)
	}
	names, x := []string{}, sources.Extract{Source: platform.Key,
		Objects: []sources.ArchivedObject{{Name: platform.IndexObjectName}}}
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == platform.IndexObjectName {
			continue
		}
		names, x.Objects = append(names, e.Name()), append(x.Objects, sources.ArchivedObject{Name: e.Name()})
	}
	index, err := json.Marshal(map[string][]string{"files": names})
	return feedDir{dir, index}, x, err
}

// feedTally counts the records and faults of a feed, for `labour feed check`.
type feedTally struct {
	Kinds                   []platform.Kind
	Records, Refused, Files map[platform.Kind]int64
	Faults                  []sources.Fault
	boroughs                map[string]bool
	// number of records of boroughs that are not in the feed, and of adverts of unknown origin
	Elsewhere, Unknown int64
	Limit              int // how many faults are printed at most
}

func (t *feedTally) Emit(r sources.Record) error {
	t.Records[platform.KindOfRecord(r)]++
	switch r := r.(type) {
	case sources.Borough:
		t.boroughs[r.Slug] = true
	case sources.Advert:
		if r.Origin == "" {
			t.Unknown++
		}
		for _, l := range r.Locations {
			t.place(l.Slug)
		}
	case sources.Resident:
		t.place(r.Borough)
	case sources.S106Development:
		t.place(r.Borough)
	}
	return nil
}

func (t *feedTally) place(borough string) {
	if borough != "" && !t.boroughs[borough] {
		t.Elsewhere++
	}
}

func (t *feedTally) Fault(f sources.Fault) {
	if kind, ok := platform.KindOfFile(f.Object); ok && !f.Code.IsOfUsedRecord() {
		t.Refused[kind]++
	}
	t.Faults = append(t.Faults, f)
}

// Remark records a fault in a line of the feed. The line can be used in spite of the fault.
func (t *feedTally) Remark(f sources.Fault) { t.Faults = append(t.Faults, f) }

func (a *app) checkFeed(ctx context.Context, o *feedOptions, args []string) error {
	dir := args[0]
	feed, x, err := openFeed(dir)
	if err != nil {
		return err
	}
	x.FetchedAt = a.now()
	tally := &feedTally{Kinds: platform.Kinds(), Records: map[platform.Kind]int64{}, Refused: map[platform.Kind]int64{},
		Files: map[platform.Kind]int64{}, boroughs: map[string]bool{}, Limit: o.MaxFaults}
	for _, o := range x.Objects {
		if kind, ok := platform.KindOfFile(o.Name); ok {
			tally.Files[kind]++
		}
	}
	if err := intake.ReadCleaned(ctx, platform.New(platform.Config{FeedAddress: dir}), x, feed, tally); err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if err := printText(a.stdout, "feed", tally); err != nil || len(tally.Faults) == 0 {
		return err
	}
	return fmt.Errorf("%w: the feed in %s has %s", errRefused, dir, count(len(tally.Faults), "fault"))
}
