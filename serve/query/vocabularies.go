package query

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"labour/serve/api"
	"labour/snapshots/outline"
)

// vocabularies are the lists that every call looks something up in, held in
// memory. They do not change while the snapshot is mounted.
type vocabularies struct {
	values map[api.Vocabulary][]string
	named  map[api.Vocabulary][]api.Named
	// The numbers of the roll-ups. Places, sectors and skills are numbered from 1 in the
	// order of their lists.
	codes   map[code]int
	adverts map[int]string        // keys of the sources of adverts, by number
	sources map[string]api.Source // by key
	regions map[string]api.Region // by code in upper case, and by slug
}

// code is what a number of the roll-ups stands for.
type code struct{ dimension, value string }

// The dimensions that have numbers.
const (
	ofPlace  = "place"
	ofSector = "sector"
	ofSkill  = "skill"
	ofSource = "source"

	ofSignature = "signature" // no roll-up has it, but the people of a question
	ofPartner   = "partner"   // nor has this, but the events
)

// countryOfRegions: "Regions cover the United Kingdom only."
const countryOfRegions = "GB"

func (s *Snapshot) readVocabularies(ctx context.Context) error {
	s.vocabularies = vocabularies{values: map[api.Vocabulary][]string{}, named: map[api.Vocabulary][]api.Named{},
		codes: map[code]int{}, adverts: map[int]string{},
		sources: map[string]api.Source{}, regions: map[string]api.Region{}}
	for _, v := range []api.Vocabulary{api.Places, api.Sectors, api.Skills, api.Occupations, api.Levels} {
		if err := s.readNamed(ctx, v); err != nil {
			return err
		}
	}
	for _, read := range []func(context.Context) error{s.readCodes, s.readSources, s.checkSources, s.readRegionNames} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *Snapshot) readNamed(ctx context.Context, v api.Vocabulary) error {
	return s.each(ctx, figures, string(v), func(rows *sql.Rows) error {
		var n api.Named
		err := rows.Scan(&n.Value, &n.Name, &n.Kind, &n.Code, &n.Wordings)
		s.named[v] = append(s.named[v], n)
		if v != api.Levels {
			s.values[v] = append(s.values[v], n.Value)
		}
		return err
	})
}

func (s *Snapshot) readCodes(ctx context.Context) error {
	read := func(rows *sql.Rows) error {
		var c code
		var number int
		err := rows.Scan(&c.dimension, &number, &c.value)
		s.codes[c] = number
		if c.dimension == ofSource {
			s.adverts[number] = c.value
		}
		return err
	}
	return errors.Join(s.each(ctx, figures, "codes", read), s.each(ctx, platform, "codes", read))
}

func (s *Snapshot) readSources(ctx context.Context) error {
	return s.each(ctx, platform, "sources", func(rows *sql.Rows) error {
		var e api.Source
		err := rows.Scan(&e.Key, &e.Publisher, &e.Licence, &e.Link, &e.AttributionStatement)
		s.sources[e.Key] = e
		return err
	})
}

// checkSources refuses figures whose source is not in the list: they could not be
// attributed.
func (s *Snapshot) checkSources(ctx context.Context) error {
	var faults []error
	for _, part := range []string{figures, published} {
		err := s.each(ctx, part, "used_sources", func(rows *sql.Rows) error {
			var table, key string
			err := rows.Scan(&table, &key)
			if _, ok := s.sources[key]; !ok {
				faults = append(faults, fmt.Errorf("%s: source %q is not in sources", table, key))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("%w: %w", ErrUnfit, errors.Join(faults...))
	}
	return nil
}

// readRegionNames reads what the `region` parameter may name.
func (s *Snapshot) readRegionNames(ctx context.Context) error {
	return s.each(ctx, published, "region_names", func(rows *sql.Rows) error {
		r, name, offered := api.Region{Country: countryOfRegions}, "", false
		err := rows.Scan(&name, &offered, &r.Code, &r.Name, &r.Kind)
		s.regions[strings.ToUpper(name)] = r
		if offered {
			s.values[api.RegionNames] = append(s.values[api.RegionNames], name)
		}
		return err
	})
}

// each asks for a vocabulary, which is the file of that name under
// sql/<part>/vocabularies.
func (s *Snapshot) each(ctx context.Context, part, name string, scan func(*sql.Rows) error) error {
	rows, err := s.parts[part].db.QueryContext(ctx, sqlText(part+"/vocabularies/"+name))
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
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
func (s *Snapshot) Values(v api.Vocabulary) []string { return s.values[v] }

// Named lists the values of a vocabulary with their names, ordered by value.
func (s *Snapshot) Named(v api.Vocabulary) []api.Named { return s.named[v] }

// ResolveRegion finds what the `region` parameter names, in any letter case. A
// country other than GB has no regions.
func (s *Snapshot) ResolveRegion(country, param string) (api.Region, bool) {
	if country != countryOfRegions {
		return api.Region{}, false
	}
	r, ok := s.regions[strings.ToUpper(param)]
	return r, ok
}

// entries are the sources of the given keys, ordered by key.
func (s *Snapshot) entries(keys map[string]bool) []api.Source {
	var list []api.Source
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if e, ok := s.sources[k]; ok {
			list = append(list, e)
		}
	}
	return list
}

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
