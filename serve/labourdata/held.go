package labourdata

import (
	"context"

	"labour/snapshots"
)

// Held answers from the held datasets that are open in this snapshot. Rows are those
// of the files, in the order of the answer.
type Held interface {
	// IsOpen says whether a held dataset is answered from this snapshot.
	IsOpen(dataset string) bool

	// The questions. Asked of a dataset that is not open, the error is ErrSnapshotGone:
	// a cursor led here that this snapshot never gave.
	Demand(ctx context.Context, q HeldQuery) (Page[HeldRow[snapshots.DemandRow]], error)
	Trends(ctx context.Context, q HeldQuery) (Page[HeldRow[snapshots.TrendsRow]], error)
	Outlook(ctx context.Context, q HeldQuery) (Page[HeldRow[snapshots.OutlookRow]], error)
	Reach(ctx context.Context, q HeldQuery) (Page[HeldRow[snapshots.ReachRow]], error)
	Signals(ctx context.Context, q HeldQuery) (Page[HeldRow[snapshots.SignalsRow]], error)
	Priorities(ctx context.Context, q HeldQuery) (Page[HeldRow[snapshots.PrioritiesRow]], error)
}

// HeldRow is a row with its place in the whole answer.
type HeldRow[R any] struct {
	Position int64 // from 1, in the order of the answer without filters
	Row      R
}

// HeldQuery asks for rows of a held dataset. The empty string and 0 mean "no filter";
// each dataset has some of the filters.
type HeldQuery struct {
	SOC       string // demand, trends, outlook: beginning of an occupation code
	Digits    int    // trends: digits of the group, 1 to 4
	Direction string // trends: growing, shrinking or steady
	Country   string // outlook: ISO 3166-1 alpha-2, always set
	Region    string // outlook: official code, empty = the country; priorities: empty = all
	Months    int    // outlook: months to the horizon
	Ward      string // reach: code of a ward
	Council   string // reach: code of a council
	WithinKM  int    // reach: distance
	Topic     string // signals
	Kind      string // priorities: occupation, sector or skill
	After     *HeldPosition
	Limit     int
}

// HeldPosition points at the last row of a page.
type HeldPosition struct {
	Position int64 `json:"p"`
}
