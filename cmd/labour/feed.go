package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"labour/sources"
	"labour/sources/archive"
	"labour/sources/fetching"
	"labour/sources/intake"
	"labour/sources/platform"
)

type feedOptions struct {
	MaxFaults int `flag:"limit" least:"0" usage:"how many refused lines and unlisted files to print"`
}

// feedDir reads a feed from a directory for `labour feed check`. It does not archive the files.
type feedDir struct {
	sources.Fetcher // always nil, because fetching a feed calls only methods of feedDir
	extract         sources.Extract
	faults          []sources.Fault // faults of listed files that a run would refuse
}

// Get reads a file of the feed and returns it as if it had been fetched. It returns an error if a run
// would refuse the file.
func (d *feedDir) Get(_ context.Context, r sources.Request) (sources.ArchivedObject, error) {
	o := sources.ArchivedObject{Name: r.Name, URL: r.URL}
	if err := fetching.CheckLocal(r); err != nil {
		return o, err
	}
	d.extract.Objects = append(d.extract.Objects, o)
	return o, nil
}

// Open opens a file of the feed. For the feed's directory it returns a list of the files in it.
func (d *feedDir) Open(o sources.ArchivedObject) (sources.Body, error) {
	return fetching.OpenLocal(o.URL)
}

// MarkFailed records a fault: index.json lists a file that a run would refuse.
func (d *feedDir) MarkFailed(file string, err error) {
	advice := "provide the file, or take it out of the list"
	if errors.Is(err, archive.ErrTooLarge) {
		advice = "split it into several files, and list these"
	}
	d.faults = append(d.faults, sources.Fault{Source: platform.Key, Object: platform.IndexObjectName,
		Code:   sources.FaultFileMissing,
		Detail: fmt.Sprintf("lists %s, which cannot be read: %v; %s", file, err, advice)})
}

// feedTally counts the records and faults of a feed, for `labour feed check`.
type feedTally struct {
	Kinds                   []platform.RecordKind
	Records, Refused, Files map[platform.RecordKind]int64
	Faults                  []sources.Fault
	boroughs                map[string]bool
	// number of records in boroughs that the feed lacks, and of adverts of unknown origin
	Elsewhere, Unknown int64
	Unlisted           []string // names of files in the directory that index.json does not list
	Limit              int      // largest number of faults, and of unlisted files, that are printed
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
	if kind, ok := platform.KindOfFile(f.Object); ok && !f.Code.KeepsRecord() {
		t.Refused[kind]++
	}
	t.Faults = append(t.Faults, f)
}

// Remark records the fault f in a line of the feed. A run would still use that line.
func (t *feedTally) Remark(f sources.Fault) { t.Faults = append(t.Faults, f) }

func (a *app) checkFeed(ctx context.Context, o *feedOptions, args []string) error {
	dir := args[0]
	names, err := fetching.FileNames(dir)
	if err != nil {
		return fmt.Errorf("read the feed: %w", err)
	}
	feed := &feedDir{}
	src := platform.New(platform.Config{FeedAddress: dir})
	if err := src.Fetch(ctx, feed); err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	x := feed.extract
	x.Source, x.FetchedAt = platform.Key, a.now()
	tally := &feedTally{Kinds: platform.RecordKinds(), Records: map[platform.RecordKind]int64{},
		Refused: map[platform.RecordKind]int64{}, Files: map[platform.RecordKind]int64{}, Faults: feed.faults,
		boroughs: map[string]bool{}, Limit: o.MaxFaults}
	if err := tally.countFiles(feed, names); err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if err := intake.ReadCleaned(ctx, src, x, feed, tally); err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if err := printText(a.stdout, "feed", tally); err != nil || len(tally.Faults) == 0 {
		return err
	}
	return fmt.Errorf("%w: the feed in %s has %s", errRefused, dir, count(len(tally.Faults), "fault"))
}

// countFiles counts the files of the feed by type, such as adverts. names are all files in the
// directory. Files that index.json does not list are added to Unlisted.
func (t *feedTally) countFiles(feed *feedDir, names []string) error {
	for _, o := range feed.extract.Objects {
		if kind, ok := platform.KindOfFile(o.Name); ok {
			t.Files[kind]++
		}
	}
	listed, err := platform.ListedFiles(feed, feed.extract)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name != platform.IndexObjectName && !slices.Contains(listed, name) {
			t.Unlisted = append(t.Unlisted, name)
		}
	}
	return nil
}
