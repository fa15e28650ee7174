package query

import (
	"context"
	"database/sql"
	"io/fs"
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

func (s *Snapshot) readVocabularies(ctx context.Context) error {
	s.vocabularies = vocabularies{values: make(map[labourdata.Vocabulary][]string), named: make(map[labourdata.Vocabulary][]labourdata.Named),
		places: make(map[string]uint16), sectors: make(map[string]uint8), skills: make(map[string]uint32),
		sources: make(map[string]labourdata.Source), regions: make(map[string]labourdata.Region), kinds: make(map[string]string),
		levels: make(map[int]string), buckets: make(map[labourdata.By]map[int32]bucket), below: make(map[uint16][]*figure.Tenths)}
	for _, read := range []func(context.Context) error{s.readPlaces, s.readSectors, s.readSkills, s.readOccupations, s.readLevels, s.readBuckets,
		s.readResidents, s.readSourceEntries, s.readRegionNames} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	return nil
}

// name notes a value of a vocabulary. That of code 0 is nothing that one could ask for.
func (s *Snapshot) name(v labourdata.Vocabulary, n labourdata.Named) {
	if n.Value != "" {
		s.values[v], s.named[v] = append(s.values[v], n.Value), append(s.named[v], n)
	}
}

func (s *Snapshot) readPlaces(ctx context.Context) error {
	return s.each(ctx, "places", func(rows *sql.Rows) error {
		var n labourdata.Named
		var code uint16
		err := rows.Scan(&code, &n.Value, &n.Name, &n.Kind, &n.Code)
		s.places[n.Value], s.kinds[n.Value] = code, n.Kind
		s.name(labourdata.Places, n)
		return err
	})
}

func (s *Snapshot) readSectors(ctx context.Context) error {
	return s.each(ctx, "sectors", func(rows *sql.Rows) error {
		var n labourdata.Named
		var code uint8
		err := rows.Scan(&code, &n.Value, &n.Name)
		s.sectors[n.Value] = code
		s.name(labourdata.Sectors, n)
		return err
	})
}

func (s *Snapshot) readSkills(ctx context.Context) error {
	return s.each(ctx, "skills", func(rows *sql.Rows) error {
		var n labourdata.Named
		var code uint32
		var reference int
		err := rows.Scan(&code, &n.Value, &n.Name, &reference)
		s.skills[n.Value] = code
		s.skillEntries = append(s.skillEntries, skillEntry{n.Name, reference})
		s.name(labourdata.Skills, n)
		return err
	})
}

func (s *Snapshot) readOccupations(ctx context.Context) error {
	return s.each(ctx, "occupations", func(rows *sql.Rows) error {
		var n labourdata.Named
		err := rows.Scan(&n.Value, &n.Name)
		s.name(labourdata.Occupations, n)
		return err
	})
}

func (s *Snapshot) readLevels(ctx context.Context) error {
	return s.each(ctx, "levels", func(rows *sql.Rows) error {
		var level int
		var name string
		err := rows.Scan(&level, &name)
		s.levels[level] = name
		s.named[labourdata.Levels] = append(s.named[labourdata.Levels], labourdata.Named{Value: strconv.Itoa(level), Name: name})
		return err
	})
}

func (s *Snapshot) readBuckets(ctx context.Context) error {
	return s.each(ctx, "buckets", func(rows *sql.Rows) error {
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
	return s.each(ctx, "residents", func(rows *sql.Rows) error {
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

func (s *Snapshot) readSourceEntries(ctx context.Context) error {
	return s.each(ctx, "source_entries", func(rows *sql.Rows) error {
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
	former := map[string][]labourdata.Region{}
	err := s.each(ctx, "region_names", func(rows *sql.Rows) error {
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

// each asks a question of mounting, which is the file of that name under sql/mount.
func (s *Snapshot) each(ctx context.Context, name string, scan func(*sql.Rows) error) error {
	text, err := fs.ReadFile(sqlFiles, "sql/mount/"+name+".sql")
	if err != nil {
		return err
	}
	rows, err := s.db.QueryContext(ctx, string(text))
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

// Named lists the values of a vocabulary with their names, ordered by value.
func (s *Snapshot) Named(v labourdata.Vocabulary) []labourdata.Named { return s.named[v] }

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
