package onsgeography

import (
	"slices"
	"strings"

	"labour/sources"
)

// yearsOf finds the code fields of a kind of every year, oldest first.
func yearsOf(kind string, fields []string) []columns {
	var years []columns
	for _, f := range fields {
		m := fieldPattern.FindStringSubmatch(f)
		if m != nil && strings.EqualFold(m[1], kinds[kind].prefix) && strings.EqualFold(m[3], "CD") {
			years = append(years, columns{code: f, edition: "20" + m[2]})
		}
	}
	slices.SortFunc(years, func(a, b columns) int { return strings.Compare(a.edition, b.edition) })
	return years
}

// changes takes what became of a code from each year to the next. A code that is not
// official (the joint codes of areas that were merged later) is a fault and no
// change, so that what lies before it is not continued by a guess.
func (r *reader) changes(object, where string, f feature) error {
	for i := 1; i < len(r.layout.years); i++ {
		was, now := r.layout.years[i-1], r.layout.years[i]
		from, to := f.text(was.code), f.text(now.code)
		if from == "" || to == "" {
			continue
		}
		for _, code := range []string{from, to} {
			if err := checkCode(r.v.Changes, code); err != nil {
				r.fault(object, where, sources.FaultValue, err.Error())
				return nil
			}
		}
		c := sources.CodeChange{Source: Key, Kind: r.v.Changes, From: from, To: to, Edition: now.edition}
		if _, there := r.given[c]; there {
			continue
		}
		r.given[c] = ""
		if err := r.out.Emit(c); err != nil {
			return err
		}
	}
	return nil
}
