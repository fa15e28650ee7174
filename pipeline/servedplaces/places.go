// Package servedplaces lists the places that the service covers: the boroughs that the platform serves,
// and served areas, which are unions of boroughs. It computes them from records and reads no file.
package servedplaces

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"labour/pipeline/coding/place"
	"labour/pipeline/config"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

// Places holds the places that the service covers: boroughs, and areas made up of boroughs.
type Places struct {
	// served boroughs, then served areas, as rows of the table places
	PlaceRows []snapshots.PlacesRow
	// boroughs of each served area, as rows of the table place_members
	MemberRows []snapshots.PlaceMembersRow
	areas      []config.ServedArea
}

// NewPlaces returns the boroughs of the platform's feed and the configured areas. If the feed has
// no boroughs, every council in official counts as a borough.
func NewPlaces(boroughs []sources.Borough, official []sources.Area, areas []config.ServedArea) Places {
	s := Places{areas: areas}
	for _, p := range boroughs {
		s.PlaceRows = append(s.PlaceRows, snapshots.PlacesRow{Place: p.Slug, Name: p.Name,
			AreaKind: snapshots.AreaKindBorough,
			Code:     p.Code})
	}
	if len(s.PlaceRows) == 0 {
		for _, c := range OnlyCouncils(official) {
			s.PlaceRows = append(s.PlaceRows, snapshots.PlacesRow{Place: sources.MakeSlug(c.Name), Name: c.Name,
				AreaKind: snapshots.AreaKindBorough, Code: c.Code})
		}
	}
	for _, a := range areas {
		s.PlaceRows = append(s.PlaceRows, snapshots.PlacesRow{Place: a.Slug, Name: a.Name,
			AreaKind: snapshots.AreaKindServed})
	}
	s.PlaceRows = snapshots.DistinctRowsOf("places", s.PlaceRows)
	s.MemberRows = snapshots.DistinctRowsOf("place_members", s.members())
	return s
}

// OnlyCouncils returns the councils among the official areas.
func OnlyCouncils(official []sources.Area) []sources.Area {
	var councils []sources.Area
	for _, a := range official {
		if a.Kind == "council" {
			councils = append(councils, a)
		}
	}
	return councils
}

// members returns the boroughs of each served area. It leaves out boroughs that are not served,
// because their adverts and residents are not counted.
func (s Places) members() (rows []snapshots.PlaceMembersRow) {
	served := s.codes()
	for _, a := range s.areas {
		for _, borough := range a.Boroughs {
			if _, ok := served[borough]; ok {
				rows = append(rows, snapshots.PlaceMembersRow{Area: a.Slug, Borough: borough})
			}
		}
	}
	return rows
}

// Boroughs returns the served boroughs. It leaves out areas.
func (s Places) Boroughs() []snapshots.PlacesRow {
	return slices.DeleteFunc(slices.Clone(s.PlaceRows),
		func(p snapshots.PlacesRow) bool { return p.AreaKind != snapshots.AreaKindBorough })
}

// codes returns the council code of each served borough, by the borough's slug.
func (s Places) codes() map[string]string {
	codes := map[string]string{}
	for _, p := range s.Boroughs() {
		codes[p.Place] = p.Code
	}
	return codes
}

// Areas returns the served areas, each with the council codes of its boroughs.
func (s Places) Areas() []place.ServedArea {
	codes := s.codes()
	var served []place.ServedArea
	for _, a := range s.areas {
		area := place.ServedArea{Slug: a.Slug, Name: a.Name}
		for _, borough := range a.Boroughs {
			if code := codes[borough]; code != "" {
				area.Councils = append(area.Councils, code)
			}
		}
		served = append(served, area)
	}
	return served
}

// CheckAreas returns a fault for each borough that is part of a served area but is not served
// itself. It returns an error if an area and a borough have the same slug.
func (s Places) CheckAreas() (faults []sources.Fault, err error) {
	served := s.codes()
	for _, a := range s.areas {
		if _, ok := served[a.Slug]; ok {
			return nil, fmt.Errorf("served area %q has the slug of a borough; give it another one in served_areas", a.Slug)
		}
		for _, borough := range a.Boroughs {
			if _, ok := served[borough]; !ok {
				faults = append(faults, sources.Fault{Source: platform.Key, Where: "served area " + a.Slug,
					Code: sources.FaultUnknownPlace,
					Detail: fmt.Sprintf("borough %q of the served area is not served; the area counts the others",
						borough)})
			}
		}
	}
	return faults, nil
}

// Equal reports whether s and other have the same places with the same boroughs.
func (s Places) Equal(other Places) bool {
	return slices.Equal(s.PlaceRows, other.PlaceRows) && slices.Equal(s.MemberRows, other.MemberRows)
}

// HaveSameCouncils reports whether a and b have the same places with the same councils.
func HaveSameCouncils(a, b Places) bool { return maps.Equal(a.councils(), b.councils()) }

// ChangedPlaces returns the slugs of the places in previous that have changed. A place has changed
// if it is not in current, or consists of other councils there.
func ChangedPlaces(previous, current Places) map[string]bool {
	currentCouncils, changed := current.councils(), map[string]bool{}
	for place, councils := range previous.councils() {
		if currentCouncils[place] != councils {
			changed[place] = true
		}
	}
	return changed
}

// SlugsWithCouncils returns the slugs of the boroughs, and of the areas with at least one borough,
// sorted.
func (s Places) SlugsWithCouncils() []string { return slices.Sorted(maps.Keys(s.councils())) }

// councils returns the council codes of each place, by the place's slug. The codes are sorted and
// joined by spaces.
func (s Places) councils() map[string]string {
	code, of := map[string]string{}, map[string][]string{}
	for _, p := range s.PlaceRows {
		if p.AreaKind == snapshots.AreaKindBorough {
			code[p.Place] = p.Code
			of[p.Place] = []string{p.Code}
		}
	}
	for _, m := range s.MemberRows {
		if c := code[m.Borough]; c != "" {
			of[m.Area] = append(of[m.Area], c)
		}
	}
	codes := map[string]string{}
	for place, list := range of {
		slices.Sort(list)
		codes[place] = strings.Join(list, " ")
	}
	return codes
}
