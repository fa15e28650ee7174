package corrections

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"labour/sources"
)

// fields are the fields that may be corrected: by kind of record, the name in the file of
// corrections and that of the Go field. Each is a text or a day, but the value of a statistic.
var fields = map[string]map[string]string{
	"advert": {"title": "Title", "employer": "Employer", "soc": "SOC", "route": "Route", "posted_on": "Posted", "closes_on": "Closes"},
	"area":   {"name": "Name", "name_welsh": "NameWelsh"},
	"evidence": {"title": "Title", "statement": "Statement", "signal": "Signal", "soc": "SOC", "link": "Link",
		"published_on": "Published"},
	"statistic": {"value": "Value", "region_name": "RegionName"},
}

// signals are the values that the signal of evidence may have.
var signals = []string{"gap", "no_gap", "none"}

// Kinds returns the kinds of record that may be corrected, sorted.
func Kinds() []string { return slices.Sorted(maps.Keys(fields)) }

// Fields returns the fields of a kind that may be corrected, sorted; none for an unknown kind.
func Fields(kind string) []string { return slices.Sorted(maps.Keys(fields[kind])) }

// name returns the kind of a record and the name by which a correction knows it; "" for
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
	kind, _ := name(r)
	at, ok := fields[kind][field]
	if !ok {
		return "", false
	}
	if s, is := r.(sources.Statistic); is && field == "value" {
		return printed(s), true
	}
	return fmt.Sprint(reflect.ValueOf(r).FieldByName(at)), true
}

func set(r sources.Record, field, value string) (sources.Record, error) {
	kind, _ := name(r)
	at, ok := fields[kind][field]
	if !ok {
		return r, fmt.Errorf("a record of type %T has no field %q that can be corrected", r, field)
	}
	if s, is := r.(sources.Statistic); is && field == "value" {
		err := setPrinted(&s, value)
		return s, err
	}
	if field == "signal" && !slices.Contains(signals, value) {
		return r, fmt.Errorf("%q must be one of %q", value, signals)
	}
	changed := reflect.New(reflect.TypeOf(r)).Elem()
	changed.Set(reflect.ValueOf(r))
	if to := changed.FieldByName(at); to.Kind() == reflect.String {
		to.SetString(value)
	} else {
		day, err := sources.ParseDate(value)
		if err != nil {
			return r, err
		}
		to.Set(reflect.ValueOf(day))
	}
	return changed.Interface().(sources.Record), nil
}

// printed returns the value as the interface prints it: a number, <5 or null.
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
	n, err := strconv.ParseInt(v, 10, 64)
	switch {
	case v == "<5":
		s.Value, s.Symbol = 0, sources.SymbolUnderFive
	case v == "null":
		s.Value, s.Symbol = 0, sources.SymbolNotPublished
	case err != nil || n < 0 || n > 0 && n < 5:
		return fmt.Errorf("%q must be 0, a whole number of at least 5, <5 or null", v)
	default:
		s.Value, s.Symbol = n, sources.SymbolNone
	}
	return nil
}

// tryValue returns why no record of the kind can take the new value.
func tryValue(c Correction) error {
	blank := map[string]sources.Record{"advert": sources.Advert{}, "area": sources.Area{}, "evidence": sources.Evidence{}, "statistic": sources.Statistic{}}
	_, err := set(blank[c.Kind], c.Field, c.New)
	return err
}
