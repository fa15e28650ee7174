// Package filelist implements sources that consist of a configured list of files or feeds. It
// validates the list, then fetches and parses each file separately, so that a broken file does not
// affect the others.
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

// CheckEntries returns an error that lists every invalid or repeated entry of a configured list. An
// empty list is an error too. field is the list's name in the configuration. name returns an
// entry's name, which must be unique. complete checks one entry and may set its defaults.
func CheckEntries[T any](field string, list []T, name func(T) string, complete func(*T) error) error {
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

// FetchEntries calls fetch for each entry of a list and reports failures to from.MarkFailed. It
// returns an error only if ctx ends or every entry fails. field is the list's name in the
// configuration, for error messages. name returns an entry's name, for MarkFailed.
func FetchEntries[T any](ctx context.Context, from sources.Fetcher, field string, list []T, name func(T) string,
	fetch func(T) error) error {
	var errs []error
	for _, e := range list {
		if err := fetch(e); err != nil {
			err = sources.PartError(name(e), err)
			from.MarkFailed(name(e), err)
			errs = append(errs, err)
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("fetch %s: %w", field, err)
		}
	}
	if len(errs) == len(list) {
		return sources.AllFailedError(errs)
	}
	return nil
}

// Files is a source that consists of a configured list of files. T is the type of an entry of the
// list. Each file is read into memory.
type Files[T any] struct {
	SourceInfo  sources.Info
	ConfigField string // name of the list in the configuration, for error messages
	Entries     []T
	// RequestOf returns the download request for an entry's file. The request's Name becomes the
	// name of the archived object.
	RequestOf func(T) sources.Request
	// ParseFile reads the content of a file. An error has a sources.FaultCode and means that the
	// whole file is unusable.
	ParseFile  func(ctx context.Context, text []byte, entry T) (ParsedFile, error)
	MayBeEmpty bool // whether a file without records is valid
}

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// NewSource checks the configured list and returns it as a source. complete checks one entry and
// may set its defaults.
func (f Files[T]) NewSource(complete func(*T) error) (sources.Source, error) {
	f.Entries = slices.Clone(f.Entries)
	err := CheckEntries(f.ConfigField, f.Entries, f.name, func(entry *T) error {
		var errs sources.ConfigErrors
		r := f.RequestOf(*entry)
		errs.Require(sources.IsWebOrFileAddress(r.URL), "url %q must be an http(s) or file address", r.URL)
		errs.Require(idPattern.MatchString(r.Name), "id %q must be lower-case letters, digits and hyphens", r.Name)
		return errors.Join(append(errs, complete(entry))...)
	})
	if err != nil {
		return nil, fmt.Errorf("configure %s: %w", f.SourceInfo.Key, err)
	}
	return f, nil
}

// Info describes the source: its key, publisher, licence and terms.
func (f Files[T]) Info() sources.Info { return f.SourceInfo }

// ParsedFile holds the records of one file, and a fault for each unusable row. Both are in the
// order of the rows.
type ParsedFile struct {
	Records []sources.Record
	Faults  []sources.Fault // unusable rows of the file; Files sets Source and Object
}

// AddFault adds a fault for an unusable row. position identifies the row, for example "line 7".
func (p *ParsedFile) AddFault(position string, code sources.FaultCode, format string, args ...any) {
	p.Faults = append(p.Faults, sources.Fault{Where: position, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// Fetch downloads and archives every file of the list. It also parses each file, so that an unusable
// file counts as failed. If a file fails, its last good version is used.
func (f Files[T]) Fetch(ctx context.Context, from sources.Fetcher) error {
	return FetchEntries(ctx, from, f.ConfigField, f.Entries, f.name,
		func(entry T) error { return f.FetchOne(ctx, from, entry) })
}

func (f Files[T]) name(entry T) string { return f.RequestOf(entry).Name }

// FetchOne downloads and archives the file of one entry. It also parses the file, so that an
// unusable file is an error. It does not keep the records, which Read emits later.
func (f Files[T]) FetchOne(ctx context.Context, from sources.Fetcher, entry T) error {
	o, err := from.Get(ctx, f.RequestOf(entry))
	if err == nil {
		_, err = f.parse(ctx, from, o, entry)
	}
	return err
}

// Read emits the records of all files, in the order of the configuration. It skips files that were
// not fetched.
func (f Files[T]) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.RecordSink) error {
	for _, entry := range f.Entries {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", f.ConfigField, err)
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

func (f Files[T]) read(ctx context.Context, o sources.ArchivedObject, entry T, open sources.Opener,
	out sources.RecordSink) error {
	parsed, err := f.parse(ctx, open, o, entry)
	if err != nil {
		return sources.ReportDataFault(out, f.SourceInfo.Key, o.Name, err)
	}
	for _, fault := range parsed.Faults {
		fault.Source, fault.Object = f.SourceInfo.Key, o.Name
		out.Fault(fault)
	}
	for _, record := range parsed.Records {
		if err := out.Emit(record); err != nil {
			return err
		}
	}
	return nil
}

// namedFaults is the maximum number of faults that the error for a file without usable data quotes.
const namedFaults = 5

// unreadable returns the faults for rows that are broken or have an unreadable cell.
func (p *ParsedFile) unreadable() []sources.Fault {
	return slices.DeleteFunc(slices.Clone(p.Faults), func(f sources.Fault) bool {
		return f.Code != sources.FaultBrokenRow && f.Code != sources.FaultBadValue
	})
}

// parse parses one archived file. Too many unreadable rows are an error. A file without records is
// an error unless MayBeEmpty is true.
func (f Files[T]) parse(ctx context.Context, from sources.Opener, o sources.ArchivedObject, entry T) (ParsedFile,
	error) {
	text, err := sources.ReadWhole(from, o)
	if err != nil {
		return ParsedFile{}, err
	}
	parsed, err := f.ParseFile(ctx, text, entry)
	if err != nil || f.MayBeEmpty {
		return parsed, err
	}
	if len(parsed.Records) > 0 {
		unreadable := parsed.unreadable()
		return parsed, sheets.CheckUnreadableShare(unreadable, len(parsed.Records)+len(unreadable))
	}
	why := errors.New("the file holds nothing that can be used")
	for _, fault := range parsed.Faults[:min(len(parsed.Faults), namedFaults)] {
		why = fmt.Errorf("%w; %s: %s", why, fault.Where, fault.Detail)
	}
	return parsed, sources.WithFaultCode(sources.FaultSuddenlyEmpty, why)
}
