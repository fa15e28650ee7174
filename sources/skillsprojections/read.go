package skillsprojections

import (
	"context"
	"fmt"

	"labour/sources"
	"labour/sources/sheets"
)

// Read turns the publications into sources.Evidence, in the order of the
// configuration and of the rows of each file. A file whose columns are not those
// that are expected is refused whole; an occupation that cannot be read is a fault.
func (s *Source) Read(ctx context.Context, x sources.Extract, open sources.Opener, out sources.Sink) error {
	objects := make(map[string]sources.Object, len(x.Objects))
	for _, o := range x.Objects {
		objects[o.Name] = o
	}
	for _, p := range s.cfg.Publications {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read publications: %w", err)
		}
		o, ok := objects[p.ID]
		if !ok {
			continue // its absence was a fault of the fetch
		}
		text, err := sources.ReadWhole(open, o)
		if sources.CodeOf(err) == sources.FaultUnavailable {
			return err // of the machine, not of the data
		}
		var rows []occupation
		var faults []rowFault
		if err == nil {
			rows, faults, err = parse(text, p)
		}
		if err != nil {
			out.Fault(sources.Fault{Source: s.key, Object: o.Name, Code: sources.CodeOf(err), Detail: err.Error()})
			continue
		}
		for _, f := range faults {
			out.Fault(sources.Fault{Source: s.key, Object: o.Name, Where: f.where, Code: f.code, Detail: f.detail})
		}
		for _, r := range rows {
			if e, ok := r.evidence(s.evidence(p), p); ok {
				if err := out.Emit(e); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// rowFault is one row that cannot be used.
type rowFault struct {
	where  string
	code   sources.FaultCode
	detail string
}

// parse reads one file. The error says that nothing of it can be used, and has a
// sources.FaultCode.
func parse(text []byte, p Publication) ([]occupation, []rowFault, error) {
	list, err := sheets.Read(text, p.Sheet)
	if err != nil {
		return nil, nil, err
	}
	var first error
	for _, sheet := range list {
		var rows []occupation
		var faults []rowFault
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
