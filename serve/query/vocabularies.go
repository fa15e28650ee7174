package query

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"labour/serve/labourdata"
)

// vocabularies are the lists that every call looks something up in, held in
// memory. They do not change while the snapshot is mounted.
type vocabularies struct {
	values  map[labourdata.Vocabulary][]string
	places  map[string]int // slug to code; "" is 0, the whole country
	sectors map[string]int
	skills  map[string]int
	// sourceKeys are the keys by code, sources their entries by key.
	sourceKeys []string
	sources    map[string]labourdata.Source
	regions    map[string]labourdata.Region // by code in upper case, and by slug
	wide       map[group]bool
}

// group is a SOC group of 0 to 4 digits of a place, by their codes.
type group struct{ place, soc int }

// countryOfRegions: "Regions cover the United Kingdom only."
const countryOfRegions = "GB"

func (s *Snapshot) readVocabularies(ctx context.Context) error {
	s.vocabularies = vocabularies{
		values: make(map[labourdata.Vocabulary][]string),
		places: make(map[string]int), sectors: make(map[string]int), skills: make(map[string]int),
		sources: make(map[string]labourdata.Source), regions: make(map[string]labourdata.Region),
		wide: make(map[group]bool),
	}
	for _, list := range []struct {
		query string
		codes map[string]int
		as    labourdata.Vocabulary
	}{
		{"SELECT place, code::INTEGER FROM places", s.places, labourdata.Places},
		{"SELECT sector, code::INTEGER FROM sectors", s.sectors, labourdata.Sectors},
		{"SELECT skill, code::INTEGER FROM skills", s.skills, labourdata.Skills},
		{"SELECT soc, 0 FROM occupations", make(map[string]int), labourdata.Occupations},
	} {
		err := s.each(ctx, list.query, func(rows *sql.Rows) error {
			var slug string
			var code int
			if err := rows.Scan(&slug, &code); err != nil {
				return err
			}
			list.codes[slug] = code
			if slug != "" {
				s.values[list.as] = append(s.values[list.as], slug)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if err := s.readSourceEntries(ctx); err != nil {
		return err
	}
	if err := s.readRegionNames(ctx); err != nil {
		return err
	}
	for v, list := range s.values {
		slices.Sort(list)
		s.values[v] = slices.Compact(list)
	}
	return s.each(ctx, "SELECT place::INTEGER, soc::INTEGER FROM wide", func(rows *sql.Rows) error {
		var g group
		err := rows.Scan(&g.place, &g.soc)
		s.wide[g] = true
		return err
	})
}

func (s *Snapshot) readSourceEntries(ctx context.Context) error {
	const query = "SELECT key, publisher, licence, link, attribution_statement FROM sources ORDER BY code"
	return s.each(ctx, query, func(rows *sql.Rows) error {
		var e labourdata.Source
		err := rows.Scan(&e.Key, &e.Publisher, &e.Licence, &e.Link, &e.AttributionStatement)
		s.sourceKeys = append(s.sourceKeys, e.Key)
		s.sources[e.Key] = e
		return err
	})
}

// readRegionNames reads what the `region` parameter may name. A code of two kinds
// (a council that is a region too) is the first of nation, region, council, lsip.
func (s *Snapshot) readRegionNames(ctx context.Context) error {
	const query = `SELECT code, name, kind, coalesce(slug, '') FROM regions WHERE kind IN ('nation', 'region', 'council', 'lsip')
		ORDER BY list_position(['nation', 'region', 'council', 'lsip'], kind), code`
	return s.each(ctx, query, func(rows *sql.Rows) error {
		r := labourdata.Region{Country: countryOfRegions}
		var slug string
		if err := rows.Scan(&r.Code, &r.Name, &r.Kind, &slug); err != nil {
			return err
		}
		names := []string{r.Code}
		if r.Kind == "lsip" && slug != "" {
			names = append(names, slug)
		}
		s.values[labourdata.RegionNames] = append(s.values[labourdata.RegionNames], names...)
		for _, name := range names {
			if _, taken := s.regions[strings.ToUpper(name)]; !taken {
				s.regions[strings.ToUpper(name)] = r
			}
		}
		return nil
	})
}

// each runs a query of mounting.
func (s *Snapshot) each(ctx context.Context, query string, scan func(*sql.Rows) error) error {
	rows, err := s.db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Values lists the known values of a vocabulary, sorted bytewise.
func (s *Snapshot) Values(v labourdata.Vocabulary) []string { return s.values[v] }

// ResolveRegion finds what the `region` parameter names, in any letter case. A
// country other than GB has no regions.
func (s *Snapshot) ResolveRegion(country, param string) (labourdata.Region, bool) {
	if country != countryOfRegions {
		return labourdata.Region{}, false
	}
	r, ok := s.regions[strings.ToUpper(param)]
	return r, ok
}

// entries are the sources of the given keys, ordered by key.
func (s *Snapshot) entries(keys map[string]bool) []labourdata.Source {
	var list []labourdata.Source
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if e, ok := s.sources[k]; ok {
			list = append(list, e)
		}
	}
	return list
}
