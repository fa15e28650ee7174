package yeartest

import (
	"slices"
	"strconv"
)

// askedOf are the printed cells of one skill: each is worked out once.
type askedOf struct {
	rules
	cells map[string]map[combination]cell // by measure
	done  map[string]map[combination]printed
	known func(combination) bool // whether its people are seen at all
}

// value returns what a measure prints in a combination. What had it is below its total too.
func (a *askedOf) value(measure string, c combination) printed {
	if p, ok := a.done[measure][c]; ok {
		return p
	}
	var parents []printed
	for _, up := range c.parents() {
		parents = append(parents, a.value(measure, up))
	}
	if total, ok := map[string]string{"hired had": "hired", "turned had": "turned"}[measure]; ok {
		parents = append(parents, a.value(total, c))
	}
	p := a.below(a.cells[measure][c], parents...)
	if !a.known(c) {
		p = printed{hidden: true}
	}
	if a.done[measure] == nil {
		a.done[measure] = map[combination]printed{}
	}
	a.done[measure][c] = p
	return p
}

// counts adds the outcomes of one skill up by combination.
func counts(kinds map[string]map[string]happened) map[string]map[combination]cell {
	cells := map[string]map[combination]cell{}
	for _, m := range measures {
		cells[m] = map[combination]cell{}
	}
	for kind, people := range kinds {
		for person, h := range people {
			key := recordKey(ofPeople, person)
			for _, place := range placesOf(h.place) {
				for filter, values := range h.value {
					for _, v := range values {
						c := combination{place, filter, v}
						addTo(cells[kind], c, key)
						if h.had && kind != "named" {
							addTo(cells[kind+" had"], c, key)
						}
					}
				}
			}
		}
	}
	return cells
}

func addTo[K comparable](cells map[K]cell, of K, key uint64) {
	c := cells[of]
	c.add(key)
	cells[of] = c
}

// seen reports whether applications under a combination are seen: those to adverts of employers' own
// boards and of the apprenticeship service are not.
func seen(c combination) bool { return c.filter != "source" || c.value == "platform" }

// people returns the printed figures of people of a period.
func (k *known) people(r rules, of period, asOf string) figures {
	outcomes, may, asked := k.outcomes(of, asOf), k.askable(of, asOf), k.asked(r, asOf)
	table := figures{}
	for _, s := range r.skills {
		a := &askedOf{rules: r, cells: counts(outcomes[s.slug]), done: map[string]map[combination]printed{},
			known: seen}
		for c := range may {
			if c.filter == "level" && !asked[s.slug][c] {
				continue
			}
			table[line(c.signature(), c.place, c.value, s.slug)] = line(a.value("named", c),
				r.share(a.value("hired had", c), a.value("hired", c)),
				r.share(a.value("turned had", c), a.value("turned", c)))
		}
	}
	return table
}

// nothing is a row about people without a printed figure; such a row may be missing.
var nothing = line("null", "null", "null")

// zeros is what a row says of a combination in which nobody counts.
var zeros = line("0", "null", "null")

// residents returns the shares of residents below each level of each skill, by P4: "P1 with a key per
// resident", the same for every skill as for the candidates.
func (k *known) residents(r rules) figures {
	table := figures{}
	for _, s := range r.skills {
		for level := 1; level <= 5; level++ {
			lower, upper, all := map[string]cell{}, map[string]cell{}, map[string]cell{}
			for _, person := range k.applied.Residents {
				key := recordKey(ofPeople, person.ID) // one key per resident, whatever the skill
				for _, place := range placesOf(person.Borough) {
					addTo(all, place, key)
					if levelOf(person, s.slug) < level {
						addTo(lower, place, key)
					} else {
						addTo(upper, place, key)
					}
				}
			}
			for _, place := range k.served() {
				table[line(place, s.slug, level)] = r.residentShare(place, lower, upper, all)
			}
		}
	}
	return table
}

// levelOf returns the level that a resident has on record, 0 for none.
func levelOf(r resident, skill string) int {
	for _, s := range r.Skills {
		if s.Skill == skill {
			return s.Level
		}
	}
	return 0
}

// served returns everywhere, the boroughs and the area.
func (k *known) served() []string {
	places := []string{"", area}
	for _, b := range k.feed.Boroughs {
		places = append(places, b.Slug)
	}
	return places
}

// residentShare is the printed share below a level in a place: the people below, all less below and
// all are cells, and each is below the same cell of a wider place and below its total.
func (r rules) residentShare(place string, lower, upper, all map[string]cell) string {
	var whole, part, rest printed
	for _, p := range wider(place) {
		whole = r.within(whole, all[p], p)
		part = r.within(part, lower[p], p, whole)
		rest = r.within(rest, upper[p], p, whole)
	}
	if part.hidden || rest.hidden {
		return "null"
	}
	if whole.number >= 1000 {
		panic("the world is too small for a share with a decimal")
	}
	s := r.share(part, whole)
	if s == "100.0" && whole.number < 265 { // rounding may hide more than 3 %: all but 2.5 are the most
		s = tenths(int64((200*whole.number-500+whole.number)/(2*whole.number)) * 10)
	}
	return s
}

// within prints a cell of a place below the same cell of the next wider place.
func (r rules) within(of printed, c cell, place string, parents ...printed) printed {
	if place != "" {
		parents = append(parents, of)
	}
	return r.below(c, parents...)
}

// wider returns a place after the places that hold it, the widest first.
func wider(place string) []string {
	switch {
	case place == "":
		return []string{""}
	case slices.Contains(areaMembers, place):
		return []string{"", area, place}
	}
	return []string{"", place}
}

// candidates returns the printed counts of residents.
func (k *known) candidates(r rules) figures {
	all, seeking := cell{}, cell{}
	boroughs, levels, sought := map[string]cell{}, map[string]cell{}, map[string]cell{}
	for _, person := range k.applied.Residents {
		key := recordKey(ofPeople, person.ID)
		all.add(key)
		addTo(boroughs, person.Borough, key)
		highest := 0
		for _, s := range person.Skills {
			highest = max(highest, s.Level)
		}
		if highest > 0 {
			addTo(levels, strconv.Itoa(highest), key)
		}
		if person.Seeking {
			seeking.add(key)
			if person.Sought != "" {
				addTo(sought, person.Sought, key)
			}
		}
	}
	whole := r.print(all)
	table := figures{line("all", ""): whole.String(), line("seeking_work", ""): r.below(seeking, whole).String()}
	for _, b := range k.feed.Boroughs {
		table[line("borough", b.Slug)] = r.below(boroughs[b.Slug], whole).String()
	}
	for level := 1; level <= 5; level++ {
		table[line("level", level)] = r.below(levels[strconv.Itoa(level)], whole).String()
	}
	for _, sector := range sectors {
		table[line("sector_sought", sector)] = r.below(sought[sector], whole, r.below(seeking, whole)).String()
	}
	return table
}

// s106People returns the counts of section 106 that are of people or bound them. A site is the record.
func (k *known) s106People(r rules) figures {
	table := figures{}
	for _, place := range k.served() {
		row := make([]any, 3)
		for i, measure := range []string{"jobs_created", "apprenticeships_started", "local_people_employed"} {
			var above printed
			for _, p := range wider(place) {
				above = r.within(above, k.siteCell(measure, p), p)
			}
			row[i] = above
		}
		if jobs := row[0].(printed); (row[1].(printed).hidden || row[2].(printed).hidden) && jobs.number < 10 {
			row[0] = printed{hidden: true} // the jobs bound the people from above
		}
		table[place] = line(row...)
	}
	return table
}

// siteCell is the sum of a measure over the sites of a place, with the keys of those that have any.
func (k *known) siteCell(measure, place string) (sum cell) {
	for _, s := range k.feed.Sites {
		n := map[string]int64{"jobs_created": s.Jobs, "apprenticeships_started": s.Apprenticeship,
			"local_people_employed": s.Local}[measure]
		if n > 0 && slices.Contains(placesOf(s.Borough), place) {
			sum.n += int(n)
			sum.key += recordKey("s106/"+measure, s.ID)
		}
	}
	return sum
}
