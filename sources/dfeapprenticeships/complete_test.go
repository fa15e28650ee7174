package dfeapprenticeships

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// councilRow is a row of the year 2024/25 for a council.
func councilRow(code, name, starts string) string {
	return "202425,Academic year,Local authority district,E92000001,England," + code + ",Total,Total," + starts + "," +
		name + "\n"
}

// TestAPeriodWithoutTotalsIsAFault: the publisher may have a new word for the total in one year or at one level,
// and its figures must not vanish without a word.
func TestAPeriodWithoutTotalsIsAFault(t *testing.T) {
	year := func(year, subject, age string) string {
		return strings.Replace(nationalRow(subject, age, "100"), "202425", year, 1)
	}
	old := year("202223", "Total", "Total") + year("202223", "Total", "19-24") + year("202324", "Health", "Total")
	newest := year("202425", "Total", "All ages") + year("202425", "Total", "19-24")
	rows, faults := scanAll(t, head+old+newest, startsSet)
	want := []string{"suddenly_empty  all 2 rows of \"202425\" with the level \"National\" are for a part of the " +
		"learners; if the publisher has a new word for the total, this program must learn it"}
	if len(rows) != 2 || !slices.Equal(faults, want) {
		t.Errorf("%d rows, %q, want %q", len(rows), faults, want)
	}
	if rows, faults := scanAll(t, head+old, startsSet); len(rows) != 2 || len(faults) != 0 {
		t.Errorf("a year with totals: %d rows, %q", len(rows), faults)
	}
}

// TestPeriodsAndLevelsAreCleaned: a row that a spreadsheet has written is of the same period and level, and
// counts as its total.
func TestPeriodsAndLevelsAreCleaned(t *testing.T) {
	part := nationalRow("Total", "19-24", "100")
	total := strings.Replace(nationalRow("Total", "Total", "100"), "202425,Academic year,National",
		`"=""202425""",Academic year, National `, 1)
	rows, faults := scanAll(t, head+part+total, startsSet)
	if len(rows) != 1 || len(faults) != 0 || rows[0].PeriodEnd.String() != "2025-07-31" || rows[0].RegionKind != "nation" {
		t.Errorf("%+v, %q", rows, faults)
	}
}

// TestAnAreaWithoutCodeIsAFault, unless the publisher states that the area is unknown.
func TestAnAreaWithoutCodeIsAFault(t *testing.T) {
	withCouncils := strings.TrimSpace(head) + ",lad_name\n"
	good := strings.Repeat(councilRow("E09000007", "Camden", "90"), 40)
	for row, want := range map[string]string{
		councilRow("", "Barnet", "70"):                        "bad_value line 42",
		councilRow("E12000007", "Barnet", "70"):               "bad_value line 42",
		councilRow("", "Outside of England and unknown", "7"): "",
		councilRow("x", "", "7"):                              "",
		councilRow("z", "Outside of England and unknown", ""): "",
	} {
		rows, faults := scanAll(t, withCouncils+good+row, startsSet)
		if len(rows) != 1 || len(faults) > 1 || !strings.HasPrefix(strings.Join(faults, ""), want) ||
			(want == "") != (len(faults) == 0) {
			t.Errorf("%s: %d rows, %q, want %q", row, len(rows), faults, want)
		}
	}
}

// TestAFileWithManyFaultyPeriodsIsRejected: the limit of 5 per cent holds for faults of every kind.
func TestAFileWithManyFaultyPeriodsIsRejected(t *testing.T) {
	var r release
	r.Latest.Published = time.Date(2025, 11, 27, 0, 0, 0, 0, time.UTC)
	late := strings.Replace(nationalRow("Total", "Total", "90"), "202425", "203031", 1)
	for n, rejected := range map[int]bool{18: true, 19: false} {
		text := head + strings.Repeat(nationalRow("Total", "Total", "100"), n) + late
		if read := scan(strings.NewReader(text), startsSet, r); read.isRejected != rejected {
			t.Errorf("a period after the publication in 1 of %d rows: %v", n+1, read.faults)
		}
	}
}
