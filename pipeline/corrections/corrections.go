// Package corrections applies the operator's corrections of errors in publishers' records. A
// correction names the source, record and field, the publisher's value, the right value and the
// reason. It is applied when the record is read, and published in the table corrections.
//
// A correction applies only while the publisher's value is exactly the stated old value. Otherwise
// the publisher's value is kept, and the report names the correction so that somebody reviews it.
// Only statistics and the names of areas can be corrected. Adverts and evidence are shown as
// published, and nothing about people can be corrected.
package corrections

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"labour/snapshots"
	"labour/sources"
)

// Correction replaces a wrong value in a publisher's record. The operator decides on it.
type Correction struct {
	// key of the source whose record is corrected, such as dfe_apprenticeships
	Source string `yaml:"source"`
	// kind of the corrected record: statistic or area
	Kind string `yaml:"kind"`
	// Record identifies the corrected record: an area as "council E09000007", a statistic as
	// "apprenticeship_starts E92000001 2025-07-31 Total".
	Record     string `yaml:"record"`
	Field      string `yaml:"field"`
	Old        string `yaml:"old"` // the publisher's wrong value, exactly as published
	New        string `yaml:"new"` // the value that replaces the publisher's
	Reason     string `yaml:"reason"`
	DecidedBy  string `yaml:"by"`      // name of the person who decided the correction
	DecidedDay string `yaml:"decided"` // day on which the correction was decided, YYYY-MM-DD
}

// Outcome states whether a run applied a correction, and if not, why.
type Outcome string

// These are the outcomes of a correction of a publisher's record.
const (
	// OutcomeApplied means that the record was found and now has the corrected value.
	OutcomeApplied Outcome = "applied"
	// OutcomeOldValueDiffers means that the publisher's value is kept, because it differs from the
	// old value in the correction: the publisher has changed it, or the old value is mistyped.
	OutcomeOldValueDiffers Outcome = "mended"
	// OutcomeRecordNotFound means that the run did not read the record.
	OutcomeRecordNotFound Outcome = "no_record"
)

// Explain returns the meaning of an outcome for an operator, such as "no such record was read".
func (o Outcome) Explain() string {
	switch o {
	case OutcomeApplied:
		return "the record has the new value"
	case OutcomeOldValueDiffers:
		return "the source's value is not the stated old value, or no longer is"
	case OutcomeRecordNotFound:
		return "no such record was read"
	}
	return ""
}

// DecidedOn returns the day on which the operator decided on the correction. It returns the zero
// Date if DecidedDay is not a valid date.
func (c Correction) DecidedOn() sources.Date {
	d, _ := sources.ParseDate(c.DecidedDay) // ValidateList refuses an invalid day
	return d
}

// ValidateList returns an error that joins all errors in a list of corrections, or nil if there are
// none.
func ValidateList(list []Correction) error {
	var errs sources.ConfigErrors
	seen := map[[4]string]bool{}
	for i, c := range list {
		fault := func(ok bool, format string, args ...any) {
			errs.Require(ok, "corrections[%d]: %s", i, fmt.Sprintf(format, args...))
		}
		fault(c.Source != "" && c.Record != "", "source and record must name what is corrected")
		fault(strings.TrimSpace(c.Reason) != "" && strings.TrimSpace(c.DecidedBy) != "",
			"reason and by must say why, and who decided it")
		fault(fitsReason(c.Reason), "reason must be one line of at most %d characters", maxReason)
		fault(!c.DecidedOn().IsZero(), "decided %q must be a day, YYYY-MM-DD", c.DecidedDay)
		fault(c.Old != c.New, "old and new are the same")
		names := CorrectableFields(c.Kind)
		fault(len(names) > 0, "kind %q must be one of %s", c.Kind, strings.Join(RecordKinds(), ", "))
		fault(len(names) == 0 || slices.Contains(names, c.Field), "field %q of %s must be one of %s", c.Field, c.Kind,
			strings.Join(names, ", "))
		if slices.Contains(names, c.Field) {
			err := tryValue(c.Kind, c.Field, c.New)
			fault(err == nil, "new: %v", err)
		}
		if c.Field == "value" { // the old value as it is read, so that no suppressed number is published with it
			err := tryValue(c.Kind, c.Field, c.Old)
			fault(err == nil, "old: %v", err)
		}
		key := [4]string{c.Source, c.Kind, c.Record, c.Field}
		fault(!seen[key], "%s of %s is corrected twice", c.Field, c.Record)
		seen[key] = true
	}
	return errors.Join(errs...)
}

// maxReason is the largest number of characters of a correction's reason, which answers and pages
// show.
const maxReason = 300

// fitsReason reports whether a reason has at most maxReason characters and no control characters.
// Line breaks at its end are permitted and not counted, because YAML adds one to a block of text.
func fitsReason(reason string) bool {
	text := strings.TrimRight(reason, "\n")
	return utf8.RuneCountInString(text) <= maxReason && !strings.ContainsFunc(text, unicode.IsControl)
}

// CheckNotDecidedAfter returns an error that joins one error for each correction in list that was
// decided after day, or nil if there is none. day is the latest date on which a decision can have
// been made.
func CheckNotDecidedAfter(list []Correction, day sources.Date) error {
	var errs sources.ConfigErrors
	for i, c := range list {
		errs.Require(!day.Before(c.DecidedOn()), "corrections[%d]: decided %s is in the future, after %s", i,
			c.DecidedDay, day)
	}
	return errors.Join(errs...)
}

// Set holds the corrections of one run and their outcomes. It is not safe for concurrent use.
type Set struct {
	list     []Correction
	byRecord map[[3]string][]int
	outcomes []Outcome
}

// NewSet returns a Set of the corrections in list. The caller must have checked list with
// ValidateList.
func NewSet(list []Correction) *Set {
	s := &Set{list: slices.Clone(list), byRecord: map[[3]string][]int{}, outcomes: make([]Outcome, len(list))}
	for i, c := range s.list {
		key := [3]string{c.Source, c.Kind, c.Record}
		s.byRecord[key] = append(s.byRecord[key], i)
		s.outcomes[i] = OutcomeRecordNotFound
	}
	return s
}

// SplitBySource finds the corrections in list that can have an effect. effective has the
// corrections of configured sources, which infos describes. remarks has a text for the operator on
// each other correction.
func SplitBySource(list []Correction, infos []sources.Info) (effective []Correction, remarks []string) {
	for i, c := range list {
		if slices.ContainsFunc(infos, func(s sources.Info) bool { return s.Key == c.Source }) {
			effective = append(effective, c)
			continue
		}
		remarks = append(remarks, fmt.Sprintf("corrections[%d] is for %s, which is not configured: it has no effect; "+
			"remove it or configure the source", i, c.Source))
	}
	return effective, remarks
}

// Apply returns a copy of a source's record with its corrections applied, and records their
// outcomes. If a record has several versions, call Apply with the newest first: the first call
// decides the outcome.
func (s *Set) Apply(source string, r sources.Record) sources.Record {
	if len(s.list) == 0 {
		return r
	}
	kind, record := recordName(r)
	for _, i := range s.byRecord[[3]string{source, kind, record}] {
		c := s.list[i]
		outcome := OutcomeOldValueDiffers
		if now, ok := fieldValue(r, c.Field); ok && now == c.Old {
			// ValidateList has tried the value on such a record.
			if fixed, err := withField(r, c.Field, c.New); err == nil {
				r, outcome = fixed, OutcomeApplied
			}
		}
		if s.outcomes[i] == OutcomeRecordNotFound {
			s.outcomes[i] = outcome
		}
	}
	return r
}

// ForEachOutcome calls f for each correction, in the order of the operator's file.
func (s *Set) ForEachOutcome(f func(c Correction, o Outcome)) {
	for i, c := range s.list {
		f(c, s.outcomes[i])
	}
}

// correctableFields lists the fields that can be corrected, by the type of record. They are sorted,
// and have the names that the file of corrections uses.
var correctableFields = map[string][]string{
	"area":      {"name", "name_welsh"},
	"statistic": {"region_name", "value"},
}

// RecordKinds returns the types of record that can be corrected, sorted: "area" and "statistic".
func RecordKinds() []string { return slices.Sorted(maps.Keys(correctableFields)) }

// CorrectableFields returns the names of the fields that can be corrected, sorted. kind is the type
// of record, such as "area". There are none for an unknown type.
func CorrectableFields(kind string) []string { return correctableFields[kind] }

// recordName returns how the file of corrections refers to a record. kind is its type, such as
// "area". record is its name, such as "council E09000007". Both are "" if the record cannot be
// corrected.
func recordName(r sources.Record) (kind, record string) {
	switch r := r.(type) {
	case sources.Area:
		return "area", r.Kind + " " + r.Code
	case sources.Statistic:
		return "statistic", snapshots.FigureRecord{Metric: r.Metric, RegionCode: r.RegionCode,
			PeriodEnd: r.PeriodEnd.String(), SubjectArea: r.SubjectArea}.String()
	}
	return "", ""
}

// fieldValue returns the value of a field as the file of corrections writes it. ok is false if the
// field cannot be corrected.
func fieldValue(r sources.Record, field string) (value string, ok bool) {
	switch r := r.(type) {
	case sources.Area:
		switch field {
		case "name":
			return r.Name, true
		case "name_welsh":
			return r.NameWelsh, true
		}
	case sources.Statistic:
		switch field {
		case "region_name":
			return r.RegionName, true
		case "value":
			return printValue(r), true
		}
	}
	return "", false
}

// withField returns a copy of the record with a new value for the field. It returns an error if the
// field cannot be corrected, or if the value is not valid for it.
func withField(r sources.Record, field, value string) (sources.Record, error) {
	switch r := r.(type) {
	case sources.Area:
		switch field {
		case "name":
			r.Name = value
			return r, nil
		case "name_welsh":
			r.NameWelsh = value
			return r, nil
		}
	case sources.Statistic:
		switch field {
		case "region_name":
			r.RegionName = value
			return r, nil
		case "value":
			err := setPrinted(&r, value)
			return r, err
		}
	}
	return r, fmt.Errorf("a record of type %T has no field %q that can be corrected", r, field)
}

// printValue returns the value of a statistic as the API prints it: a number, "<5" or "null".
func printValue(s sources.Statistic) string {
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
	isCount := n == 0 || n >= 5 && n <= sources.MaxCount
	switch {
	case v == "<5":
		s.Value, s.Symbol = 0, sources.SymbolUnderFive
	case v == "null":
		s.Value, s.Symbol = 0, sources.SymbolNotPublished
	case err != nil || !isCount:
		return fmt.Errorf("%q must be 0, a whole number from 5 to %d, <5 or null", v, sources.MaxCount)
	default:
		s.Value, s.Symbol = n, sources.SymbolNone
	}
	return nil
}

// tryValue returns an error if a value is not valid for a field of a kind of record. A Welsh name may
// be removed, but not another name.
func tryValue(kind, field, value string) error {
	isName := field == "name" || field == "region_name"
	if isName && strings.TrimSpace(value) == "" {
		return errors.New("a name must not be empty")
	}
	blank := map[string]sources.Record{"area": sources.Area{}, "statistic": sources.Statistic{}}
	_, err := withField(blank[kind], field, value)
	return err
}
