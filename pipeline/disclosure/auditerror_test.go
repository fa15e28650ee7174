package disclosure_test

import (
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/gate"
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/madeup"
)

// TestAnAuditThatFailsWithholds makes the audit fail, by allowing it one step for each
// question and by not saying where people truly are, so that the questions are asked: "if the audit errors out, publish the skill with 2-D people fields
// withheld. Never skip." What has one filter stays, and the report counts the failure.
func TestAnAuditThatFailsWithholds(t *testing.T) {
	w := madeup.Sized(4, 3, 0, 3, 2)
	cells := truth(w, w.People(3, 400))
	for i := range cells {
		cells[i].Recent = [disclosure.Measures][2]int64{}
	}
	numbers := func(limits gate.Limits) (lines, tables, errors int) {
		r := rules(w)
		r.Gate = limits
		var err error
		if r.Book, err = ledger.Open(t.TempDir(), false); err != nil {
			t.Fatal(err)
		}
		r.End, r.Launch = 2026*12+9, 2020*12
		result, err := r.Skill("care", cells)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range result.Audits {
			errors += len(a.Errors)
		}
		for _, p := range result.Printed {
			switch two := p.Place != "" && p.Value != ""; {
			case p.TurnedDown.String() == "null":
			case two:
				tables++
			default:
				lines++
			}
		}
		return lines, tables, errors
	}
	soundLines, soundTables, errors := numbers(gate.Limits{})
	if soundTables == 0 || errors > 0 {
		t.Fatalf("a sound audit prints %d cells of two filters and has %d errors", soundTables, errors)
	}
	lines, tables, errors := numbers(gate.Limits{Unknowns: 6000, Steps: -1})
	if tables > 0 || lines == 0 || lines > soundLines || errors == 0 {
		t.Errorf("after a failed audit %d cells of two filters and %d of one (%d before) are printed, with %d errors", tables, lines, soundLines, errors)
	}
}
