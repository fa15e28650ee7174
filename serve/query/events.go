package query

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"labour/serve/labourdata"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// event is what happened and whose it is; an empty partner is everybody.
type event struct {
	labourdata.EventsRow
	partner string
}

// eventsOf names a list of events: those of a partner, or of everybody where partner
// is empty, and of one type, or of every type where kind is empty.
type eventsOf struct{ partner, kind string }

// readEvents reads the events of a snapshot in dir, the oldest first and of one time by
// id, and notes where those of each partner and type are. A feed has those of some weeks.
func (s *Snapshot) readEvents(ctx context.Context, dir string) error {
	err := parquetio.Read(snapshots.Within(dir, snapshots.TableFileName("events")), func(r snapshots.EventsRow) error {
		s.events = append(s.events, event{partner: r.Partner, EventsRow: labourdata.EventsRow{ID: r.ID, Type: r.Type, OccurredAt: r.OccurredAt,
			Advert: r.Advert, Borough: r.Borough, Outcome: r.Outcome}})
		return ctx.Err()
	})
	slices.SortFunc(s.events, func(a, b event) int {
		return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), strings.Compare(a.ID, b.ID))
	})
	s.eventsAt = map[eventsOf][]int32{}
	for i, e := range s.events {
		for _, kind := range []string{"", e.Type} {
			of := eventsOf{e.partner, kind}
			s.eventsAt[of] = append(s.eventsAt[of], int32(i))
		}
	}
	return err
}

// Events are one page of what a partner may see, and how many there are: those of
// everybody and those of the partner, side by side. The time of a page grows with
// the events before it, and hardly with all that there are.
func (s *Snapshot) Events(ctx context.Context, q labourdata.EventsQuery) (page labourdata.EventsPage, err error) {
	open, own := s.eventsAt[eventsOf{"", q.Type}], []int32(nil)
	if q.Partner != "" {
		own = s.eventsAt[eventsOf{q.Partner, q.Type}]
	}
	if q.Since != nil {
		open, own = s.since(open, *q.Since), s.since(own, *q.Since)
	}
	page.Total = int64(len(open) + len(own))
	skip := int64(q.Page-1) * int64(q.Limit)
	for n := int64(0); skip < page.Total && n < page.Total && len(page.Rows) < q.Limit; n++ {
		var at int32
		if q.Since != nil {
			at = takeFirst(&open, &own)
		} else { // the newest first
			at = takeLast(&open, &own)
		}
		if n >= skip {
			page.Rows = append(page.Rows, s.events[at].EventsRow)
		}
	}
	return page, ctx.Err()
}

// since are the events of a list that happened at a time or later.
func (s *Snapshot) since(list []int32, at time.Time) []int32 {
	return list[sort.Search(len(list), func(i int) bool { return !s.events[list[i]].OccurredAt.Before(at) }):]
}

// takeFirst takes the smaller of the first numbers of two lists that are not both empty.
func takeFirst(a, b *[]int32) int32 {
	if len(*a) == 0 || len(*b) > 0 && (*b)[0] < (*a)[0] {
		a = b
	}
	first := (*a)[0]
	*a = (*a)[1:]
	return first
}

// takeLast takes the larger of the last numbers of two lists that are not both empty.
func takeLast(a, b *[]int32) int32 {
	if len(*a) == 0 || len(*b) > 0 && (*b)[len(*b)-1] > (*a)[len(*a)-1] {
		a = b
	}
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}
