package query

import (
	"context"
	"database/sql"
	"fmt"

	"labour/serve/api"
	"labour/snapshots/outline"
)

// Outlines are the outlines of the boroughs, ordered by place.
func (s *Snapshot) Outlines() api.Page[api.Outline] { return s.outlines }

// readOutlines reads the shapes of the places: a few kilobytes for each borough. A
// snapshot that was sealed before there were any has none.
func (s *Snapshot) readOutlines(ctx context.Context) error {
	if _, ok := s.manifest.Table("outlines"); !ok {
		return nil
	}
	keys := map[string]bool{}
	err := s.each(ctx, figures, "outlines", func(rows *sql.Rows) error {
		var place, text, key string
		if err := rows.Scan(&place, &text, &key); err != nil {
			return err
		}
		shape, err := outline.Parse(text)
		if err != nil {
			return fmt.Errorf("of %s: %w", place, err)
		}
		s.outlines.Rows = append(s.outlines.Rows, api.Outline{Place: place, Shape: shape})
		keys[key] = true
		return nil
	})
	s.outlines.Sources = s.entries(keys)
	return err
}
