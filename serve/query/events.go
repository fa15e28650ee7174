package query

import (
	"context"
	"database/sql"
	"time"

	"labour/serve/labourdata"
)

// event is what happened and whose it is; an empty partner is everybody.
type event struct {
	labourdata.EventsRow
	partner string
}

// readEvents reads the events, the oldest first and of one time by id. A feed has
// those of some weeks.
func (s *Snapshot) readEvents(ctx context.Context) error {
	return s.each(ctx, "SELECT id, type, occurred, advert, borough, outcome, partner FROM events ORDER BY occurred, id", func(rows *sql.Rows) error {
		var e event
		var occurred int64
		err := rows.Scan(&e.ID, &e.Type, &occurred, &e.Advert, &e.Borough, &e.Outcome, &e.partner)
		e.OccurredAt = time.Unix(occurred, 0).UTC()
		s.events = append(s.events, e)
		return err
	})
}

// Events are one page of what a partner may see, and how many there are.
func (s *Snapshot) Events(ctx context.Context, q labourdata.EventsQuery) (page labourdata.EventsPage, err error) {
	skip := int64(q.Page-1) * int64(q.Limit)
	for i := range s.events {
		e := &s.events[i]
		if q.Since == nil { // the newest first
			e = &s.events[len(s.events)-1-i]
		}
		if e.partner != "" && e.partner != q.Partner || q.Type != "" && e.Type != q.Type || q.Since != nil && e.OccurredAt.Before(*q.Since) {
			continue
		}
		if page.Total >= skip && len(page.Rows) < q.Limit {
			page.Rows = append(page.Rows, e.EventsRow)
		}
		page.Total++
	}
	return page, ctx.Err()
}
