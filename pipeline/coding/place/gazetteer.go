package place

import (
	"fmt"
	"slices"

	"labour/sources"
	"labour/sources/platform"
)

// ServedArea is a named union of councils that the operator serves, such as Central London.
type ServedArea struct {
	Slug, Name string
	Councils   []string // codes of the councils that make up the area
}

// Gazetteer finds the place of work of adverts. It uses one edition of the official list of
// councils.
type Gazetteer struct {
	*tables
	slugs      map[string]string // council code of each borough in the feed, by the borough's slug
	codes      map[int]string    // code of each council, by its number in the tables of places
	byCode     map[string]int
	servedSets []servedSet
	outlines   councilOutlines
}

// servedSet is an area that the operator serves, with its councils as a bit set.
type servedSet struct {
	slug    string
	members set
}

// NewGazetteer returns a gazetteer for the given councils, boroughs and served areas. Only councils
// with a boundary can be found by coordinates. NewGazetteer returns a fault for each council,
// borough or boundary that it cannot use.
func NewGazetteer(councils []sources.Area, boundaries []sources.Boundary, boroughs []sources.Borough,
	served ...ServedArea) (*Gazetteer, []sources.Fault) {
	g := &Gazetteer{tables: loadTables().clone(), slugs: map[string]string{}, codes: map[int]string{},
		byCode: map[string]int{}}
	var faults []sources.Fault
	for _, c := range councils {
		if err := g.addCouncil(c.Code, c.Name); err != nil {
			faults = append(faults, sources.Fault{Source: c.Source, Code: sources.FaultCodeOf(err), Detail: err.Error()})
		}
		if c.NameWelsh != "" {
			g.addName(c.NameWelsh, c.Code)
		}
	}
	for _, b := range boroughs {
		omitted := len(councils) > 0 && g.isOmitted(b)
		if omitted {
			faults = append(faults, sources.Fault{Source: councils[0].Source, Code: sources.FaultUnknownPlace,
				Detail: fmt.Sprintf("the list of councils has no valid row of %s (%s), a borough of the platform; the borough "+
					"is counted with this code", b.Code, b.Name)})
		}
		if err := g.addBorough(b, len(councils) > 0 && !omitted); err != nil {
			faults = append(faults, sources.Fault{Source: platform.Key, Code: sources.FaultCodeOf(err),
				Detail: err.Error()})
		}
	}
	for _, a := range served {
		g.serve(a)
	}
	outlines, unread := newOutlines(boundaries)
	g.outlines = outlines
	return g, append(faults, unread...)
}

// isOmitted reports whether the official list omits the council of a borough: the built-in tables
// have a council with the borough's name, and no council of the list has it. A row of the list may be
// broken. The borough is then used with the code that the platform states.
func (g *Gazetteer) isOmitted(b sources.Borough) bool {
	_, listed := g.byCode[b.Code]
	n, builtIn := g.numbers[normalise(g.officialName(b.Name))]
	return !listed && builtIn && g.codes[n] == ""
}

// addBorough adds a borough of the platform. needsCouncil is true if the council must be known
// already, because there is an official list of councils. addBorough returns an error with a fault
// code if it is not known, or if there are too many councils.
func (g *Gazetteer) addBorough(b sources.Borough, needsCouncil bool) error {
	_, known := g.byCode[b.Code]
	if needsCouncil && !known {
		return sources.CodedErrorf(sources.FaultUnknownPlace,
			"borough %q: %q is not the code of a council; correct the feed's boroughs", b.Slug, b.Code)
	}
	g.slugs[b.Slug] = b.Code
	var err error
	if !known {
		err = g.addCouncil(b.Code, g.officialName(b.Name))
	}
	g.addName(b.Name, b.Code)
	return err
}

// officialName returns the official name of the council that a borough's name stands for, such as
// "Bristol, City of" for "Bristol". It returns name unchanged if no council of the tables, or more
// than one, has it as a short form.
func (g *Gazetteer) officialName(name string) string {
	var found []string
	for _, council := range g.councils {
		if slices.ContainsFunc(councilNames(council), func(short string) bool {
			return normalise(short) == normalise(name)
		}) {
			found = append(found, council)
		}
	}
	if len(found) != 1 {
		return name
	}
	return found[0]
}

// addCouncil adds a council of the official list. If the built-in tables have a council with this
// name, only the code is added. It returns an error with a fault code if there are too many
// councils.
func (g *Gazetteer) addCouncil(code, name string) error {
	n, known := g.numbers[normalise(name)]
	if !known {
		if n = len(g.councils); n == setSize {
			return sources.CodedErrorf(sources.FaultBadValue, "council %q: more than %d councils", name, setSize)
		}
		g.councils = append(g.councils, name)
		g.numbers[normalise(name)] = n
	}
	g.byCode[code] = n
	g.codes[n] = max(g.codes[n], code) // the newer code of a council that was recoded
	if !known {
		for _, name := range councilNames(name) {
			g.addName(name, code)
		}
	}
	return nil
}

// addName adds another name, such as the Welsh one, for the council with the given code.
func (g *Gazetteer) addName(name, code string) {
	n, known := g.byCode[code]
	key := normalise(name)
	if !known || key == "" || len(withinCouncils(g.spots[key], setOf(n))) > 0 {
		return
	}
	own := spot{councils: setOf(n), parts: []part{{n, councilSize}}, size: councilSize, council: true}
	g.spots[key] = append(slices.Clone(g.spots[key]), own)
}

// serve adds an area that the operator serves. If a built-in area has the same name, all names of
// that area then mean the served area. If a town has the same name, the name still means the town.
// serve ignores an area without known councils.
func (g *Gazetteer) serve(a ServedArea) {
	var members set
	for _, code := range a.Councils {
		if n, known := g.byCode[code]; known {
			members = members.or(setOf(n))
		}
	}
	if members.isEmpty() {
		return
	}
	g.servedSets = append(g.servedSets, servedSet{a.Slug, members})
	key := normalise(a.Name)
	own := &area{name: a.Name, members: members, nearby: members}
	switch before := g.areas[key]; {
	case before != nil:
		own.nearby, own.nation = before.nearby.or(members), before.nation
		for name, same := range g.areas {
			if same == before {
				g.areas[name] = own
			}
		}
	case len(g.spots[key]) == 0:
		g.areas[key] = own
	}
}
