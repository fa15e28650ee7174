package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"labour/sources"
	"labour/sources/intake"
	"labour/sources/platform"
)

type feedOptions struct {
	MaxFaults int `flag:"limit" least:"0" usage:"how many refused lines to print"`
}

// feedDir fetches the files of a feed from a directory, for `labour feed check`. It stores nothing.
type feedDir struct {
	sources.Fetcher        // nil: a whole fetch of the feed calls only the methods below
	dir             string // without a slash at its end
	list            []byte // generated list of the files, for a directory without an index.json
	extract         sources.Extract
	faults          []sources.Fault // of listed files that cannot be read
}

// openFeed lists the files in a directory. It returns an error if dir is not a directory.
func openFeed(dir string) (*feedDir, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the feed: %w", err)
	}
	names := []string{}
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	list, err := json.Marshal(map[string][]string{"files": names})
	return &feedDir{dir: strings.TrimSuffix(dir, "/"), list: list}, err
}

// Get adds a file to the extract, if it can be opened and r accepts its beginning.
func (d *feedDir) Get(_ context.Context, r sources.Request) (sources.ArchivedObject, error) {
	o := sources.ArchivedObject{Name: r.Name, URL: r.URL}
	body, err := d.Open(o)
	if err != nil {
		return o, err
	}
	defer body.Close() // opened for reading only
	head, err := bufio.NewReader(body).Peek(feedHeadBytes)
	if err != nil && err != io.EOF {
		return o, err
	}
	if err := r.Accept("", head); err != nil {
		return o, err
	}
	d.extract.Objects = append(d.extract.Objects, o)
	return o, nil
}

// feedHeadBytes is how much of a file is read to see whether it is a page of HTML.
const feedHeadBytes = 512

// Open opens a file of the feed. For the directory itself it returns the generated list.
func (d *feedDir) Open(o sources.ArchivedObject) (sources.Body, error) {
	if o.URL == d.dir {
		return io.NopCloser(bytes.NewReader(d.list)), nil
	}
	return os.Open(o.URL)
}

// MarkFailed records a fault of a listed file that cannot be read.
func (d *feedDir) MarkFailed(file string, err error) {
	d.faults = append(d.faults, sources.Fault{Source: platform.Key, Object: platform.IndexObjectName,
		Code:   sources.FaultFileMissing,
		Detail: fmt.Sprintf("lists %s, which cannot be read: %v; provide the file, or take it out of the list", file, err)})
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
	feed, err := openFeed(dir)
	if err != nil {
		return err
	}
	src := platform.New(platform.Config{FeedAddress: dir})
	if err := src.Fetch(ctx, feed); err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	x := feed.extract
	x.Source, x.FetchedAt = platform.Key, a.now()
	tally := &feedTally{Kinds: platform.Kinds(), Records: map[platform.Kind]int64{}, Refused: map[platform.Kind]int64{},
		Files: map[platform.Kind]int64{}, Faults: feed.faults, boroughs: map[string]bool{}, Limit: o.MaxFaults}
	for _, o := range x.Objects {
		if kind, ok := platform.KindOfFile(o.Name); ok {
			tally.Files[kind]++
		}
	}
	if err := intake.ReadCleaned(ctx, src, x, feed, tally); err != nil {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if err := printText(a.stdout, "feed", tally); err != nil || len(tally.Faults) == 0 {
		return err
	}
	return fmt.Errorf("%w: the feed in %s has %s", errRefused, dir, count(len(tally.Faults), "fault"))
}
