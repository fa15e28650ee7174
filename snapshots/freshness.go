package snapshots

import "time"

// FreshnessRow is a row of the table freshness. It states when one part of a source, such as one
// job board, was last received.
type FreshnessRow struct {
	SourceKey     string     `col:"source_key" doc:"key of the source"`
	Part          string     `col:"part" doc:"a board, a data set or a file of the source; empty = the whole source, if no part of it is known"`
	LastSuccessAt *time.Time `col:"last_success_at" is:"moment" doc:"last time that the part was received completely; null = never"`
}

// Freshness states when a source was last received. It also counts the parts of the source, such as
// job boards or files, and the stale ones among them.
type Freshness struct {
	// time at which the most recently received part was received; nil = never
	LastSuccessAt *time.Time
	Parts         int // number of parts of the source, such as job boards or files
	// number of parts that were last received more than two cadences ago, or never
	Stale int
	// time at which the most recently received stale part was received; nil = there is none
	StaleReceivedAt *time.Time
}

// FreshnessOf returns the freshness of a source at the moment now. parts are the source's rows of
// the table freshness; cadence is how often the source should be received, such as "weekly".
func FreshnessOf(cadence string, parts []FreshnessRow, now time.Time) Freshness {
	f := Freshness{Parts: len(parts), LastSuccessAt: LastReceived(parts)}
	for _, p := range parts {
		if IsPartStale(cadence, p.LastSuccessAt, now) {
			f.Stale++
			f.StaleReceivedAt = later(f.StaleReceivedAt, p.LastSuccessAt)
		}
	}
	return f
}

// LastReceived returns the time at which the most recently received of parts was received. It
// returns nil if none was.
func LastReceived(parts []FreshnessRow) (last *time.Time) {
	for _, p := range parts {
		last = later(last, p.LastSuccessAt)
	}
	return last
}

// later returns the later of two times. A nil time is before all others.
func later(a, b *time.Time) *time.Time {
	if a == nil || b != nil && a.Before(*b) {
		return b
	}
	return a
}

// IsStale reports whether at least half of the source's parts are stale. A source without parts was
// never received, and is stale.
func (f Freshness) IsStale() bool { return 2*f.Stale >= f.Parts }

// IsPartStale reports whether a part of a source is stale at the moment now. A part is stale if it
// was never received, or not within twice the cadence. Twice the cadence is 14 days for "weekly",
// and two calendar months for "monthly". An unknown cadence counts as daily.
func IsPartStale(cadence string, lastSuccess *time.Time, now time.Time) bool {
	return lastSuccess == nil || addTwoCadences(cadence, *lastSuccess).Before(now)
}

// addTwoCadences returns the time t plus twice the cadence, such as 14 days for "weekly". An
// unknown cadence counts as daily.
func addTwoCadences(cadence string, t time.Time) time.Time {
	switch cadence {
	case "weekly":
		return t.AddDate(0, 0, 14)
	case "monthly":
		return t.AddDate(0, 2, 0)
	case "quarterly":
		return t.AddDate(0, 6, 0)
	case "annual":
		return t.AddDate(2, 0, 0)
	}
	return t.AddDate(0, 0, 2)
}
