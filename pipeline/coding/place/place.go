// Package place codes where the work of an advert is: to councils of the
// official geography, and to a country.
//
// A slug of the platform's feed is looked up; coordinates are laid in the
// council's outline; free text is taken apart and looked up in a gazetteer of
// council names, their usual short forms and some 450 towns and London
// neighbourhoods. A name that could mean several councils codes to none:
// "London" alone is in the United Kingdom and in no borough. What cannot be
// coded stays unknown, and unknown is reported.
//
// The country test is needed because boards write places as free text. Evidence
// for and against the United Kingdom is weighed per alternative ("London or
// Paris" is in the United Kingdom); "Remote" and "EMEA" say nothing.
package place

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/sources"
)

// Country is the answer of the country test. The zero value is unknown.
type Country uint8

// The answers of the country test.
const (
	Unknown Country = iota
	InUK
	Abroad
)

// Coding is where the work of one advert is.
type Coding struct {
	Councils  []string // council codes, sorted, each once; empty = not known
	Country   Country
	MatchedBy string // slug, coordinates, text, nationwide, or "" when nothing matched
	Unplaced  string // a borough slug that is in no list: "" when there is none
}

// Gazetteer codes places against one edition of the geography.
type Gazetteer struct {
	slugs    map[string]string   // borough slug of the feed → council code
	names    map[string][]string // normalised name → council codes that it may mean
	outlines *outlines
}

// New builds a gazetteer. Councils without a boundary cannot be found by
// coordinates; a borough whose code is in no list is an error, all at once.
func New(councils []sources.Area, boundaries []sources.Boundary, boroughs []sources.Borough) (*Gazetteer, error) {
	g := &Gazetteer{slugs: map[string]string{}, names: map[string][]string{}}
	codes := map[string]bool{}
	for _, c := range councils {
		codes[c.Code] = true
		for _, name := range councilNames(c.Name) {
			g.addName(name, c.Code)
		}
		if c.NameWelsh != "" {
			g.addName(c.NameWelsh, c.Code)
		}
	}
	if err := g.addTowns(councils); err != nil {
		return nil, err
	}
	var errs []error
	for _, b := range boroughs {
		if len(councils) > 0 && !codes[b.Code] {
			errs = append(errs, fmt.Errorf("borough %q: %q is not the code of a council; correct the feed's boroughs", b.Slug, b.Code))
			continue
		}
		g.slugs[b.Slug] = b.Code
		g.addName(b.Name, b.Code)
	}
	var err error
	if g.outlines, err = newOutlines(boundaries); err != nil {
		errs = append(errs, err)
	}
	return g, errors.Join(errs...)
}

func (g *Gazetteer) addName(name, code string) {
	name = normalise(name)
	if name != "" && !slices.Contains(g.names[name], code) {
		g.names[name] = append(g.names[name], code)
	}
}

// councilNames are the official name and the short forms that adverts use:
// "Bristol, City of" is also Bristol and City of Bristol.
func councilNames(name string) []string {
	names := []string{name}
	if head, tail, ok := strings.Cut(name, ", "); ok && strings.HasSuffix(tail, " of") {
		names = append(names, head, tail+" "+head)
	}
	for _, prefix := range []string{"London Borough of ", "Royal Borough of ", "City of ", "Borough of "} {
		if !strings.HasPrefix(name, prefix) {
			names = append(names, prefix+name)
		}
	}
	return names
}

// Memory is the codings of texts that one gazetteer coded: employers word the same
// place the same way, again and again. The zero value is ready; one Memory serves one
// goroutine at a time.
type Memory struct{ texts map[string]Coding }

// textsKept bounds the texts that are remembered.
const textsKept = 1 << 14

// text is g.text, once of each text.
func (m *Memory) text(g *Gazetteer, s string) Coding {
	if c, known := m.texts[s]; known {
		return c
	}
	c := g.text(s)
	if m.texts == nil || len(m.texts) == textsKept {
		m.texts = map[string]Coding{}
	}
	m.texts[strings.Clone(s)] = c
	return c
}

// Code codes the locations of one advert.
func (g *Gazetteer) Code(locations []sources.Location, nationwide bool, m *Memory) Coding {
	var c Coding
	abroad := len(locations) > 0
	for i := range locations {
		found := g.one(&locations[i], m)
		c.Councils = append(c.Councils, found.Councils...)
		if c.MatchedBy == "" {
			c.MatchedBy = found.MatchedBy
		}
		if c.Unplaced == "" {
			c.Unplaced = found.Unplaced
		}
		if found.Country == InUK {
			c.Country = InUK
		}
		abroad = abroad && found.Country == Abroad
	}
	switch {
	case nationwide:
		// The whole country: in no borough, whatever address it also names.
		return Coding{Country: InUK, MatchedBy: "nationwide"}
	case c.Country != InUK && abroad:
		c.Country = Abroad
	}
	slices.Sort(c.Councils)
	c.Councils = slices.Compact(c.Councils)
	return c
}

func (g *Gazetteer) one(l *sources.Location, m *Memory) Coding {
	if l.Slug != "" {
		if code, ok := g.slugs[l.Slug]; ok {
			return Coding{Councils: []string{code}, Country: InUK, MatchedBy: "slug"}
		}
		// The platform serves the United Kingdom only, so a borough that is in no
		// list is an unknown place in a known country.
		return Coding{Country: InUK, Unplaced: l.Slug}
	}
	if l.Latitude != 0 || l.Longitude != 0 {
		if code := g.outlines.find(l.Longitude, l.Latitude); code != "" {
			return Coding{Councils: []string{code}, Country: InUK, MatchedBy: "coordinates"}
		}
	}
	c := m.text(g, l.Text)
	if stated := countryOf(l.Country); stated != Unknown {
		c.Country = stated
		if stated == Abroad {
			c.Councils, c.MatchedBy = nil, ""
		}
	}
	if c.Country == Unknown && ukPostcode(l.Postcode) {
		c.Country = InUK
	}
	return c
}

// text codes free text: each alternative apart, then together.
func (g *Gazetteer) text(s string) Coding {
	var c Coding
	abroad, any := true, false
	for _, alternative := range alternatives(s) {
		found := g.alternative(alternative)
		c.Councils = append(c.Councils, found.Councils...)
		if found.Country == InUK {
			c.Country = InUK
		}
		abroad = abroad && found.Country == Abroad
		any = true
	}
	if any && abroad {
		c.Country = Abroad
	}
	if len(c.Councils) > 0 {
		c.MatchedBy = "text"
	}
	return c
}

// alternative codes one place: "Hackney, London, UK".
func (g *Gazetteer) alternative(parts []string) Coding {
	var inUK, abroad, dominant bool
	for _, p := range parts {
		inUK = inUK || isUK(p)
		abroad = abroad || isForeign(p)
	}
	var codes []string
	for _, p := range parts {
		matches := g.names[p]
		if len(matches) == 1 && (inUK || !ambiguousAbroad(p)) {
			codes = append(codes, matches[0])
		}
		dominant = dominant || len(matches) > 0 && !ambiguousAbroad(p) || isUKArea(p)
	}
	switch {
	case inUK || dominant && !abroad:
		return Coding{Councils: narrowest(codes), Country: InUK}
	case abroad:
		return Coding{Country: Abroad}
	}
	return Coding{}
}

// narrowest keeps the first place named: "Reading (London)" is Reading, and in
// "Stratford, Newham, London" both name one council.
func narrowest(codes []string) []string {
	if len(codes) == 0 {
		return nil
	}
	return codes[:1]
}
