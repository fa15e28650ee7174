// Package lattice chooses the cell of the published lattice that holds the
// people figures of a question about skills not met. The lattice is fixed by
// rule and never by data: a question outside it has no people figures at all,
// whatever the counts are.
package lattice

import (
	"labour/serve/labourdata"
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

// socDigits is the length of a unit group, the only SOC level of the lattice.
const socDigits = 4

// Of is the cell of a question: "no filter, one filter, or place with one
// other, by counting as a filter". skill is no filter. A SOC prefix shorter than
// four digits is outside, except where the question is broken down by soc: then
// the bucket is the cell. Windows: 3, 6, 12 and 24 with none or one filter, 12
// and 24 for place with one other; months with no other filter, and for place
// with window 12.
func Of(q labourdata.SkillsUnmetQuery) Cell {
	other, value, ok := otherFilter(q)
	if !ok {
		return Cell{}
	}
	c := Cell{Signature: other, Place: q.Place, Value: value, Window: q.Window}
	if q.Place != "" || q.By == labourdata.ByPlace {
		c.Signature = withPlace(other)
	}
	if q.By == labourdata.ByPlace {
		c.Place = ""
	}
	if !windowPublished(c.Signature, q.Window) {
		return Cell{}
	}
	if q.By == labourdata.ByMonth {
		c.Window = 1
	}
	return c
}

// otherFilter is the one filter beside place, by included; ok is false when
// there are several, or when it is a SOC prefix.
func otherFilter(q labourdata.SkillsUnmetQuery) (signature, value string, ok bool) {
	signature = snapshots.SigNone
	for _, f := range []struct {
		signature, value string
		by               labourdata.By
	}{
		{snapshots.SigSector, q.Sector, labourdata.BySector},
		{snapshots.SigSOC, q.SOC, labourdata.BySOC},
		{snapshots.SigLevel, level(q.Level), labourdata.ByLevel},
		{snapshots.SigSource, q.Source, ""},
		{snapshots.SigMonth, "", labourdata.ByMonth},
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
	return signature, value, signature != snapshots.SigSOC || value == "" || len(value) == socDigits
}

func level(n int) string {
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
	case snapshots.SigMonth:
		return snapshots.SigPlaceMonth
	}
	return ""
}

func windowPublished(signature string, months int) bool {
	switch signature {
	case snapshots.SigPlaceSector, snapshots.SigPlaceSOC, snapshots.SigPlaceLevel, snapshots.SigPlaceSource:
		return months == 12 || months == 24
	case snapshots.SigPlaceMonth:
		return months == 12
	}
	return months == 3 || months == 6 || months == 12 || months == 24
}
