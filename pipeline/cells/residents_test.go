package cells

import (
	"fmt"

	"pgregory.net/rapid"
)

type applicantRow struct {
	Person       int32  `col:"person"`
	Resident     string `col:"resident"`
	Registered   bool   `col:"registered"`
	Borough      string `col:"borough"`
	Level        int8   `col:"level"`
	SeekingWork  bool   `col:"seeking_work"`
	SectorSought string `col:"sector_sought"`
}

type heldRow struct {
	Skill  string `col:"skill"`
	Person int32  `col:"person"`
	Level  int8   `col:"level"`
}

// compareResidents holds everybody who may count, and what residents have on record, against the
// staged rows.
func compareResidents(t *rapid.T, r raw, applicants []applicantRow, held []heldRow) {
	ids := map[string]bool{}
	for _, p := range r.people {
		ids[p.ID] = true
		row := applicants[p.Ordinal]
		level := int8(0)
		for _, h := range r.held {
			if h.Resident == p.Ordinal {
				level = max(level, h.Level)
			}
		}
		if want := (applicantRow{p.Ordinal, p.ID, true, p.Borough, level, p.SeekingWork, p.SectorSought}); row != want {
			t.Fatalf("resident %+v, want %+v", row, want)
		}
	}
	for _, o := range r.outcomes {
		ids[o.ResidentID] = true
	}
	for i, row := range applicants {
		if int(row.Person) != i || !ids[row.Resident] || row.Registered != (i < len(r.people)) {
			t.Fatalf("applicant %d is %+v", i, row)
		}
		if !row.Registered && (row.SeekingWork || row.Borough+row.SectorSought != "" || row.Level != 0) {
			t.Fatalf("applicant %d is no resident, and is %+v", i, row)
		}
	}
	want := map[string]int{}
	for _, h := range r.held {
		want[fmt.Sprint(heldRow{skillList[h.Skill], h.Resident, h.Level})] = 1
	}
	sameCounts(t, "skills on record", want, countRows(held))
	if len(applicants) != len(ids) {
		t.Fatalf("%d applicants of %d", len(applicants), len(ids))
	}
}
