package query

import (
	"context"
	"database/sql"

	"labour/serve/labourdata"
)

// Named lists the values of a vocabulary with their names, ordered by value.
func (s *Snapshot) Named(v labourdata.Vocabulary) []labourdata.Named { return s.named[v] }

// readNamed reads the vocabularies that have names.
func (s *Snapshot) readNamed(ctx context.Context) error {
	s.named = make(map[labourdata.Vocabulary][]labourdata.Named)
	for v, query := range map[labourdata.Vocabulary]string{
		labourdata.Places:      "SELECT place, name, area_kind, council FROM places WHERE code > 0 ORDER BY place",
		labourdata.Sectors:     "SELECT sector, name, '', '' FROM sectors WHERE code > 0 ORDER BY sector",
		labourdata.Skills:      "SELECT skill, name, '', '' FROM skills ORDER BY skill",
		labourdata.Occupations: "SELECT soc, name, '', '' FROM occupations ORDER BY soc",
		labourdata.Levels:      "SELECT level::VARCHAR, name, '', '' FROM levels ORDER BY level",
	} {
		err := s.each(ctx, query, func(rows *sql.Rows) error {
			var n labourdata.Named
			err := rows.Scan(&n.Value, &n.Name, &n.Kind, &n.Code)
			s.named[v] = append(s.named[v], n)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
