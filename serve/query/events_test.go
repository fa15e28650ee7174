package query

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// seen are the ids that a partner is shown, and the total that it is given.
func seen(t *testing.T, s *Snapshot, partner string) ([]string, int64) {
	t.Helper()
	page, err := s.Events(context.Background(), api.EventsQuery{Partner: partner, Page: 1, Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range page.Rows {
		ids = append(ids, e.ID)
	}
	slices.Sort(ids)
	return ids, page.Total
}

// visible are the ids of the rows that a partner may be shown.
func visible(rows []snapshots.EventsRow, partner string) []string {
	var ids []string
	for _, r := range rows {
		open := r.Partner == "" && (strings.HasPrefix(r.Type, "click") || strings.HasPrefix(r.Type, "opportunity"))
		if open || r.Partner != "" && r.Partner == partner {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// TestEventsOfPartnersAreMissing: what was pulled from elsewhere answers with what is
// everybody's; a file with other bytes is refused.
func TestEventsOfPartnersAreMissing(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	dir := sealed(t, "2026-11-20", c)
	partners := filepath.Join(filepath.Dir(filepath.Dir(dir)), store.PartnersDirName)
	files, err := filepath.Glob(filepath.Join(partners, "*", "*.parquet"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err := errors.Join(err, os.WriteFile(files[0], append(slices.Clone(whole), 0), 0o600)); err != nil {
		t.Fatal(err)
	}
	if s, err := Mount(context.Background(), dir, Options{TempDir: t.TempDir()}); err == nil {
		t.Error("other bytes were mounted", s.Close())
	}
	if err := os.RemoveAll(partners); err != nil {
		t.Fatal(err)
	}
	want, s := visible(c.Events, ""), mountDir(t, dir)
	if page, err := s.Events(context.Background(), api.EventsQuery{Partner: "south-works", Page: 1,
		Limit: 1}); err != nil || !page.PartnerEventsMissing {
		t.Errorf("own events are said to be missing: %t, %v", page.PartnerEventsMissing, err)
	}
	if got, total := seen(t, s, "south-works"); !slices.Equal(got, want) || total != int64(len(want)) {
		t.Errorf("sees %d: %v, want %v", total, got, want)
	}
}
