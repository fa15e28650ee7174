package report

import (
	"fmt"
	"time"

	"labour/sources"
)

// FetchResult is the result of one fetch of a source.
type FetchResult struct {
	Source string `json:"source"`
	// error if nothing usable was received, so that the last good fetch is used; "" if the fetch
	// succeeded
	Err    string          `json:"error,omitempty"`
	Faults []sources.Fault `json:"faults,omitempty"`

	NeverFetched bool `json:"-"` // true if nothing usable was ever received from the source
}

// SetFetchResults sets the results of the run's fetches. If a source delivered an incomplete list,
// the fault is also added to the source's entry.
func (r *Report) SetFetchResults(fetched []FetchResult) {
	r.Fetched = fetched
	for _, f := range fetched {
		for _, fault := range f.incomplete() {
			r.EnsureSource(f.Source).AddFault(fault)
		}
	}
}

// HasFailed reports whether the fetch of the source, or of a part of it, failed.
func (f FetchResult) HasFailed() bool { return f.Err != "" || len(f.Faults) > 0 }

// incomplete returns the faults about incomplete lists. If all parts of a source failed, it leaves
// out the additional fault for the whole source.
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

// CarriedForwardPart is a part of a source, such as one job board, that was taken from an older
// fetch.
type CarriedForwardPart struct {
	Part string `json:"part"`
	// time at which the publisher last delivered the part; null = not known
	LastDeliveredAt *time.Time `json:"last_had_at"`
	// number of days from the last delivery of the part to the date that the data describes
	AgeDays int `json:"age_days"`
	// Stale is true if the part was last delivered more than two cadences of its source ago. Its
	// adverts are still counted, since they may still be open.
	Stale bool `json:"stale"`
	// NeverFetched is true if the part was never fetched, so that none of its adverts are counted.
	NeverFetched bool `json:"never,omitempty"`
}

// Advice returns what the operator should do about a part of a source that was taken from an older
// fetch for a long time.
func (c CarriedForwardPart) Advice() string {
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
	return since + "; that copy is still counted. If it is gone for good, remove it from the configuration (a board: " +
		"retired: true)"
}
