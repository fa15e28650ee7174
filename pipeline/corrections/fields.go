package corrections

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"labour/sources"
)

// field reads and writes one field of a record of type T as text.
type field[T any] struct {
	get func(T) string
	set func(*T, string) error
}

// plain is a field that is text.
func plain[T any](at func(*T) *string) field[T] {
	return field[T]{get: func(r T) string { return *at(&r) }, set: func(r *T, v string) error { *at(r) = v; return nil }}
}

// dated is a field that is a day; "" is none.
func dated[T any](at func(*T) *sources.Date) field[T] {
	return field[T]{
		get: func(r T) string {
			if at(&r).IsZero() {
				return ""
			}
			return at(&r).String()
		},
		set: func(r *T, v string) (err error) {
			if v == "" {
				*at(r) = sources.Date{}
				return nil
			}
			*at(r), err = sources.ParseDate(v)
			return err
		},
	}
}

// The fields of each kind of record that may be corrected.
func adverts() map[string]field[sources.Advert] {
	type a = sources.Advert
	return map[string]field[a]{
		"title": plain(func(r *a) *string { return &r.Title }), "employer": plain(func(r *a) *string { return &r.Employer }),
		"soc": plain(func(r *a) *string { return &r.SOC }), "route": plain(func(r *a) *string { return &r.Route }),
		"posted_on": dated(func(r *a) *sources.Date { return &r.Posted }), "closes_on": dated(func(r *a) *sources.Date { return &r.Closes }),
	}
}

func evidence() map[string]field[sources.Evidence] {
	type e = sources.Evidence
	return map[string]field[e]{
		"title": plain(func(r *e) *string { return &r.Title }), "statement": plain(func(r *e) *string { return &r.Statement }),
		"signal": oneOf(plain(func(r *e) *string { return &r.Signal }), "gap", "no_gap", "none"),
		"soc":    plain(func(r *e) *string { return &r.SOC }), "link": plain(func(r *e) *string { return &r.Link }),
		"published_on": dated(func(r *e) *sources.Date { return &r.Published }),
	}
}

func areas() map[string]field[sources.Area] {
	type a = sources.Area
	return map[string]field[a]{"name": plain(func(r *a) *string { return &r.Name }), "name_welsh": plain(func(r *a) *string { return &r.NameWelsh })}
}

func statistics() map[string]field[sources.Statistic] {
	type s = sources.Statistic
	return map[string]field[s]{"value": {get: printed, set: setPrinted}, "region_name": plain(func(r *s) *string { return &r.RegionName })}
}

func oneOf[T any](f field[T], values ...string) field[T] {
	return field[T]{get: f.get, set: func(r *T, v string) error {
		if !slices.Contains(values, v) {
			return fmt.Errorf("%q must be one of %q", v, values)
		}
		return f.set(r, v)
	}}
}

// printed is the value as the interface prints it: a number, <5 or null.
func printed(s sources.Statistic) string {
	switch s.Symbol {
	case sources.SymbolNone:
		return strconv.FormatInt(s.Value, 10)
	case sources.SymbolUnderFive:
		return "<5"
	}
	return "null"
}

func setPrinted(s *sources.Statistic, v string) error {
	switch v {
	case "<5":
		s.Value, s.Symbol = 0, sources.SymbolUnderFive
		return nil
	case "null":
		s.Value, s.Symbol = 0, sources.SymbolNotPublished
		return nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 || n > 0 && n < 5 {
		return fmt.Errorf("%q must be 0, a whole number of at least 5, <5 or null", v)
	}
	s.Value, s.Symbol = n, sources.SymbolNone
	return nil
}

// Kinds are the kinds of record that may be corrected, sorted.
func Kinds() []string { return []string{"advert", "area", "evidence", "statistic"} }

// Fields are the fields of a kind that may be corrected, sorted; none for an unknown kind.
func Fields(kind string) []string {
	switch kind {
	case "advert":
		return slices.Sorted(maps.Keys(adverts()))
	case "area":
		return slices.Sorted(maps.Keys(areas()))
	case "evidence":
		return slices.Sorted(maps.Keys(evidence()))
	case "statistic":
		return slices.Sorted(maps.Keys(statistics()))
	}
	return nil
}

// name is the kind of a record and the name by which a correction knows it; "" for
// a record that cannot be corrected.
func name(r sources.Record) (kind, record string) {
	switch r := r.(type) {
	case sources.Advert:
		return "advert", r.ID
	case sources.Area:
		return "area", r.Kind + " " + r.Code
	case sources.Evidence:
		return "evidence", r.ID
	case sources.Statistic:
		return "statistic", fmt.Sprintf("%s %s %s %s", r.Metric, r.RegionCode, r.PeriodEnd, r.SubjectArea)
	}
	return "", ""
}

func get(r sources.Record, field string) (value string, ok bool) {
	switch r := r.(type) {
	case sources.Advert:
		return read(adverts(), r, field)
	case sources.Area:
		return read(areas(), r, field)
	case sources.Evidence:
		return read(evidence(), r, field)
	case sources.Statistic:
		return read(statistics(), r, field)
	}
	return "", false
}

func set(r sources.Record, field, value string) (sources.Record, error) {
	switch r := r.(type) {
	case sources.Advert:
		err := write(adverts(), &r, field, value)
		return r, err
	case sources.Area:
		err := write(areas(), &r, field, value)
		return r, err
	case sources.Evidence:
		err := write(evidence(), &r, field, value)
		return r, err
	case sources.Statistic:
		err := write(statistics(), &r, field, value)
		return r, err
	}
	return r, fmt.Errorf("a record of type %T cannot be corrected", r)
}

func read[T any](fields map[string]field[T], r T, name string) (string, bool) {
	f, ok := fields[name]
	if !ok {
		return "", false
	}
	return f.get(r), true
}

func write[T any](fields map[string]field[T], r *T, name, value string) error {
	f, ok := fields[name]
	if !ok {
		return fmt.Errorf("there is no field %q", name)
	}
	return f.set(r, value)
}

// tryValue says whether a record of the kind can take the new value.
func tryValue(c Correction) error {
	blank := map[string]sources.Record{"advert": sources.Advert{}, "area": sources.Area{}, "evidence": sources.Evidence{}, "statistic": sources.Statistic{}}
	_, err := set(blank[c.Kind], c.Field, c.New)
	return err
}
