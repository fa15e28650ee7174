package report

import (
	"fmt"
	"time"

	"labour/sources"
)

// FetchResult is the result of one fetch of one source.
type FetchResult struct {
	Source string          `json:"source"`
	Err    string          `json:"error,omitempty"` // nothing usable was received; the last good extract is used
	Faults []sources.Fault `json:"faults,omitempty"`

	NeverFetched bool `json:"-"` // nothing usable was ever received
}

// AddFetchResults adds the results of fetches to the sources' entries, and records which sources failed.
func (r *Report) AddFetchResults(fetched []FetchResult) {
	r.Fetched = fetched
	for _, f := range fetched {
		for _, fault := range f.incomplete() {
			r.SourceEntry(f.Source).AddFault(fault)
		}
	}
}

// incomplete returns the faults of incomplete lists, without duplicates.
func (f FetchResult) incomplete() (faults []sources.Fault) {
	for _, fault := range f.Faults {
		// If all parts of a source failed, there is one more fault, for the source itself.
		part := fault.Object != "" || len(f.Faults) == 1
		if part && fault.Code == sources.FaultIncomplete {
			faults = append(faults, fault)
		}
	}
	return faults
}

// CarriedPart is part of a source (for example one board) that was served from an older fetch.
type CarriedPart struct {
	Part            string     `json:"part"`
	LastDeliveredAt *time.Time `json:"last_had_at"` // when the publisher last delivered it; null = not known
	AgeDays         int        `json:"age_days"`    // from that day to the date the data describes
	// Stale is true if the object is older than twice the source's cadence, by the rule for the
	// whole source. Its adverts are still counted, since they may still be open.
	Stale bool `json:"stale"`
	// NeverFetched is true if the part was never fetched: nothing of it is counted.
	NeverFetched bool `json:"never,omitempty"`
}

// Advice returns what the operator should do about a part that has long been served from an older
// fetch.
func (c CarriedPart) Advice() string {
	if c.NeverFetched {
		return "never fetched, so nothing of it is counted; check its name and its vendor in the configuration"
	}
	since := "it is not known when it was last fetched"
	if c.LastDeliveredAt != nil {
		days := "1 day"
		if c.AgeDays != 1 {
			days = fmt.Sprintf("%d days", c.AgeDays)
		}
		since = fmt.Sprintf("last fetched %s ago", days)
	}
	return since + "; that copy is still counted. If it is gone for good, remove it from the configuration (a board: retired: true)"
}
