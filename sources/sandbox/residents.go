package sandbox

import (
	"fmt"
	"slices"

	"labour/sources"
)

// held is a skill on record with its level.
type held struct {
	skill, level int
}

// resident is a made-up person.
type resident struct {
	id      string
	borough int
	sector  string // of the work the person knows
	seeking bool
	sought  string // sector; "" = not stated
	skills  []held
}

// homes finds applicants: residents by borough, and by borough and sector.
type homes struct {
	borough [][]int
	sector  []map[string][]int
}

// makeResidents makes up the residents. The order within a borough is that of how
// active they are.
func (w *World) makeResidents() {
	c := w.chance(streamResidents)
	boroughs := newWheel(len(w.lists.boroughs), func(i int) float64 { return float64(w.borough(i).people) })
	jobs := newWheel(len(w.lists.jobs), func(i int) float64 { return float64(w.lists.jobs[i].weight) })
	sectors, _ := w.sectors(func(job) bool { return true })
	w.homes = homes{borough: make([][]int, len(w.lists.boroughs)), sector: make([]map[string][]int, len(w.lists.boroughs))}
	for i := range w.homes.sector {
		w.homes.sector[i] = map[string][]int{}
	}
	taken := make(map[string]bool, w.size.Residents)
	w.residents = make([]resident, 0, w.size.Residents)
	for i := range w.size.Residents {
		j := w.lists.jobs[jobs.spin(c)]
		r := resident{id: pseudonym(c, taken), borough: boroughs.spin(c), sector: j.sector, seeking: c.one(0.38)}
		if c.one(0.8) {
			r.sought = j.sector
			if c.one(0.25) {
				r.sought = c.pick(sectors)
			}
		}
		r.skills = w.learnt(c, j)
		w.residents = append(w.residents, r)
		w.homes.borough[r.borough] = append(w.homes.borough[r.borough], i)
		w.homes.sector[r.borough][r.sector] = append(w.homes.sector[r.borough][r.sector], i)
	}
}

// pseudonym is a random one that is not taken.
func pseudonym(c chance, taken map[string]bool) string {
	for {
		id := fmt.Sprintf("r-%010x", c.Uint64()&(1<<40-1))
		if !taken[id] {
			taken[id] = true
			return id
		}
	}
}

// learnt makes up what a person who knows a kind of job has on record. One in ten
// has nothing on record.
func (w *World) learnt(c chance, j job) []held {
	if c.one(0.1) {
		return nil
	}
	var out []held
	add := func(skill, level int) {
		if !slices.ContainsFunc(out, func(h held) bool { return h.skill == skill }) {
			h := held{skill: skill, level: min(max(level+c.between(-2, 1), 1), 5)}
			if w.lists.skills[skill].form == 'h' {
				h.level = w.lists.skills[skill].level // a licence has no degrees
			}
			out = append(out, h)
		}
	}
	for _, n := range j.needs {
		if c.one(0.75) {
			add(n.skill, n.level+1)
		}
	}
	for _, s := range w.lists.common {
		if c.one(float64(w.lists.skills[s].spread) / 130) {
			add(s, w.lists.skills[s].level+1)
		}
	}
	for range c.between(0, 2) {
		s := c.IntN(len(w.lists.skills))
		add(s, w.lists.skills[s].level)
	}
	return out
}

// level is what a resident has of a skill on record; 0 = none.
func (r *resident) level(skill int) int {
	for _, h := range r.skills {
		if h.skill == skill {
			return h.level
		}
	}
	return 0
}

// applicant picks somebody who applies for work in a borough: mostly from there
// or near, mostly of the sector, and some people much more often than others.
func (w *World) applicant(c chance, v *vacancy, at int) int {
	sector := w.lists.jobs[v.job].sector
	if around := w.around[at]; c.one(0.85) {
		at = w.near[at][around.spin(c)]
	} else {
		at = c.IntN(len(w.lists.boroughs))
	}
	pool := w.homes.borough[at]
	if c.one(0.72) && len(w.homes.sector[at][sector]) > 0 {
		pool = w.homes.sector[at][sector]
	}
	if len(pool) == 0 {
		return c.IntN(len(w.residents))
	}
	draw := func() int {
		x := c.Float64()
		return pool[int(x*x*float64(len(pool)))]
	}
	// Of three who see the advert, the one who fits best applies.
	best := draw()
	for range 2 {
		if r := draw(); w.residents[r].fits(v) > w.residents[best].fits(v) {
			best = r
		}
	}
	return best
}

// fits counts the asked skills that a resident has at the level asked.
func (r *resident) fits(v *vacancy) int {
	n := 0
	for _, a := range v.asked {
		if r.level(a.skill) >= a.level {
			n++
		}
	}
	return n
}

// boroughSlug is the slug of a resident's borough.
func (w *World) boroughSlug(r *resident) string { return w.borough(r.borough).slug }

// heldSkills are a resident's skills as records, sorted by slug.
func (w *World) heldSkills(r *resident) []sources.Held {
	out := make([]sources.Held, 0, len(r.skills))
	for _, h := range r.skills {
		out = append(out, sources.Held{Skill: w.lists.skills[h.skill].slug, Level: h.level})
	}
	slices.SortFunc(out, func(a, b sources.Held) int {
		if a.Skill < b.Skill {
			return -1
		}
		return 1
	})
	return out
}
