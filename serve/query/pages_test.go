package query

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	"labour/serve/api"
)

// TestPagesOfManyRowsAreInOrder: pages are cut from tables as they are loaded, which is the order of
// the lists also where rows fill many row groups and several threads loaded them.
func TestPagesOfManyRowsAreInOrder(t *testing.T) {
	s := busy(t, 10_000)
	var jobs []api.JobsRow
	jq := api.JobsQuery{Limit: 1000}
	for more := true; more; {
		page, err := s.Jobs(context.Background(), jq)
		if err != nil {
			t.Fatal(err)
		}
		jobs, more = append(jobs, page.Rows...), page.More
		last := page.Rows[len(page.Rows)-1]
		jq.After = &api.JobsPosition{PostedAt: last.PostedAt.Time(), FirstSeen: last.FirstSeenAt.Time(), ID: last.ID}
	}
	if len(jobs) <= 10_000 || !slices.IsSortedFunc(jobs, newestJob) {
		t.Errorf("%d jobs, in another order than by time", len(jobs))
	}
	first := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, since := range []*time.Time{nil, &first} {
		var events []api.EventsRow
		for number := 1; ; number++ {
			page, err := s.Events(context.Background(), api.EventsQuery{Partner: "south-works", Page: number, Limit: 1000,
				Since: since})
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, page.Rows...)
			if int64(len(events)) == page.Total || len(page.Rows) == 0 {
				break
			}
		}
		if since == nil {
			slices.Reverse(events)
		}
		if len(events) <= 3000 || !slices.IsSortedFunc(events, func(a, b api.EventsRow) int {
			return cmp.Or(a.OccurredAt.Time().Compare(b.OccurredAt.Time()), cmp.Compare(a.ID, b.ID))
		}) {
			t.Errorf("%d events since %v, in another order than by time", len(events), since)
		}
	}
}

func newestJob(a, b api.JobsRow) int {
	return cmp.Or(b.PostedAt.Time().Compare(a.PostedAt.Time()), b.FirstSeenAt.Time().Compare(a.FirstSeenAt.Time()),
		cmp.Compare(b.ID, a.ID))
}
