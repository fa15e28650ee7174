package skillsprojections

import (
	"context"
	"fmt"

	"labour/sources"
	"labour/sources/filelist"
	"labour/sources/sheets"
)

// Read turns the publications into sources.Evidence, in the order of the
// configuration and of the rows of each file. A file whose columns are not those
// that are expected is refused whole; an occupation that cannot be read is a fault.
func (s *Source) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	return s.files().Read(ctx, x, open, out)
}

// parse reads one file. The error says that nothing of it can be used, and has a sources.FaultCode.
func parse(ctx context.Context, text []byte, p Publication) ([]occupation, []sources.Fault, error) {
	list, err := sheets.Read(ctx, text, p.Sheet)
	if err != nil {
		return nil, nil, err
	}
	var first error
	for _, sheet := range list {
		var rows []occupation
		var faults []sources.Fault
		if p.Kind == KindProjections {
			rows, faults, err = projections(sheet.Rows)
		} else {
			rows, faults, err = listed(sheet.Rows, p)
		}
		if err == nil && len(rows) == 0 {
			err = schema(sources.FaultEmpty, "there is no occupation under the header")
		}
		if err == nil {
			return rows, faults, nil
		}
		if sheet.Name != "" {
			err = fmt.Errorf("sheet %q: %w", sheet.Name, err)
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = schema(sources.FaultSchema, "the workbook has no sheet")
	}
	return nil, nil, first
}

// schema is a reason to refuse a sheet.
func schema(code sources.FaultCode, format string, args ...any) error {
	return sources.Coded(code, fmt.Errorf(format, args...))
}

// maxDownload bounds a file as it is sent. The largest workbook has about 6 MB.
const maxDownload = 64 << 20

func (s *Source) files() filelist.Files[Publication] {
	return filelist.Files[Publication]{Source: s.key, Field: "publications", Entries: s.cfg.Publications,
		Request: func(p Publication) sources.Request {
			return sources.Request{Name: p.ID, URL: p.URL, MaxBytes: maxDownload, Accept: sources.AcceptData}
		},
		Parse: func(ctx context.Context, text []byte, p Publication) (filelist.Parsed, error) {
			rows, faults, err := parse(ctx, text, p)
			parsed := filelist.Parsed{Faults: faults}
			for _, r := range rows {
				if e, ok := r.evidence(s.evidence(p), p); ok {
					parsed.Records = append(parsed.Records, e)
				}
			}
			return parsed, err
		}}
}

// Fetch downloads every publication.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error { return s.files().Fetch(ctx, f) }
