package trace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"labour/pipeline/counting"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// describe adds to s what the run's report says about the source. Set adverts if the table's
// figures depend on counted adverts.
func describe(s *Source, r *report.Report, adverts bool) {
	at := slices.IndexFunc(r.Sources, func(one *report.SourceEntry) bool { return one.Source == s.Key })
	if at < 0 {
		return
	}
	one := r.Sources[at]
	s.TakenOver = one.TakenOver
	for _, code := range slices.Sorted(maps.Keys(one.Faults)) {
		s.Faults = append(s.Faults, Faults{Code: code, Records: SuppressedCount(one.Faults[code])})
	}
	for _, c := range one.Carried {
		s.Carried = append(s.Carried, c.Part)
	}
	if adverts && one.Adverts != nil {
		s.Adverts = &Adverts{Counted: SuppressedCount(one.Adverts.Counted), Excluded: []ExcludedAdverts{}}
		for _, rule := range slices.Sorted(maps.Keys(r.Rules)) {
			s.Adverts.Excluded = append(s.Adverts.Excluded,
				ExcludedAdverts{Rule{rule, r.Rules[rule]},
					SuppressedCount(one.Adverts.Excluded[counting.ExclusionReason(rule)])})
		}
	}
}

// inputsOf returns the files of a source that the manifest m lists as inputs, sorted by name and
// hash.
func inputsOf(m snapshots.Manifest, source string) []Input {
	all, at := []Input{}, map[object]int{}
	for _, in := range m.Inputs {
		if in.Source != source {
			continue
		}
		for _, o := range in.Objects {
			id := object{o.Name, o.HashInManifest()}
			i, known := at[id]
			if !known {
				i, at[id] = len(all), len(all)
				all = append(all, Input{Name: o.Name, SHA256: o.SHA256, HMACSHA256: o.HMACSHA256, Bytes: o.Bytes,
					FirstUsed: in.FetchedAt, LastUsed: in.FetchedAt})
			}
			if in.FetchedAt.Before(all[i].FirstUsed) {
				all[i].FirstUsed = in.FetchedAt
			}
			if in.FetchedAt.After(all[i].LastUsed) {
				all[i].LastUsed = in.FetchedAt
			}
		}
	}
	slices.SortFunc(all, func(a, b Input) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.SHA256+a.HMACSHA256, b.SHA256+b.HMACSHA256))
	})
	return all
}

// correctionsOf returns the corrections of publishers' records in a snapshot, by source key. It
// returns none if the snapshot has no table corrections.
func correctionsOf(dir string) (map[string][]Correction, error) {
	rows, err := parquetio.ReadAll[snapshots.CorrectionsRow](snapshots.TablePath(dir, "corrections"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("trace: read the corrections: %w", err)
	}
	all := map[string][]Correction{}
	for _, r := range rows {
		all[r.SourceKey] = append(all[r.SourceKey], Correction{
			Kind:      r.Kind,
			Record:    r.Record,
			Field:     r.Field,
			Old:       r.Old,
			New:       r.New,
			Reason:    r.Reason,
			DecidedBy: r.DecidedBy,
			DecidedOn: snapshots.DateOf(r.DecidedOn).String(),
			Outcome:   r.Outcome,
		})
	}
	return all, nil
}

// RuleSmallNumbers is the text of the rule for all counts of people: 1 to 4 are published as "<5".
const RuleSmallNumbers = "A count of people from 1 to 4 is never a number and never 0. It is the string \"<5\"."

// PeopleRules returns the rules that protect counts of people on the platform. The keys of
// people_withheld in report.json are names of these rules.
func PeopleRules() []Rule {
	return []Rule{
		{"small_number", RuleSmallNumbers},
		{"rounded", "A count of 5 or more is shown as one of the two multiples of 5 around it, chosen by a " +
			"fair draw, unless the manifest has protection plain."},
		{report.WithheldInSmallGroups, "If a figure is \"<5\" or less than 10, nothing is shown below it, not even a zero; " +
			"below a figure of 10 or 15, nothing is shown that is less than 10."},
		{"share", "A share is computed from the printed counts, and only of 20 people or more."},
		{"floor_of_adverts",
			"A filter of fewer than 5 counted adverts, or of fewer than 3 employers, in the twelve months has no figures of " +
				"people."},
	}
}

// disclosureRules returns the rules that protect the counts of people in a table. It returns none
// if the table has no such counts.
func disclosureRules(t snapshots.Table) []Rule {
	switch {
	case snapshots.IsPeopleTable(t.Name):
		return PeopleRules()
	case len(t.PeopleColumns()) > 0: // counts published by others
		return []Rule{{"small_number", RuleSmallNumbers}}
	}
	return []Rule{}
}
