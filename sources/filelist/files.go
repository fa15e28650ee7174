package filelist

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"labour/sources"
)

// Files is a configured list of files of one source, each of which is read whole.
type Files[T any] struct {
	Source  string // key of the source
	Field   string // of the configuration, for errors
	Entries []T
	// Request says how the file of an entry is asked for. Its Name is that of the object.
	Request func(T) sources.Request
	// Parse reads a file. The error says that nothing of it can be used, and has a
	// sources.FaultCode.
	Parse func(ctx context.Context, text []byte, entry T) (Parsed, error)
}

// Parsed is what a file holds, in the order of its rows.
type Parsed struct {
	Records []sources.Record
	Faults  []sources.Fault // rows that cannot be used; Source and Object are filled in
}

// Fetch downloads every file. One that Read would refuse as a whole is not taken over,
// and the last good one of that entry stands in.
func (f Files[T]) Fetch(ctx context.Context, from sources.Fetcher) error {
	return Fetch(ctx, f.Field, f.Entries, func(entry T) error {
		r := f.Request(entry)
		err := sources.FetchWhole(ctx, from, r, func(text []byte) error {
			_, err := f.parse(ctx, text, entry)
			return err
		})
		if err != nil {
			err = fmt.Errorf("%s: %w", r.Name, err)
			from.Failed(r.Name, err)
		}
		return err
	})
}

// Read hands on what the files hold, in the order of the configuration. A file that is
// not there was a fault of the fetch.
func (f Files[T]) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	for _, entry := range f.Entries {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", f.Field, err)
		}
		name := f.Request(entry).Name
		at := slices.IndexFunc(x.Objects, func(o sources.Object) bool { return o.Name == name })
		if at < 0 {
			continue
		}
		if err := f.read(ctx, x.Objects[at], entry, open, out); err != nil {
			return err
		}
	}
	return nil
}

func (f Files[T]) read(ctx context.Context, o sources.Object, entry T, open sources.Opener, out sources.Sink) error {
	text, err := sources.ReadWhole(open, o)
	var parsed Parsed
	if err == nil {
		parsed, err = f.parse(ctx, text, entry)
	}
	if err != nil {
		return sources.DataFault(out, f.Source, o.Name, err)
	}
	for _, fault := range parsed.Faults {
		fault.Source, fault.Object = f.Source, o.Name
		out.Fault(fault)
	}
	for _, record := range parsed.Records {
		if err := out.Emit(record); err != nil {
			return err
		}
	}
	return nil
}

// namedFaults is how many rows the error of a file names of which nothing can be used.
const namedFaults = 5

// parse refuses a file of which nothing can be used, and says which rows it has.
func (f Files[T]) parse(ctx context.Context, text []byte, entry T) (Parsed, error) {
	parsed, err := f.Parse(ctx, text, entry)
	if err != nil || len(parsed.Records) > 0 {
		return parsed, err
	}
	why := errors.New("the file holds nothing that can be used")
	for _, fault := range parsed.Faults[:min(len(parsed.Faults), namedFaults)] {
		why = fmt.Errorf("%w; %s: %s", why, fault.Where, fault.Detail)
	}
	return parsed, sources.Coded(sources.FaultEmpty, why)
}
