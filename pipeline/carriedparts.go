package pipeline

import (
	"fmt"
	"slices"
	"time"

	"labour/pipeline/calendar"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
)

// CarriedPart is part of a source (for example one board) that was served from an older fetch.
type CarriedPart struct {
	Part      string     `json:"part"`
	LastHadAt *time.Time `json:"last_had_at"` // when the publisher last gave it; null = not known
	AgeDays   int        `json:"age_days"`    // from that day to the date the data describes
	// Stale is true when the object is older than twice the source's cadence, by the rule for the
	// whole source. Its adverts are still counted, since nobody knows that they are gone.
	Stale bool `json:"stale"`
	// Never is true when the part was never fetched: nothing of it is counted.
	Never bool `json:"never,omitempty"`
}

// noteCarried puts into the report which parts of a source are carried, and warns of
// those that have become stale: the board of an employer that moved to another vendor
// would be counted for ever.
func (b *build) noteCarried(src sources.Source) error {
	info := src.Info()
	report := b.report.source(info.Key)
	parts, err := b.archive.CarriedOf(info.Key, b.basis.known)
	for _, p := range parts {
		c := CarriedPart{Part: p.Name, Stale: true}
		if !p.LastHad.IsZero() {
			c.LastHadAt = &p.LastHad
			lastDay := p.LastHad.Truncate(24 * time.Hour)
			c.AgeDays = calendar.Age(p.LastHad, b.o.AsOf)
			c.Stale = snapshots.StaleAt(string(info.Cadence), &lastDay, day(b.o.AsOf))
		}
		report.Carried = append(report.Carried, c)
		if c.Stale {
			b.o.Log.Warn("a part of a source is carried for long", "source", info.Key, "part", c.Part, "what_to_do",
				c.Advice())
		}
	}
	if err != nil {
		return err
	}
	never, err := b.neverHad(src)
	for _, part := range never {
		c := CarriedPart{Part: part, Stale: true, Never: true}
		report.Carried = append(report.Carried, c)
		b.o.Log.Warn("a part of a source was never had", "source", info.Key, "part", part, "what_to_do", c.Advice())
	}
	return err
}

// neverHad returns the parts of a source that are absent from its newest extract, neither fetched
// nor carried forward.
func (b *build) neverHad(src sources.Source) (never []string, err error) {
	parted, ok := src.(sources.Parted)
	if !ok {
		return nil, nil
	}
	for x, err := range b.archive.NewestFirst(src.Info().Key) {
		if err != nil {
			return nil, err
		}
		if !b.basis.known(x) {
			continue
		}
		had := map[string]bool{}
		for _, o := range x.Objects {
			had[archive.PartOf(o.Name)] = true
		}
		return slices.DeleteFunc(parted.Parts(), func(part string) bool { return had[part] }), nil
	}
	return nil, nil
}

// Advice returns what to do about a part that has been carried forward for long.
func (c CarriedPart) Advice() string {
	if c.Never {
		return "it was never had, so nothing of it is counted; check its name and its vendor in the configuration"
	}
	since := "it is not known when it was last had"
	if c.LastHadAt != nil {
		since = fmt.Sprintf("it was last had %d days ago", c.AgeDays)
	}
	return since + " and counts as it was then; if it is gone for good, take it out of the configuration (of a board: retired: true)"
}
