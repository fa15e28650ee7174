package pipeline

import (
	"fmt"
	"time"

	"labour/sources"
)

// CarriedPart is a part of a source, as a board, for which an older object stands in.
type CarriedPart struct {
	Part      string     `json:"part"`
	LastHadAt *time.Time `json:"last_had_at"` // when the publisher last gave it; null = not known
	AgeDays   int        `json:"age_days"`    // from that day to the date the data describes
	// Stale says that it is older than twice the source's cadence, by the rule for the
	// whole source. What it lists is still counted, since nobody knows that it is gone.
	Stale bool `json:"stale"`
}

// staleAfter is how old the last success of a source may be before it is stale:
// "older than twice the cadence".
func staleAfter(c sources.Cadence) time.Duration { return 2 * c.Period() }

// Stale says whether a source is stale at a moment: "there was never a success, or the
// last one is older than twice the cadence".
func Stale(info sources.Info, lastSuccess *time.Time, now time.Time) bool {
	return lastSuccess == nil || now.Sub(*lastSuccess) > staleAfter(info.Cadence)
}

// noteCarried puts into the report which parts of a source are carried, and warns of
// those that have become stale: the board of an employer that moved to another vendor
// would be counted for ever.
func (b *build) noteCarried(info sources.Info) {
	report := b.report.source(info.Key)
	for _, p := range b.archive.CarriedOf(info.Key, b.knownExtract()) {
		c := CarriedPart{Part: p.Name, Stale: true}
		if !p.LastHad.IsZero() {
			c.LastHadAt = &p.LastHad
			age := day(b.o.AsOf).Sub(p.LastHad.Truncate(24 * time.Hour))
			c.AgeDays, c.Stale = max(int(age/(24*time.Hour)), 0), age > staleAfter(info.Cadence)
		}
		report.Carried = append(report.Carried, c)
		if c.Stale {
			b.o.Log.Warn("a part of a source is carried for long", "source", info.Key, "part", c.Part, "what_to_do", c.Advice())
		}
	}
}

// Advice says what to do about a part that is carried for long.
func (c CarriedPart) Advice() string {
	since := "it is not known when it was last had"
	if c.LastHadAt != nil {
		since = fmt.Sprintf("it was last had %d days ago", c.AgeDays)
	}
	return since + " and counts as it was then; if it is gone for good, take it out of the configuration (of a board: retired: true)"
}

// knownExtract says which extracts were there: all, or when a snapshot is rebuilt,
// those of its time.
func (b *build) knownExtract() func(sources.Extract) bool {
	if b.from != nil {
		return b.from.known
	}
	return func(sources.Extract) bool { return true }
}
