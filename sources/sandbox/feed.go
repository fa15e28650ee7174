package sandbox

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
	file *os.File
	buf  *bufio.Writer
	zip  *zstd.Encoder
	json *json.Encoder
}

// open is the file of a name; one with .zst is compressed.
func (f *feed) open(name string) (*ndjson, error) {
	n := f.files[name]
	if n == nil {
		var err error
		if n, err = create(filepath.Join(f.dir, name)); err != nil {
			return nil, err
		}
		f.files[name] = n
	}
	return n, nil
}

// put appends one record to a file.
func (f *feed) put(name string, record any) error {
	n, err := f.open(name)
	if err != nil {
		return err
	}
	return n.json.Encode(record)
}

func create(path string) (*ndjson, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	n := &ndjson{file: file, buf: bufio.NewWriterSize(file, 64<<10)}
	to := io.Writer(n.buf)
	if filepath.Ext(path) == ".zst" {
		// One goroutine and a small window each: some 25 months are open at once.
		n.zip, err = zstd.NewWriter(n.buf, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(512<<10), zstd.WithLowerEncoderMem(true))
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		to = n.zip
	}
	n.json = json.NewEncoder(to)
	n.json.SetEscapeHTML(false)
	return n, nil
}

func (n *ndjson) close() error {
	var errs []error
	if n.zip != nil {
		errs = append(errs, n.zip.Close())
	}
	return errors.Join(append(errs, n.buf.Flush(), n.file.Close())...)
}

// close ends every file.
func (f *feed) close() error {
	names := slices.Sorted(maps.Keys(f.files))
	var errs []error
	for _, name := range names {
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
