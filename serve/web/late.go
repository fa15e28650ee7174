package web

import (
	"cmp"
	"fmt"
	"time"

	"labour/serve/api"
	"labour/snapshots"
)

// addLateSources adds sentences about late sources to the foot of the page. A sentence names a
// source of the page's adverts that was late on the day that the data describes, and states since
// when nothing was received. A source that became late after that day needs no sentence, because
// the page states the day. Published statistics state their own periods.
func addLateSources(v *request) {
	if v.err != nil || v.stamp.Snapshot == nil {
		return
	}
	for _, source := range lateSources(v) {
		if source.AdvertsCounted && v.stamp.uses(source.Key) {
			v.stamp.Late = append(v.stamp.Late, lateSentence(source))
		}
	}
}

// lateSources returns the sources that were late at the end of the day that the data describes,
// without those that were never received.
func lateSources(v *request) []api.SourcesRow {
	if v.late != nil || v.err != nil {
		return v.late
	}
	endOfDay := v.snapshot.AsOf().AddDate(0, 0, 1)
	list, err := v.snapshot.Sources(v.ctx, api.SourcesQuery{At: endOfDay})
	v.fail(err)
	v.late = []api.SourcesRow{}
	for _, source := range list.Rows {
		if source.Stale && source.LastSuccessAt.T != nil {
			v.late = append(v.late, source)
		}
	}
	return v.late
}

// lastAdvertsDay returns the day up to which the data has the adverts of a source. This is the day
// that the data describes. If the source was late on that day, it is the day on which its late parts
// were last received. The source is that of the filter f. If f has none, it is the platform's feed,
// because most adverts come from it.
func lastAdvertsDay(v *request, f filter) time.Time {
	key := cmp.Or(f.Source, api.PlatformKey)
	for _, source := range lateSources(v) {
		if source.Key == key {
			return snapshots.DateOf(*cmp.Or(source.StaleReceivedAt.T, source.LastSuccessAt.T)).Time
		}
	}
	return v.snapshot.AsOf()
}

// lateSentence returns a sentence about a late source. If only some parts of the source are late,
// such as some of its boards, the sentence gives their number. If all parts are late, it gives the
// day on which the source was last received.
func lateSentence(source api.SourcesRow) string {
	if source.PartsStale < source.Parts {
		return fmt.Sprintf("Of the source “%s”, %d of %d parts are late; the figures do not have what they "+
			"published since they were last received.", source.Title, source.PartsStale, source.Parts)
	}
	return fmt.Sprintf("The source “%s” was last received on %s; anything newer is not in the figures.", source.Title,
		longDate(*source.LastSuccessAt.T))
}

// advertsCountedUpTo returns the day up to which a snapshot counts the platform's adverts. That
// is the day that the data describes. If the platform's feed was late on that day, it is the day on
// which the feed was last received, and late is true. It reads the manifest, as the tables of earlier
// snapshots are not loaded. The manifest has no parts: if only some files of the feed could be
// fetched, the feed counts as received.
func advertsCountedUpTo(m snapshots.Manifest) (day time.Time, late bool) {
	var received time.Time
	for _, input := range m.Inputs {
		if input.Source == api.PlatformKey && input.FetchedAt.After(received) {
			received = input.FetchedAt
		}
	}
	endOfDay := m.AsOf.AddDate(0, 0, 1)
	if received.IsZero() || !snapshots.IsPartStale(string(api.Daily), &received, endOfDay) {
		return m.AsOf.Time, false
	}
	return received.UTC(), true
}
