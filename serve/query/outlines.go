package query

import (
	"fmt"

	"labour/serve/labourdata"
	"labour/snapshots"
	"labour/snapshots/outline"
	"labour/snapshots/parquetio"
)

// Outlines are the outlines of the boroughs, ordered by place.
func (s *Snapshot) Outlines() labourdata.Page[labourdata.Outline] { return s.outlines }

// readOutlines reads the outlines into memory: a few kilobytes for each borough. A
// snapshot that was sealed before there were any has none.
func (s *Snapshot) readOutlines(dir string) error {
	if _, ok := s.manifest.Table("outlines"); !ok {
		return nil
	}
	keys := map[string]bool{}
	err := parquetio.Read(snapshots.Within(dir, snapshots.TableFileName("outlines")), func(r snapshots.OutlinesRow) error {
		shape, err := outline.Parse(r.Outline)
		if err != nil {
			return fmt.Errorf("of %s: %w", r.Place, err)
		}
		s.outlines.Rows = append(s.outlines.Rows, labourdata.Outline{Place: r.Place, Shape: shape})
		keys[r.SourceKey] = true
		return nil
	})
	if err != nil {
		return fmt.Errorf("read outlines: %w", err)
	}
	s.outlines.Sources = s.entries(keys)
	return nil
}
