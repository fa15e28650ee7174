// Package lattice chooses the published combination that holds the figures of people of a
// question about skills not met. The combinations are fixed by rule and never by data: a
// question outside them has no figures of people at all, whatever the counts are.
package lattice

import (
	"labour/serve/api"
	"labour/snapshots"
)

// Cell is where the people figures of a question stand in the table people.
type Cell struct {
	// Signature is one of the signatures of package snapshots; empty = the
	// question is outside the lattice and every people field is null.
	Signature string
	// Place and Value are the cell's keys. Where a part is broken down it is
	// empty here, and the bucket of each row takes its place.
	Place, Value string
	// Window is the people window in months; 1 for the rows of a month.
	Window int
}

// Published says whether the question lies inside the lattice.
func (c Cell) Published() bool { return c.Signature != "" }

// Of is the cell of a question: "no filter, one filter, or `place` with one other but
// `by=month`, `by` counting as a filter; SOC prefixes are filters like others". skill is
// no filter.
func Of(q api.SkillsUnmetQuery) Cell {
	other, value, ok := otherFilter(q)
	if !ok {
		return Cell{}
	}
	c := Cell{Signature: other, Place: q.Place, Value: value, Window: q.Window}
	if q.Place != "" || q.By == api.ByPlace {
		c.Signature = withPlace(other)
	}
	if c.Signature == "" {
		return Cell{}
	}
	if q.By == api.ByPlace {
		c.Place = ""
	}
	if q.By == api.ByMonth {
		c.Window = 1
	}
	return c
}

// otherFilter is the one filter beside place, by included; ok is false when there are
// several.
func otherFilter(q api.SkillsUnmetQuery) (signature, value string, ok bool) {
	signature = snapshots.SigNone
	for _, f := range []struct {
		signature, value string
		by               api.By
	}{
		{snapshots.SigSector, q.Sector, api.BySector},
		{snapshots.SigSOC, q.SOC, api.BySOC},
		{snapshots.SigLevel, level(q.Level), api.ByLevel},
		{snapshots.SigSource, q.Source, ""},
		{snapshots.SigMonth, "", api.ByMonth},
	} {
		broken := f.by != "" && q.By == f.by
		if f.value == "" && !broken {
			continue
		}
		if signature != snapshots.SigNone {
			return "", "", false
		}
		signature, value = f.signature, f.value
		if broken {
			value = ""
		}
	}
	return signature, value, true
}

func level(n api.Level) string {
	if n < 1 || n > 9 {
		return ""
	}
	return string(rune('0' + n))
}

func withPlace(other string) string {
	switch other {
	case snapshots.SigNone:
		return snapshots.SigPlace
	case snapshots.SigSector:
		return snapshots.SigPlaceSector
	case snapshots.SigSOC:
		return snapshots.SigPlaceSOC
	case snapshots.SigLevel:
		return snapshots.SigPlaceLevel
	case snapshots.SigSource:
		return snapshots.SigPlaceSource
	}
	return ""
}

// Others counts the filters of a question besides the place, by included.
func Others(q api.SkillsUnmetQuery) (n int) {
	for _, given := range []bool{q.Sector != "" || q.By == api.BySector, q.SOC != "" || q.By == api.BySOC,
		q.Level != 0 || q.By == api.ByLevel, q.Source != "", q.By == api.ByMonth} {
		if given {
			n++
		}
	}
	return n
}
