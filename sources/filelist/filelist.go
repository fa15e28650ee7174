// Package filelist is the part that all connectors with a configured list of files, feeds or data
// sets have in common. It checks the list, and fetches and reads each entry by itself, so that a failure of one
// does not affect the others.
package filelist

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"labour/sources"
	"labour/sources/sheets"
)

// Check checks a configured list: it may not be empty, no entry may be repeated, and each entry
// must be valid. complete may set an entry's defaults. The error lists every fault with the field
// of the configuration and its index.
func Check[T any](field string, list []T, name func(T) string, complete func(*T) error) error {
	if len(list) == 0 {
		return fmt.Errorf("%s is empty: name at least one", field)
	}
	var errs []error
	seen := map[string]bool{}
	for i := range list {
		e := &list[i]
		if n := name(*e); seen[n] {
			errs = append(errs, fmt.Errorf("%s[%d]: %s is named twice; put all that it holds into one entry", field, i,
				n))
		}
		seen[name(*e)] = true
		if err := complete(e); err != nil {
			errs = append(errs, fmt.Errorf("%s[%d]: %w", field, i, err))
		}
	}
	return errors.Join(errs...)
}

// Fetch fetches each entry, and marks those that could not be fetched as failed: their last good
// body is used. An error means that ctx ended, or that no entry could be fetched at all.
func Fetch[T any](ctx context.Context, from sources.Fetcher, field string, list []T, name func(T) string,
	fetch func(T) error) error {
	var errs []error
	for _, e := range list {
		if err := fetch(e); err != nil {
			err = sources.PartError(name(e), err)
			from.Failed(name(e), err)
			errs = append(errs, err)
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("fetch %s: %w", field, err)
		}
	}
	if len(errs) == len(list) {
		return sources.AllFailed(errs)
	}
	return nil
}

// Files is a source that reads a configured list of files. Each file is read into memory.
type Files[T any] struct {
	About   sources.Info
	Field   string // name of the field in the configuration, for errors
	Entries []T
	Request func(T) sources.Request // returns the request for an entry's file; its Name is the object's name
	// Parse reads a file. An error means that the whole file is unusable, and has a
	// sources.FaultCode.
	Parse  func(ctx context.Context, text []byte, entry T) (ParsedFile, error)
	Sparse bool // a file may contain no records
}

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// Checked checks the entries with Check and returns the source. An entry's id is the name of its
// object.
func (f Files[T]) Checked(complete func(*T) error) (sources.Source, error) {
	f.Entries = slices.Clone(f.Entries)
	err := Check(f.Field, f.Entries, f.name, func(entry *T) error {
		var errs sources.Needs
		r := f.Request(*entry)
		errs.Need(sources.IsAddress(r.URL), "url %q must be an http(s) or file address", r.URL)
		errs.Need(idPattern.MatchString(r.Name), "id %q must be lower-case letters, digits and hyphens", r.Name)
		return errors.Join(append(errs, complete(entry))...)
	})
	if err != nil {
		return nil, fmt.Errorf("configure %s: %w", f.About.Key, err)
	}
	return f, nil
}

// Info implements sources.Source.
func (f Files[T]) Info() sources.Info { return f.About }

// ParsedFile is the content of a file, in the order of its rows.
type ParsedFile struct {
	Records []sources.Record
	Faults  []sources.Fault // unusable rows; Source and Object are filled in
}

// Fault records an unusable row.
func (p *ParsedFile) Fault(where string, code sources.FaultCode, format string, args ...any) {
	p.Faults = append(p.Faults, sources.Fault{Where: where, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// Fetch downloads every file. A file that Read would reject as a whole is not used, and the last
// good one of that entry is kept.
func (f Files[T]) Fetch(ctx context.Context, from sources.Fetcher) error {
	return Fetch(ctx, from, f.Field, f.Entries, f.name, func(entry T) error { return f.FetchOne(ctx, from, entry) })
}

func (f Files[T]) name(entry T) string { return f.Request(entry).Name }

// FetchOne downloads the file of one entry.
func (f Files[T]) FetchOne(ctx context.Context, from sources.Fetcher, entry T) error {
	o, err := from.Get(ctx, f.Request(entry))
	if err == nil {
		_, err = f.parse(ctx, from, o, entry)
	}
	return err
}

// Read emits the contents of the files, in the order of the configuration. A missing file was
// already reported by Fetch.
func (f Files[T]) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	for _, entry := range f.Entries {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", f.Field, err)
		}
		o, there := x.Object(f.name(entry))
		if !there {
			continue
		}
		if err := f.read(ctx, o, entry, open, out); err != nil {
			return err
		}
	}
	return nil
}

func (f Files[T]) read(ctx context.Context, o sources.Object, entry T, open sources.Opener, out sources.Sink) error {
	parsed, err := f.parse(ctx, open, o, entry)
	if err != nil {
		return sources.DataFault(out, f.About.Key, o.Name, err)
	}
	for _, fault := range parsed.Faults {
		fault.Source, fault.Object = f.About.Key, o.Name
		out.Fault(fault)
	}
	for _, record := range parsed.Records {
		if err := out.Emit(record); err != nil {
			return err
		}
	}
	return nil
}

// namedFaults is how many faults the error lists for a file without usable data.
const namedFaults = 5

// unreadable returns the faults of rows that are broken or have an unreadable cell.
func (p *ParsedFile) unreadable() []sources.Fault {
	return slices.DeleteFunc(slices.Clone(p.Faults), func(f sources.Fault) bool {
		return f.Code != sources.FaultRow && f.Code != sources.FaultValue
	})
}

// parse reads a file, and rejects it if it has too little usable data. If nothing is usable, the
// error lists the first faults.
func (f Files[T]) parse(ctx context.Context, from sources.Opener, o sources.Object, entry T) (ParsedFile, error) {
	text, err := sources.ReadWhole(from, o)
	if err != nil {
		return ParsedFile{}, err
	}
	parsed, err := f.Parse(ctx, text, entry)
	if err != nil || f.Sparse {
		return parsed, err
	}
	if len(parsed.Records) > 0 {
		unreadable := parsed.unreadable()
		return parsed, sheets.TooMany(unreadable, len(parsed.Records)+len(unreadable))
	}
	why := errors.New("the file holds nothing that can be used")
	for _, fault := range parsed.Faults[:min(len(parsed.Faults), namedFaults)] {
		why = fmt.Errorf("%w; %s: %s", why, fault.Where, fault.Detail)
	}
	return parsed, sources.Coded(sources.FaultEmpty, why)
}
