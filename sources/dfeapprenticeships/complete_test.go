package dfeapprenticeships

import (
	"fmt"
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

// TestTheRowsThatAreAskedForAreMeasuredAlone: faults in all rows that are used reject the file, however many
// rows there are for parts of the learners or for other areas. A broken row may be any of them.
func TestTheRowsThatAreAskedForAreMeasuredAlone(t *testing.T) {
	passedOver := strings.Repeat(nationalRow("Total", "19-24", "100"), 2000) +
		strings.Repeat(strings.Replace(nationalRow("Total", "Total", "7"), "National", "Planning area", 1), 2000) +
		strings.Repeat(strings.Replace(nationalRow("Total", "Total", "7"), "E92000001,England", "z,", 1), 2000)
	good := strings.Repeat(nationalRow("Total", "Total", "100"), 18)
	const broken = "202425,Academic year\n"
	for _, c := range []struct{ about, rows, rejection string }{
		{"all have a decimal comma", strings.Repeat(nationalRow("Total", "Total", `"322530,0"`), 3),
			"3 of 3 rows that are asked for cannot be read, more than 5 %; the file is not used"},
		{"one of 19", good + nationalRow("Health", "Total", "many"),
			"1 of 19 rows that are asked for cannot be read, more than 5 %; the file is not used"},
		{"one of 20", good + nationalRow("Total", "Total", "100") + nationalRow("Health", "Total", "many"), ""},
		{"as many broken rows", good + broken + broken + broken, ""},
	} {
		read := scan(strings.NewReader(head+passedOver+c.rows+nationalRow("Total", "19-24", "1")), startsSet, release{})
		if last := read.faults[len(read.faults)-1].Detail; read.isRejected != (c.rejection != "") ||
			read.isRejected && last != c.rejection {
			t.Errorf("%s: rejected %v, %q; want %q", c.about, read.isRejected, last, c.rejection)
		}
	}
}

// TestALevelThatCannotBeReadRejectsTheFile: the rows of the nation are few among those of its councils, and
// without most of them the file would take the figures of the nation away unnoticed.
func TestALevelThatCannotBeReadRejectsTheFile(t *testing.T) {
	row := func(year int, level, country, council string) string {
		return fmt.Sprintf("20%d%d,Academic year,%s,%s,England,%s,Total,Total,100\n", year, year+1, level, country, council)
	}
	councils := ""
	for year := 10; year < 24; year++ {
		for n := 10; n < 20; n++ {
			councils += row(year, "Local authority district", "E92000001", fmt.Sprintf("E090000%d", n))
		}
	}
	const rejection = `3 of 5 rows with the level "National" cannot be read, more than half; the file is not used`
	for _, c := range []struct {
		faulty, good int
		want         string
	}{{3, 2, rejection}, {2, 2, ""}, {1, 4, ""}} {
		rows := councils
		for year := range c.faulty {
			rows += row(10+year, "National", "064", "")
		}
		for year := range c.good {
			rows += row(10+c.faulty+year, "National", "E92000001", "")
		}
		read := scan(strings.NewReader(head+rows), startsSet, release{})
		last := ""
		if read.isRejected {
			last = read.faults[len(read.faults)-1].Detail
		}
		if last != c.want {
			t.Errorf("%d of %d national rows: %v, want %q", c.faulty, c.faulty+c.good, read.faults, c.want)
		}
	}
}
