package tally

import (
	"slices"

	"labour/snapshots"
)

// Cell is one cell of the published lattice for one skill.
type Cell struct {
	Signature string // one of package snapshots
	Months    uint8  // window of people; 1 for the rows of a month
	Place     uint16
	// Value is the code of the other filter: a sector, an occupation, a level, a
	// source, or a month counted back from that of as_of; 0 for none.
	Value uint16
	Skill uint32
}

// Person holds the printed figures of people of a cell. Status is that of package
// figure.
type Person struct {
	TurnedDown                *int64
	Status                    string
	HiredWith, TurnedDownWith *int64 // shares in tenths of a per cent; nil = not published
}

// printed is a Person as it is held; none stands for no figure.
type printed struct {
	turnedDown     int32
	hiredWith      int16
	turnedDownWith int16
	status         uint8 // in people.statuses
}

const none = -1

// people are the printed figures, sorted by cell.
type people struct {
	keys     []uint64
	figures  []printed
	statuses []string
}

// signatures lists the signatures of the lattice in the order of their bytes.
func signatures() []string {
	list := []string{snapshots.SigNone, snapshots.SigPlace, snapshots.SigSector, snapshots.SigSOC, snapshots.SigLevel,
		snapshots.SigSource, snapshots.SigMonth, snapshots.SigPlaceSector, snapshots.SigPlaceSOC, snapshots.SigPlaceLevel,
		snapshots.SigPlaceSource, snapshots.SigPlaceMonth}
	slices.Sort(list)
	return list
}

// key orders cells as the table people orders its rows, so that loading need not
// sort: signature (4 bits), place (16), value (16), months (8), skill (20). Months
// are in calendar order in the table and count back here.
func (c Cell) key(signature int, isMonth bool) uint64 {
	value := uint64(c.Value)
	if isMonth {
		value = months - 1 - value
	}
	return uint64(signature)<<60 | uint64(c.Place)<<44 | value<<28 | uint64(c.Months)<<20 | uint64(c.Skill)
}

// Person finds the printed figures of a cell; ok is false where the snapshot
// publishes none.
func (t *Tally) Person(c Cell) (p Person, ok bool) {
	signature, known := slices.BinarySearch(signaturesInOrder, c.Signature)
	if !known {
		return p, false
	}
	at, ok := slices.BinarySearch(t.people.keys, c.key(signature, isMonth(c.Signature)))
	if !ok {
		return p, false
	}
	f := t.people.figures[at]
	return Person{TurnedDown: number(f.turnedDown), Status: t.people.statuses[f.status],
		HiredWith: number(f.hiredWith), TurnedDownWith: number(f.turnedDownWith)}, true
}

// signaturesInOrder is made once; it never changes.
var signaturesInOrder = signatures()

func isMonth(signature string) bool {
	return signature == snapshots.SigMonth || signature == snapshots.SigPlaceMonth
}

func number[T int16 | int32](n T) *int64 {
	if n == none {
		return nil
	}
	v := int64(n)
	return &v
}
