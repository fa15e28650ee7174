package disclosure

import (
	"fmt"

	"labour/pipeline/disclosure/gate"
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
)

// Kept is what the audit found of counts, and what the ledger must remember of
// those that are printed, under a name of their own.
type Kept struct {
	Audits  []gate.Report // they name small groups: for the protected zone alone
	Entries []ledger.Entry
}

// standing masks counts of people as they stand at people_as_of, such as residents:
// lines under R1 and R2 in the light of the ledger, and the audit. For the ledger
// a count that stands is that of the time from the beginning on, so that the
// difference of two quarter ends (those who came less those who went) is never 1
// to 4, nor follows from siblings. With a lost ledger nothing is printed: what was
// printed last is not known.
func (r Rules) standing(name string, b *mask.Board, m measure, kept *Kept) error {
	if r.Book == nil {
		b.Run()
		kept.Audits = append(kept.Audits, gate.New(b.Index).Audit(b, nil, r.Gate))
		return nil
	}
	entries, err := r.Book.Skill(name)
	if err != nil {
		return fmt.Errorf("mask %s: %w", name, err)
	}
	r.Launch = 0
	p := recall(entries, m, r, b, newCast(b.Index), true)
	p.apply(b)
	kept.Audits = append(kept.Audits, gate.New(b.Index).Audit(b, nil, r.Gate))
	return nil
}

// entry is a count that stands, for the ledger.
func (r Rules) entry(c Cell, m measure, n int64) ledger.Entry {
	c = timeless(c)
	return ledger.Entry{Measure: int(m), Signature: c.Signature, Place: c.Place, Value: c.Value, From: 0, To: r.End, N: n}
}
