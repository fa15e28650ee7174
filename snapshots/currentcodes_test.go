package snapshots

import (
	"slices"
	"testing"
)

// TestRecordsWithCurrentCodes: a record has one form for each current code of its area, and none if its code is
// current or if it is no statistic.
func TestRecordsWithCurrentCodes(t *testing.T) {
	barking, split := "E1,E2", "E3"
	codes := NewCurrentCodes([]RegionsRow{{Code: "E9", FormerCodes: &barking}, {Code: "E9", FormerCodes: &barking},
		{Code: "E7", FormerCodes: &split}, {Code: "E8", FormerCodes: &split}, {Code: "E6"}})
	for record, want := range map[string][]string{
		"starts E2 2025-07-31 Health, and Care": {"starts E9 2025-07-31 Health, and Care"},
		"starts E3 2025-07-31 Care":             {"starts E7 2025-07-31 Care", "starts E8 2025-07-31 Care"},
		"starts E9 2025-07-31 Care":             nil,
		"starts E6 2025-07-31 Care":             nil,
		"E2":                                    nil,
		"":                                      nil,
	} {
		if got := codes.RecodedRecords(record); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", record, got, want)
		}
	}
}
