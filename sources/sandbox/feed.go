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

// WriteFeed writes the platform's feed into dir, which is made when it is not
// there: NDJSON files as sources/platform/FEED.md says, adverts and applications by
// month and compressed. Files of the same names are replaced.
func (w *World) WriteFeed(dir string) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write feed: %w", err)
	}
	f := &feed{dir: dir, files: map[string]*ndjson{}}
	defer func() {
		if cerr := f.close(); err == nil && cerr != nil {
			err = cerr
		}
		if err != nil {
			err = fmt.Errorf("write feed: %w", err)
		}
	}()
	for _, part := range []func(*feed) error{w.writeBoroughs, w.writeAdverts, w.writeResidents, w.writeApplications,
		w.writePathways, w.writeDevelopments} {
		if err := part(f); err != nil {
			return err
		}
	}
	return nil
}

// feed is the files that are being written.
type feed struct {
	dir   string
	files map[string]*ndjson
}

// ndjson is one file of records.
type ndjson struct {
	*json.Encoder
	close func() error
}

// put appends one record to a file.
func (f *feed) put(name string, record any) (err error) {
	n := f.files[name]
	if n == nil {
		if n, err = create(filepath.Join(f.dir, name)); err != nil {
			return err
		}
		f.files[name] = n
	}
	return n.Encode(record)
}

// create makes a file; one with .zst is compressed.
func create(path string) (*ndjson, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriterSize(file, 64<<10)
	n := &ndjson{json.NewEncoder(buf), func() error { return errors.Join(buf.Flush(), file.Close()) }}
	if filepath.Ext(path) == ".zst" {
		// One goroutine and a small window each: some 25 months are open at once.
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

// close ends every file.
func (f *feed) close() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		if err := f.files[name].close(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

func (w *World) writeBoroughs(f *feed) error {
	for i := range w.lists.boroughs {
		b := w.borough(i)
		if err := f.put("boroughs.ndjson", map[string]string{"slug": b.slug, "name": b.name, "code": b.code}); err != nil {
			return err
		}
	}
	return nil
}

type residentLine struct {
	ID      string      `json:"id"`
	Borough string      `json:"borough"`
	Seeking bool        `json:"seeking_work"`
	Sought  string      `json:"sector_sought,omitempty"`
	Skills  []skillLine `json:"skills,omitempty"`
}

// skillLine is a skill with a level; 0 is left out.
type skillLine struct {
	Skill string `json:"skill"`
	Level int    `json:"level,omitempty"`
}

// writeResidents writes the residents in an order that tells nothing.
func (w *World) writeResidents(f *feed) error {
	for _, i := range w.chance(streamResidents).Perm(w.size.Residents) {
		r := w.resident(i)
		line := residentLine{ID: r.id, Borough: w.borough(r.borough).slug, Seeking: r.seeking, Sought: r.sought}
		for _, h := range w.heldSkills(r) {
			line.Skills = append(line.Skills, skillLine(h))
		}
		if err := f.put("residents.ndjson.zst", line); err != nil {
			return err
		}
	}
	return nil
}

type applicationLine struct {
	ID       string      `json:"id"`
	Resident string      `json:"resident"`
	Advert   string      `json:"advert"`
	Applied  time.Time   `json:"applied_at"`
	Outcome  string      `json:"outcome"`
	Recorded *time.Time  `json:"outcome_recorded_at,omitempty"`
	Skills   []askedLine `json:"skills,omitempty"`
}

type askedLine struct {
	Skill         string `json:"skill"`
	Asked         int    `json:"asked_level"`
	Held          int    `json:"held_level"`
	TurnedDownFor bool   `json:"turned_down_for,omitempty"`
}

// writeApplications writes the applications by month, and the events with them,
// since the applications are made up only once and are not kept.
func (w *World) writeApplications(f *feed) error {
	var log events
	err := w.applications(func(v *vacancy, a *sources.Application, number int) error {
		log.application(w, v, a, number)
		line := applicationLine{ID: a.ID, Resident: a.Resident, Advert: a.Advert, Applied: a.AppliedAt, Outcome: string(a.Outcome)}
		if !a.RecordedAt.IsZero() {
			line.Recorded = &a.RecordedAt
		}
		line.Skills = make([]askedLine, 0, len(a.Skills))
		for _, s := range a.Skills {
			line.Skills = append(line.Skills, askedLine{s.Skill, s.AskedLevel, s.HeldLevel, s.TurnedDownFor})
		}
		return f.put("applications-"+a.AppliedAt.Format("2006-01")+".ndjson.zst", line)
	})
	if err != nil {
		return err
	}
	return log.write(w, f)
}

// Partner is the invented partner of whose events the feed has most; give a key of that
// name to see them.
const Partner = "sandbox"

// partners are those through which people apply, in turn.
var partners = []string{Partner, "north-works", Partner, "riverside-jobs"}

// eventDays is how far back the events go, and eventsEach how many applications have one.
const (
	eventDays  = 30
	eventsEach = 6
)

type eventLine struct {
	ID       string    `json:"id"`
	Type     string    `json:"type"`
	Occurred time.Time `json:"occurred_at"`
	Partner  string    `json:"partner,omitempty"`
	Advert   string    `json:"advert,omitempty"`
	Borough  string    `json:"borough,omitempty"`
	Outcome  string    `json:"outcome,omitempty"`
}

// events gathers what partners are told of.
type events struct{ list []eventLine }

// application adds the events of some of the recent applications.
func (e *events) application(w *World, v *vacancy, a *sources.Application, number int) {
	if number%eventsEach != 0 {
		return
	}
	since := w.asOf.AddDays(-eventDays).Time()
	line := eventLine{Advert: v.id, Partner: partners[number/eventsEach%len(partners)]}
	if len(v.boroughs) > 0 {
		line.Borough = w.borough(v.boroughs[0]).slug
	}
	add := func(kind string, at time.Time, outcome sources.Outcome) {
		if !at.Before(since) {
			line.Type, line.Occurred, line.Outcome = kind, at, string(outcome)
			e.list = append(e.list, line)
		}
	}
	add("click.recorded", a.AppliedAt.Add(-7*time.Minute), "")
	add("application.created", a.AppliedAt, "")
	if !a.RecordedAt.IsZero() {
		add("outcome.recorded", a.RecordedAt, a.Outcome)
	}
}

// write adds the adverts of the last days and writes all events in their order.
func (e *events) write(w *World, f *feed) error {
	since := w.asOf.AddDays(-eventDays)
	for i := range w.adverts.own {
		v := w.vacancy(i)
		if v.unlisted || !v.posted.Before(w.asOf) || v.posted.Before(since) {
			continue
		}
		line := eventLine{Type: "opportunity.published", Occurred: v.posted.Time().Add(7 * time.Hour), Advert: v.id}
		if len(v.boroughs) > 0 {
			line.Borough = w.borough(v.boroughs[0]).slug
		}
		e.list = append(e.list, line)
	}
	slices.SortStableFunc(e.list, func(a, b eventLine) int {
		return cmp.Or(a.Occurred.Compare(b.Occurred), strings.Compare(a.Advert, b.Advert), strings.Compare(a.Type, b.Type))
	})
	for i := range e.list {
		e.list[i].ID = fmt.Sprintf("ev-%06d", i+1)
		if err := f.put("events.ndjson", e.list[i]); err != nil {
			return err
		}
	}
	return nil
}
