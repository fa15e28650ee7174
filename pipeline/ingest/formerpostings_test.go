package ingest

import (
	"slices"
	"testing"

	"labour/pipeline/report"
	"labour/pipeline/staging"
	"labour/sources"
	"labour/sources/sourcetest"
)

// An older version that was posted in an earlier month is a former posting of the vacancy, and is not superseded.
func TestFormerPostingsAreNotSuperseded(t *testing.T) {
	version := func(posted string) sources.Advert {
		a := liveAdvert()
		day, err := sources.ParseDate(posted)
		if err != nil {
			t.Fatal(err)
		}
		a.Posted = day
		return a
	}
	h := newExtractHistory(true, nil)
	for i, c := range []struct {
		posted string
		want   bool
	}{
		{"2026-07-10", false},
		{"2026-07-02", true}, // the same month
		{"2026-05-31", false},
		{"2026-06-20", true}, // corrected to an earlier day since
		{"", true},
		{"2025-12-01", false},
	} {
		h.begin(i == 0, false)
		a := version(c.posted)
		if got := h.isSuperseded(a); got != c.want || h.hasNewer(&a) != c.want {
			t.Errorf("version %d, posted %q: superseded %v, want %v", i, c.posted, got, c.want)
		}
		h.end()
	}
}

// A board gives its advert a new date every month and keeps the id. Each month has its posting, from the list in
// which it was seen last, and all are of one vacancy; a run that reads the lists from the cache gives the same.
func TestAnAdvertWithANewDateKeepsItsMonths(t *testing.T) {
	version := func(posted int) sources.Record {
		a := advertOf("boards", "a")
		a.Origin, a.Posted = sources.OriginEmployerBoard, dayOf(posted)
		return a
	}
	info := sources.Info{Key: "boards", Kind: sources.KindEmployerBoards, ListsLiveOnly: true, HasAdverts: true,
		Terms: sources.Terms{MayCount: true}}
	boards := recorded{info: info, objects: map[string][]sources.Record{"list1": {version(-3)}, "list2": {version(-70)},
		"list3": {version(-72)}, "list4": {version(-140)}}}
	extracts := []sources.Extract{extractOf("boards", 0, "list1"), extractOf("boards", -60, "list2"),
		extractOf("boards", -71, "list3"), extractOf("boards", -130, "list4")}
	feed := recorded{info: sources.Info{Key: "feed", Kind: sources.KindPlatform},
		objects: map[string][]sources.Record{"all1": {camden()}}}
	cache := t.TempDir()
	for range 2 {
		var steps []string
		options := optionsOf(t, &steps)
		options.SourceInfos = []sources.Info{info}
		var err error
		if options.PastAdverts, err = OpenPastAdvertCache(cache, "test", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(t.Context(), sourcetest.OpenArchive(t), []SourceWithExtracts{
			{feed, []sources.Extract{extractOf("feed", 0, "all1")}}, {boards, extracts}}, options,
			report.New(dayOf(0))); err != nil {
			t.Fatal(err)
		}
		var posted []string
		for _, a := range stagedRows[staging.Advert](t, options.StagingDir, "adverts") {
			posted = append(posted, sources.DateOf(a.Posted).String())
		}
		want := []string{dayOf(-3).String(), dayOf(-70).String(), dayOf(-140).String()}
		if !slices.Equal(posted, want) {
			t.Errorf("postings of %q, want %q", posted, want)
		}
		for _, v := range stagedRows[staging.AdvertVacancy](t, options.StagingDir, "advert_vacancies") {
			if v.CountedAs != 2 {
				t.Errorf("posting %d counts as %d, want all as the first posting", v.Ordinal, v.CountedAs)
			}
		}
	}
}
