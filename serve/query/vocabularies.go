package query

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strconv"
	"strings"

	"labour/serve/labourdata"
	"labour/snapshots/figure"
)

// vocabularies are the lists that every call looks something up in, held in
// memory. They do not change while the snapshot is mounted.
type vocabularies struct {
	values  map[labourdata.Vocabulary][]string
	named   map[labourdata.Vocabulary][]labourdata.Named
	places  map[string]uint16 // slug to code; "" is 0, the whole country
	sectors map[string]uint8
	skills  map[string]uint32
	// sourceKeys are the keys by code, sources their entries by key.
	sourceKeys []string
	sources    map[string]labourdata.Source
	regions    map[string]labourdata.Region // by code in upper case, and by slug
	board      board
	events     []event              // the oldest first
	eventsAt   map[eventsOf][]int32 // places in events, rising
	kinds      map[string]string    // area_kind by place
	// skillEntries are the skills by code, less 1; levels the names by level.
	skillEntries []skillEntry
	levels       map[int]string
	buckets      map[labourdata.By]map[int32]bucket
	// below is people_below_share_pct by place code and skill code, less 1; nil
	// where it is not published.
	below map[uint16][]*figure.Tenths
}

type skillEntry struct {
	name           string
	referenceLevel int
}

// bucket is one value of a breakdown, by the code that the cells hold.
type bucket struct {
	slug, name string
}

// countryOfRegions: "Regions cover the United Kingdom only."
const countryOfRegions = "GB"

func (s *Snapshot) readVocabularies(ctx context.Context) (err error) {
	s.vocabularies = vocabularies{values: make(map[labourdata.Vocabulary][]string),
		sources: make(map[string]labourdata.Source), regions: make(map[string]labourdata.Region), kinds: make(map[string]string)}
	if s.places, err = readCodes[uint16](ctx, s, "SELECT place, code FROM places"); err != nil {
		return err
	}
	if s.sectors, err = readCodes[uint8](ctx, s, "SELECT sector, code FROM sectors"); err != nil {
		return err
	}
	if s.skills, err = readCodes[uint32](ctx, s, "SELECT skill, code FROM skills"); err != nil {
		return err
	}
	occupations, err := readCodes[uint8](ctx, s, "SELECT soc, 0::UTINYINT FROM occupations")
	if err != nil {
		return err
	}
	s.values[labourdata.Places] = slugs(s.places)
	s.values[labourdata.Sectors] = slugs(s.sectors)
	s.values[labourdata.Skills] = slugs(s.skills)
	s.values[labourdata.Occupations] = slugs(occupations)
	if err := s.readSourceEntries(ctx); err != nil {
		return err
	}
	if err := s.readRegionNames(ctx); err != nil {
		return err
	}
	if err := s.readNames(ctx); err != nil {
		return err
	}
	if err := s.readNamed(ctx); err != nil {
		return err
	}
	if err := s.readResidents(ctx); err != nil {
		return err
	}
	return s.each(ctx, "SELECT place, area_kind FROM places", func(rows *sql.Rows) error {
		var place, kind string
		err := rows.Scan(&place, &kind)
		s.kinds[place] = kind
		return err
	})
}

// readNames reads what the rows of skills not met are named by.
func (s *Snapshot) readNames(ctx context.Context) error {
	s.levels = make(map[int]string)
	s.buckets = make(map[labourdata.By]map[int32]bucket)
	err := s.each(ctx, "SELECT name, reference_level FROM skills ORDER BY code", func(rows *sql.Rows) error {
		var e skillEntry
		err := rows.Scan(&e.name, &e.referenceLevel)
		s.skillEntries = append(s.skillEntries, e)
		return err
	})
	if err != nil {
		return err
	}
	err = s.each(ctx, "SELECT level, name FROM levels", func(rows *sql.Rows) error {
		var level int
		var name string
		err := rows.Scan(&level, &name)
		s.levels[level] = name
		return err
	})
	if err != nil {
		return err
	}
	return s.each(ctx, "SELECT kind, code, bucket, name FROM buckets", func(rows *sql.Rows) error {
		var by labourdata.By
		var code int32
		var b bucket
		err := rows.Scan(&by, &code, &b.slug, &b.name)
		if s.buckets[by] == nil {
			s.buckets[by] = make(map[int32]bucket)
		}
		s.buckets[by][code] = b
		return err
	})
}

// bucketNamed is the bucket of a code; a level that the snapshot does not name is
// named by its number.
func (s *Snapshot) bucketNamed(by labourdata.By, code int32) bucket {
	if b, ok := s.buckets[by][code]; ok {
		return b
	}
	n := strconv.Itoa(int(code))
	return bucket{slug: n, name: n}
}

// readResidents reads the shares of residents: places times skills at most.
func (s *Snapshot) readResidents(ctx context.Context) error {
	s.below = make(map[uint16][]*figure.Tenths)
	return s.each(ctx, "SELECT place, skill, below FROM residents WHERE below IS NOT NULL", func(rows *sql.Rows) error {
		var place uint16
		var skill uint32
		var share figure.Tenths
		err := rows.Scan(&place, &skill, &share)
		if err != nil {
			return err
		}
		if s.below[place] == nil {
			s.below[place] = make([]*figure.Tenths, len(s.skillEntries))
		}
		s.below[place][skill-1] = &share
		return nil
	})
}

// residentsBelow is people_below_share_pct of a place and skill; nil = not published.
func (s *Snapshot) residentsBelow(place uint16, skill uint32) *figure.Tenths {
	if list := s.below[place]; list != nil {
		return list[skill-1]
	}
	return nil
}

func readCodes[T uint8 | uint16 | uint32](ctx context.Context, s *Snapshot, query string) (map[string]T, error) {
	codes := make(map[string]T)
	return codes, s.each(ctx, query, func(rows *sql.Rows) error {
		var slug string
		var code T
		err := rows.Scan(&slug, &code)
		codes[slug] = code
		return err
	})
}

// slugs are the slugs of a vocabulary in order, without the one that is empty.
func slugs[T any](codes map[string]T) []string {
	list := slices.Sorted(maps.Keys(codes))
	return slices.DeleteFunc(list, func(slug string) bool { return slug == "" })
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
// A code that an area had before, or that went into it, names today's area; it is
// not among the values that are offered.
func (s *Snapshot) readRegionNames(ctx context.Context) error {
	const query = `SELECT code, name, kind, coalesce(slug, ''), coalesce(former_codes, '') FROM regions WHERE kind IN ('nation', 'region', 'council', 'lsip')
		ORDER BY list_position(['nation', 'region', 'council', 'lsip'], kind), code`
	former := map[string][]labourdata.Region{}
	err := s.each(ctx, query, func(rows *sql.Rows) error {
		r := labourdata.Region{Country: countryOfRegions}
		var slug, codes string
		if err := rows.Scan(&r.Code, &r.Name, &r.Kind, &slug, &codes); err != nil {
			return err
		}
		if codes != "" {
			for code := range strings.SplitSeq(codes, ",") {
				former[code] = append(former[code], r)
			}
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
	// The code of an area that was split is that of none of its parts.
	for code, areas := range former {
		if _, taken := s.regions[code]; !taken && len(areas) == 1 {
			s.regions[code] = areas[0]
		}
	}
	slices.Sort(s.values[labourdata.RegionNames])
	s.values[labourdata.RegionNames] = slices.Compact(s.values[labourdata.RegionNames])
	return err
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
