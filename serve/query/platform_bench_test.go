package query

import (
	"context"
	"fmt"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// benchRows is a large city's live jobs, and a month of its events.
const benchRows = 50_000

// busy is a mounted snapshot with many more jobs and events than row groups hold.
func busy(b testing.TB, rows int) *Snapshot {
	b.Helper()
	c := snaptest.DefaultContent(b, "2026-11-20")
	at := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	jobs, events := c.Jobs, c.Events
	for i := range rows {
		j, e := jobs[i%len(jobs)], events[i%len(events)]
		j.ID, j.PostedAt = fmt.Sprintf("platform:b%06d", i), at.AddDate(0, 0, -i%60)
		e.ID, e.OccurredAt = fmt.Sprintf("b%06d", i), at.Add(-time.Duration(i)*time.Minute)
		c.Jobs, c.Events = append(c.Jobs, j), append(c.Events, e)
	}
	root := b.TempDir()
	id := snaptest.BuildSnapshot(b, root, "2026-11-20", c)
	store, err := store.Open(root)
	if err != nil {
		b.Fatal(err)
	}
	s, err := Mount(context.Background(), store.SnapshotDir(id), Options{TempDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return s
}

func BenchmarkPlatform(b *testing.B) {
	s := busy(b, benchRows)
	ctx := context.Background()
	first, err := s.Jobs(ctx, api.JobsQuery{Limit: 100})
	if err != nil {
		b.Fatal(err)
	}
	last := first.Rows[99]
	for name, q := range map[string]api.JobsQuery{
		"jobs/first": {Limit: 50}, "jobs/borough": {Borough: "camden", Limit: 50},
		"jobs/words": {Search: "care empl", Limit: 50},
		"jobs/next": {Limit: 50, After: &api.JobsPosition{PostedAt: last.PostedAt.Time(),
			FirstSeen: last.FirstSeenAt.Time(), ID: last.ID}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if page, err := s.Jobs(ctx, q); err != nil || len(page.Rows) != 50 {
					b.Fatalf("%d rows, %v", len(page.Rows), err)
				}
			}
		})
	}
	since := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for name, q := range map[string]api.EventsQuery{
		"events/newest": {Page: 1, Limit: 50}, "events/last": {Page: 500, Limit: 50},
		"events/since": {Page: 3, Limit: 200, Since: &since,
			Partner: "south-works"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if page, err := s.Events(ctx, q); err != nil || len(page.Rows) != q.Limit {
					b.Fatalf("%d rows, %v", len(page.Rows), err)
				}
			}
		})
	}
	b.Run("candidates", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Candidates(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
}
