package sandbox

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"labour/sources"
)

// WriteFeed writes the platform's feed into the directory dir, and creates dir if necessary. It
// replaces existing files with the same names. sources/platform/FEED.md describes the feed.
func (w *World) WriteFeed(dir string) error {
	f := &feed{dir: dir, files: map[string]*ndjson{}, err: os.MkdirAll(dir, 0o755)}
	for _, write := range []func(*feed){w.writeBoroughs, w.writeAdverts, w.writeResidents, w.writeApplications,
		w.writePathways, w.writeDevelopments} {
		write(f)
	}
	if err := f.close(); err != nil {
		return fmt.Errorf("write feed: %w", err)
	}
	return nil
}

// feed holds the open files of the platform's feed.
type feed struct {
	dir   string
	files map[string]*ndjson
	err   error // first error; after it nothing is written
}

// ndjson is an open file with one JSON object on each line.
type ndjson struct {
	*json.Encoder
	close func() error
}

// put appends a record to the named file of the feed. It creates the file if necessary.
func (f *feed) put(name string, record any) {
	if f.err == nil && f.files[name] == nil {
		f.files[name], f.err = create(filepath.Join(f.dir, name))
	}
	if f.err == nil {
		f.err = f.files[name].Encode(record)
	}
}

// create creates a file of the feed. It compresses the file if its name ends in .zst.
func create(path string) (*ndjson, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriterSize(file, 64<<10)
	n := &ndjson{json.NewEncoder(buf), func() error { return errors.Join(buf.Flush(), file.Close()) }}
	if filepath.Ext(path) == ".zst" {
		// Each file has one goroutine and a small window, because the files of about 25 months are
		// open at once.
		zip, err := zstd.NewWriter(buf, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(512<<10), zstd.WithLowerEncoderMem(true))
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		n = &ndjson{json.NewEncoder(zip), func() error { return errors.Join(zip.Close(), buf.Flush(), file.Close()) }}
	}
	n.SetEscapeHTML(false)
	return n, nil
}

// close closes every file of the feed.
func (f *feed) close() error {
	errs := []error{f.err}
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		if n := f.files[name]; n != nil {
			if err := n.close(); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", name, err))
			}
		}
	}
	return errors.Join(errs...)
}

func (w *World) writeBoroughs(f *feed) {
	for i := range w.lists.boroughs {
		b := w.borough(i)
		f.put("boroughs.ndjson", map[string]string{"slug": b.slug, "name": b.name, "code": b.code})
	}
}

// writeResidents writes the residents to the feed in a random order, which discloses nothing about
// them.
func (w *World) writeResidents(f *feed) {
	for _, i := range w.rng(streamResidents).Perm(w.size.Residents) {
		r := w.resident(i)
		f.put("residents.ndjson.zst", sources.Resident{ID: r.id, Borough: w.borough(r.borough).slug,
			SeekingWork: r.seeking, SectorSought: r.sought, Skills: w.residentSkills(r)})
	}
}

// writeApplications writes the applications to one file per month, and then the events. It
// generates each application when it writes it, to save memory.
func (w *World) writeApplications(f *feed) {
	events, number := w.advertEvents(), 0
	for v, a := range w.applications() {
		if number++; number%eventsEach == 0 {
			events = append(events, w.applicationEvents(v, a, partners[number/eventsEach%len(partners)])...)
		}
		f.put("applications-"+a.AppliedAt.Format("2006-01")+".ndjson.zst", a)
	}
	slices.SortStableFunc(events, func(a, b sources.Event) int {
		return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), strings.Compare(a.Advert, b.Advert),
			strings.Compare(a.Type, b.Type))
	})
	for i, e := range events {
		e.ID = fmt.Sprintf("ev-%06d", i+1)
		f.put("events.ndjson", e)
	}
}

// PartnerName is the name of the made-up partner with the most events. An API key of a partner with
// this name can read the events.
const PartnerName = "sandbox"

// partners are the made-up partners through which residents apply. Applications are assigned to
// them in turn.
var partners = []string{PartnerName, "north-works", PartnerName, "riverside-jobs"}

const (
	// eventDays is the age of the oldest events in the feed, in days.
	eventDays = 30
	// eventsEach sets the frequency of events: one in eventsEach applications has events.
	eventsEach = 6
)

// applicationEvents returns the events of one application: the click, the application and its outcome. It
// leaves out events that are too old. partner is the partner through which the resident applied.
func (w *World) applicationEvents(v *vacancy, a *sources.Application, partner string) []sources.Event {
	click := w.event(v, "click.recorded", a.AppliedAt.Add(-7*time.Minute))
	click.Partner = partner
	created, recorded := click, click
	created.Type, created.OccurredAt = "application.created", a.AppliedAt
	// Without an outcome, RecordedAt is zero, so the event is too old and is left out.
	recorded.Type = "outcome.recorded"
	recorded.OccurredAt = a.RecordedAt
	recorded.Outcome = a.Outcome
	return slices.DeleteFunc([]sources.Event{click, created, recorded}, w.tooOld)
}

func (w *World) tooOld(e sources.Event) bool {
	return e.OccurredAt.Before(w.asOf.AddDays(-eventDays).Time())
}

// advertEvents returns the events for new adverts, which every partner may see.
func (w *World) advertEvents() []sources.Event {
	var events []sources.Event
	for i := range w.adverts.own {
		v := w.vacancy(i)
		e := w.event(v, "opportunity.published", v.postingDay.Time().Add(7*time.Hour))
		if !v.unlisted && v.postingDay.Before(w.asOf) && !w.tooOld(e) {
			events = append(events, e)
		}
	}
	return events
}

func (w *World) event(v *vacancy, kind string, at time.Time) sources.Event {
	e := sources.Event{Type: kind, OccurredAt: at, Advert: v.id}
	if len(v.boroughs) > 0 {
		e.Borough = w.borough(v.boroughs[0]).slug
	}
	return e
}
