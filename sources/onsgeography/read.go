package onsgeography

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/boundaries"
	"labour/sources/sheets"
)

// Read emits the areas, code changes, wards and boundaries of an extract (one fetch of the source).
// It reports a fault for each invalid area code. With the default services, it also emits the
// built-in code changes.
func (s *Source) Read(ctx context.Context, x sources.Extract, from sources.Opener, out sources.RecordSink) error {
	given := map[any]string{}
	for _, v := range s.cfg.Services {
		r := newReader(v, out, given)
		r.from = from
		if err := r.run(ctx, x); err != nil {
			return fmt.Errorf("read service %s: %w", v.ServiceName, err)
		}
	}
	if !s.usual {
		return nil
	}
	changes, err := knownChanges()
	for i := 0; err == nil && i < len(changes); i++ {
		err = out.Emit(changes[i])
	}
	return err
}

type reader struct {
	v    Service
	from sources.Opener
	out  sources.RecordSink
	layout
	emittedNames map[any]string // names of the areas and wards emitted so far, by the record's key
	objectIDs    map[int64]bool // object ids already read from this service
	withoutID    int            // number of records without an object id
	// unreadable has a fault for each record without an object id, and for each outline that cannot be
	// used. Codes and names are not among them: tables of the portal list joint and pseudo codes.
	unreadable []sources.Fault
}

// newReader returns a reader of the records of a service. emittedNames holds the names of the areas
// and wards that were emitted from other services.
func newReader(v Service, out sources.RecordSink, emittedNames map[any]string) *reader {
	return &reader{v: v, out: out, emittedNames: emittedNames, objectIDs: map[int64]bool{}}
}

// layout holds the columns to read from a service's table.
type layout struct {
	objectID string
	columns  map[string]columns // columns of the newest year, by kind of area
	years    []columns          // columns of the codes whose changes are listed, by year, oldest first
}

// Names of the fields with the centre of an area, in degrees (WGS 84).
const (
	latitudeField  = "LAT"
	longitudeField = "LONG"
)

// layout finds the columns to read in the service's table. head lists the table's columns. A
// missing column is an error with sources.FaultColumnMissing.
func (v Service) layout(head answer) (layout, error) {
	l := layout{objectID: head.ObjectID, columns: map[string]columns{}}
	fields := make([]string, len(head.Fields))
	for i, f := range head.Fields {
		fields[i] = f.Name
	}
	var errs sources.ConfigErrors
	for _, k := range v.kinds() {
		years := columnsOf(k, fields)
		if n := len(years); n > 0 {
			l.columns[k] = years[n-1]
		}
		prefix, c := codes.Kinds[k].Prefix, l.columns[k]
		errs.Require(c.code != "", "no field like %s25CD for %s among %.300s", prefix, k, strings.Join(fields, ", "))
		errs.Require(c.name != "" || k != v.CentreKind && !slices.Contains(v.AreaKinds, k),
			"no field like %s25NM for the names of %s", prefix, k)
		if k == v.CodeChangeKind {
			l.years = slices.DeleteFunc(years, func(c columns) bool { return c.code == "" })
			errs.Require(len(l.years) > 1, "no fields like %[1]s24CD and %[1]s25CD of two years", prefix)
		}
	}
	if v.CentreKind != "" {
		for _, f := range []string{latitudeField, longitudeField} {
			errs.Require(slices.Contains(fields, f), "no field %s for the middle of a ward", f)
		}
	}
	errs.Require(l.objectID != "", "the answer does not name the object id field (objectIdFieldName)")
	if err := errors.Join(errs...); err != nil {
		return layout{}, sources.WithFaultCode(sources.FaultColumnMissing, err)
	}
	return l, nil
}

func (r *reader) run(ctx context.Context, x sources.Extract) error {
	o, ok := x.Object(fieldsName(r.v.ServiceName))
	if !ok {
		return nil // Fetch has reported that it is missing
	}
	head, err := open(r.from, o)
	if err == nil {
		r.layout, err = r.v.layout(head)
	}
	if err != nil {
		return sources.ReportDataFault(r.out, Key, o.Name, err)
	}
	for _, page := range x.Objects {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !strings.HasPrefix(page.Name, r.v.ServiceName+"/page-") {
			continue
		}
		a, err := open(r.from, page)
		err = sources.ReportDataFault(r.out, Key, page.Name, err)
		for i := 0; err == nil && i < len(a.Features); i++ {
			err = r.feature(page.Name, a.Features[i])
		}
		if err != nil {
			return err
		}
	}
	return r.checkCount(x)
}

// checkCount reports a fault if the number of records read differs from the number that the portal
// announced.
func (r *reader) checkCount(x sources.Extract) error {
	o, ok := x.Object(countName(r.v.ServiceName))
	if !ok {
		return nil
	}
	a, err := open(r.from, o)
	if n := r.count(); err == nil && a.Count != nil && n != *a.Count {
		err = sources.CodedErrorf(sources.FaultIncomplete,
			"the portal announced %d records and the pages hold %d; fetch again", *a.Count, n)
	}
	return sources.ReportDataFault(r.out, Key, o.Name, err)
}

// count returns the number of records read, each object id once.
func (r *reader) count() int { return len(r.objectIDs) + r.withoutID }

// checkReadable returns an error if too many records of the service cannot be read, or if nothing was
// taken from any of them. emitted is the number of areas, code changes, wards and boundaries.
func (r *reader) checkReadable(emitted int) error {
	if err := sheets.CheckUnreadableShare(r.unreadable, r.count()); err != nil {
		return err
	}
	if emitted == 0 {
		return sources.CodedErrorf(sources.FaultSchema,
			"none of its %d records can be used; look at what the portal changed", r.count())
	}
	return nil
}

// feature emits the areas, code changes, ward and boundary of one portal record. object is the name
// of the archived object with the record, for faults. feature skips a record whose object id it has
// already read.
func (r *reader) feature(object string, f feature) error {
	id, ok := f.objectID(r.objectID)
	if !ok {
		r.faultWithoutID(object)
		return nil
	}
	if r.objectIDs[id] {
		return nil
	}
	r.objectIDs[id] = true
	var stop error // error of the sink
	take := func(record sources.Record, err error) bool {
		switch {
		case err != nil:
			r.out.Fault(sources.Fault{Source: Key, Object: object, Where: fmt.Sprintf("%s %d", r.objectID, id),
				Code: sources.FaultBadValue, Detail: err.Error()})
		case record != nil && stop == nil:
			stop = r.out.Emit(record)
		}
		return err == nil
	}
	for _, k := range r.v.AreaKinds {
		take(r.area(k, f))
	}
	// The loop ends at the first code that is not official, for example a joint code of areas that
	// were merged later. Codes after it do not replace codes before it.
	for i := 1; i < len(r.years) && take(r.change(r.years[i-1], r.years[i], f)); i++ {
	}
	if r.v.CentreKind != "" {
		take(r.ward(f))
	}
	if r.v.BoundaryKind != "" {
		b, err := r.boundary(f)
		if !take(b, err) {
			r.unreadable = append(r.unreadable, sources.Fault{Detail: err.Error()})
		}
	}
	return stop
}

// faultWithoutID reports a record without an object id. object is the name of the archived object with
// the record.
func (r *reader) faultWithoutID(object string) {
	fault := sources.Fault{Source: Key, Object: object, Code: sources.FaultSchema,
		Detail: "a record has no object id " + r.objectID + "; look at what the portal changed"}
	r.withoutID++
	r.unreadable = append(r.unreadable, fault)
	r.out.Fault(fault)
}

func (r *reader) area(kind string, f feature) (sources.Record, error) {
	c := r.columns[kind]
	a := sources.Area{Source: Key, Kind: kind, Code: f.text(c.code), Name: f.text(c.name), NameWelsh: f.text(c.welsh),
		Edition: c.edition}
	if a.Code+a.Name == "" {
		return nil, nil // in a list of councils, some may have no region
	}
	if err := checkCode(kind, a.Code); err != nil {
		return nil, err
	}
	if a.Name == "" {
		return nil, fmt.Errorf("the %s %s has no name", kind, a.Code)
	}
	key := [3]string{kind, a.Code, a.Edition}
	if old, there := r.emittedNames[key]; there && old != a.Name {
		return nil, fmt.Errorf("the %s %s has two names in the edition of %s", kind, a.Code, a.Edition)
	} else if there {
		return nil, nil
	}
	r.emittedNames[key] = a.Name
	a.NationCode = nationOf(a.Code)
	if kind == KindLSIP {
		a.Slug = slugOf(a.Code, a.Name)
	}
	return a, nil
}

// change returns the record of a change of an area's code. oldColumns and newColumns are the
// columns of the two years. It returns nil if one of the codes is missing, or if the change was
// already emitted.
func (r *reader) change(oldColumns, newColumns columns, f feature) (sources.Record, error) {
	c := sources.AreaCodeChange{Source: Key, Kind: r.v.CodeChangeKind, From: f.text(oldColumns.code),
		To:      f.text(newColumns.code),
		Edition: newColumns.edition}
	if c.From == "" || c.To == "" {
		return nil, nil
	}
	if err := cmp.Or(checkCode(c.Kind, c.From), checkCode(c.Kind, c.To)); err != nil {
		return nil, err
	}
	if _, there := r.emittedNames[c]; there {
		return nil, nil
	}
	r.emittedNames[c] = ""
	return c, nil
}

// ward returns the record of a ward with its centre. It returns nil if the ward was already
// emitted.
func (r *reader) ward(f feature) (sources.Record, error) {
	c := r.columns[KindWard]
	w := sources.Ward{Source: Key, Code: f.text(c.code), Name: f.text(c.name),
		Council: f.text(r.columns[KindCouncil].code),
		Edition: c.edition}
	if err := cmp.Or(checkCode(KindWard, w.Code), checkCode(KindCouncil, w.Council)); err != nil {
		return nil, err
	}
	err := errors.Join(json.Unmarshal(f.raw(latitudeField), &w.Latitude),
		json.Unmarshal(f.raw(longitudeField), &w.Longitude))
	if err != nil || w.Name == "" || !boundaries.IsNearUK(w.Latitude, w.Longitude) {
		return nil, fmt.Errorf("the ward %s has no name, or no middle around the United Kingdom in degrees", w.Code)
	}
	key := [2]string{KindWard, w.Code}
	if _, there := r.emittedNames[key]; there {
		return nil, nil
	}
	r.emittedNames[key] = w.Name
	return w, nil
}

func (r *reader) boundary(f feature) (sources.Record, error) {
	code := f.text(r.columns[r.v.BoundaryKind].code)
	b := sources.Boundary{Source: Key, Code: code, GeoJSON: slices.Clone(f.Geometry)}
	if err := cmp.Or(checkCode(r.v.BoundaryKind, code), checkOutline(b)); err != nil {
		return nil, err
	}
	return b, nil
}
