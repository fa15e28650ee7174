package onsgeography

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/sources"
)

// Read turns the answers of one extract into sources.Area and
// sources.Boundary, service by service in the order of the configuration. A code
// that is not official (a joint code, a pseudo code) is a fault and gives nothing.
func (s *Source) Read(ctx context.Context, x sources.Extract, from sources.Opener, out sources.Sink) error {
	given := map[any]string{}
	for _, v := range s.cfg.Services {
		r := &reader{v: v, from: from, out: out, given: given, seen: map[int64]bool{}}
		for _, o := range x.Objects {
			if strings.HasPrefix(o.Name, v.Service+"/page-") {
				r.pages = append(r.pages, o)
			}
		}
		slices.SortStableFunc(r.pages, func(a, b sources.Object) int { return strings.Compare(a.Name, b.Name) })
		if err := r.run(ctx, x); err != nil {
			return fmt.Errorf("read service %s: %w", v.Service, err)
		}
	}
	return nil
}

type reader struct {
	v      Service
	from   sources.Opener
	out    sources.Sink
	pages  []sources.Object
	layout layout
	given  map[any]string // records of all services so far, with the name of an area
	seen   map[int64]bool // object ids of this service
}

// layout says in which fields of a service everything stands.
type layout struct {
	objectID string
	columns  map[string]columns // by kind
	years    []columns          // of the kind whose changes are listed, oldest first
}

// layout finds the fields that the service's entry needs. A missing one is
// FaultColumnMissing and names the kind.
func (v Service) layout(head answer) (layout, error) {
	l := layout{objectID: head.ObjectID, columns: map[string]columns{}}
	var errs []error
	fields := make([]string, len(head.Fields))
	for i, f := range head.Fields {
		fields[i] = f.Name
	}
	for _, k := range v.kinds() {
		c, ok := columnsOf(k, fields)
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("no field like %s25CD for %s among %.300s", kinds[k].prefix, k, strings.Join(fields, ", ")))
		case c.name == "" && slices.Contains(v.Areas, k):
			errs = append(errs, fmt.Errorf("no field like %s25NM for the names of %s", kinds[k].prefix, k))
		}
		l.columns[k] = c
	}
	if v.Changes != "" {
		if l.years = yearsOf(v.Changes, fields); len(l.years) < 2 {
			errs = append(errs, fmt.Errorf("no fields like %[1]s24CD and %[1]s25CD of two years", kinds[v.Changes].prefix))
		}
	}
	if v.Points != "" {
		errs = append(errs, pointFields(l.columns[Ward], fields))
	}
	if l.objectID == "" {
		errs = append(errs, errors.New("the answer does not name the object id field (objectIdFieldName)"))
	}
	if err := errors.Join(errs...); err != nil {
		return layout{}, sources.Coded(sources.FaultColumnMissing, err)
	}
	return l, nil
}

func (r *reader) run(ctx context.Context, x sources.Extract) error {
	o, ok := x.Object(fieldsName(r.v.Service))
	if !ok || len(r.pages) == 0 {
		return nil // its absence was a fault of the fetch
	}
	head, err := open(r.from, o)
	if err == nil {
		r.layout, err = r.v.layout(head)
	}
	if err != nil {
		return sources.DataFault(r.out, Key, o.Name, err)
	}
	for _, p := range r.pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, err := open(r.from, p)
		if err != nil {
			if err = sources.DataFault(r.out, Key, p.Name, err); err != nil {
				return err
			}
			continue
		}
		for _, f := range a.Features {
			if err := r.feature(p.Name, f); err != nil {
				return err
			}
		}
	}
	count, _ := x.Object(countName(r.v.Service))
	return r.complete(count)
}

// complete compares with the number of records that the portal announced.
func (r *reader) complete(o sources.Object) error {
	if o.Name == "" {
		return nil
	}
	a, err := open(r.from, o)
	if err != nil {
		return sources.DataFault(r.out, Key, o.Name, err)
	}
	if a.Count != nil && len(r.seen) < *a.Count {
		r.out.Fault(sources.Fault{Source: Key, Object: o.Name, Code: sources.FaultIncomplete,
			Detail: fmt.Sprintf("the portal announced %d records and the pages hold %d; fetch again", *a.Count, len(r.seen))})
	}
	return nil
}

// feature takes everything out of one record.
func (r *reader) feature(object string, f feature) error {
	id, ok := f.objectID(r.layout.objectID)
	if !ok {
		return r.fault(object, "", sources.FaultSchema, "a record has no object id "+r.layout.objectID)
	}
	if r.seen[id] {
		return nil
	}
	r.seen[id] = true
	where := fmt.Sprintf("%s %d", r.layout.objectID, id)
	for _, k := range r.v.Areas {
		if err := r.area(object, where, k, f); err != nil {
			return err
		}
	}
	if r.v.Changes != "" {
		if err := r.changes(object, where, f); err != nil {
			return err
		}
	}
	if r.v.Points != "" {
		if err := r.ward(object, where, f); err != nil {
			return err
		}
	}
	if r.v.Boundaries != "" {
		return r.boundary(object, where, f)
	}
	return nil
}

func (r *reader) area(object, where, kind string, f feature) error {
	c := r.layout.columns[kind]
	code, name := f.text(c.code), f.text(c.name)
	if code == "" && name == "" {
		return nil // a list of councils need not name a region for each
	}
	if err := checkCode(kind, code); err != nil {
		return r.fault(object, where, sources.FaultValue, err.Error())
	}
	if name == "" {
		return r.fault(object, where, sources.FaultValue, fmt.Sprintf("the %s %s has no name", kind, code))
	}
	key := [3]string{kind, code, c.edition}
	if old, there := r.given[key]; there {
		if old != name {
			return r.fault(object, where, sources.FaultValue, fmt.Sprintf("the %s %s has two names in the edition of %s", kind, code, c.edition))
		}
		return nil
	}
	r.given[key] = name
	a := sources.Area{Source: Key, Code: code, Name: name, Kind: kind, NationCode: nationOf(kind, code), Edition: c.edition}
	if c.welsh != "" {
		a.NameWelsh = f.text(c.welsh)
	}
	if kind == LSIP {
		a.Slug = Slug(code, name)
	}
	return r.out.Emit(a)
}

func (r *reader) boundary(object, where string, f feature) error {
	code := f.text(r.layout.columns[r.v.Boundaries].code)
	shape, err := f.outline()
	if cerr := checkCode(r.v.Boundaries, code); cerr != nil {
		err = cerr
	}
	if err != nil {
		return r.fault(object, where, sources.FaultValue, err.Error())
	}
	return r.out.Emit(sources.Boundary{Source: Key, Code: code, GeoJSON: slices.Clone(shape)})
}

// fault reports a fault, which is no error.
func (r *reader) fault(object, where string, code sources.FaultCode, detail string) error {
	r.out.Fault(sources.Fault{Source: Key, Object: object, Where: where, Code: code, Detail: detail})
	return nil
}
