package ingest

import (
	"testing"

	"labour/pipeline/corrections"
	"labour/sources"
)

// A headline counts once, however often the feed was fetched while it listed it. One that the newest
// feed no longer lists is a past record.
func TestHeadlinesCountOnce(t *testing.T) {
	s := stagerOf(t, "feed")
	s.reader.options.Corrections = corrections.NewSet(nil)
	s.history = newExtractHistory(true, nil)
	day := sources.Date{Year: 2026, Month: 11, Day: 20}
	later := sources.Date{Year: 2026, Month: 11, Day: 21}
	for i, extract := range [][]sources.Headline{
		{{ID: "b", Published: later}, {ID: "a", Published: day}},
		{{ID: "b", Published: day}, {ID: "a", Published: day}},
		{{ID: "a", Published: day}, {ID: "c", Published: day}},
	} {
		s.history.begin(i == 0, i == 2)
		for _, h := range extract {
			if err := s.Emit(h); err != nil {
				t.Fatal(err)
			}
		}
		s.history.end()
	}
	if got := s.reader.result.Headlines; len(got) != 4 || s.report.Records != 4 || s.report.NewestRecords() != 2 {
		t.Errorf("%v; %d records, %d of them in the newest feed", got, s.report.Records, s.report.NewestRecords())
	}
}
