package sandbox

import (
	"fmt"
	"slices"
	"strings"

	"labour/sources"
)

// skillLevel is a recorded skill of a resident: its index in lists.skills and its level, 1 to 5.
type skillLevel struct {
	skill, level int
}

// resident is a made-up person registered with the platform.
type resident struct {
	number  int
	id      string // pseudonym of the resident in the feed
	borough int    // index of the borough where the resident lives
	sector  string // slug of the sector in which the resident has experience
	seeking bool
	sought  string // slug of the sector in which the resident seeks work; "" = not stated
	skills  []skillLevel
}

// people holds all residents, grouped by borough and sector. In each group, the most active
// applicants come first.
type people struct {
	list []resident
	// number of the first resident of each group; the last item is the number of residents
	from    []int
	sectors []string   // slugs of the sectors, in the order of the groups
	jobs    []weighted // for each sector, the distribution of its residents over jobs
	here    []weighted // for each borough, the distribution of its residents over sectors
}

func (w *World) makePeople() {
	p := &w.people
	sectors, weight := w.sectors(func(job) bool { return true })
	p.sectors, p.from = sectors, []int{0}
	var each []float64
	for i := range w.lists.boroughs {
		for s := range sectors {
			each = append(each, float64(w.borough(i).people)*weight[s])
		}
	}
	for group, n := range shares(w.size.Residents, each) {
		p.from = append(p.from, p.from[group]+n)
	}
	for i := range w.lists.boroughs {
		p.here = append(p.here, newWeighted(len(sectors), func(s int) float64 { return float64(p.count(i, s)) }))
	}
	for _, sector := range sectors {
		p.jobs = append(p.jobs, newWeighted(len(w.lists.jobs), func(j int) float64 {
			if w.lists.jobs[j].sector != sector {
				return 0
			}
			return float64(w.lists.jobs[j].weight)
		}))
	}
	c, taken := w.rng(streamPeople), map[uint64]bool{}
	for group, upTo := range p.from[1:] {
		for len(p.list) < upTo {
			p.list = append(p.list, w.person(c, group, taken))
		}
	}
}

// first returns the index of the first resident in a group, which is one borough and one sector.
// count returns the number of residents in the group.
func (p *people) first(borough, sector int) int { return p.from[borough*len(p.sectors)+sector] }

func (p *people) count(borough, sector int) int {
	return p.from[borough*len(p.sectors)+sector+1] - p.first(borough, sector)
}

func (w *World) resident(i int) *resident { return &w.people.list[i] }

// person generates the next resident of a group. A group is one borough and one sector, and group is
// its index. taken holds the pseudonyms already in use.
func (w *World) person(c rng, group int, taken map[uint64]bool) resident {
	p := &w.people
	borough, sector := group/len(p.sectors), group%len(p.sectors)
	r := resident{number: len(p.list), borough: borough, sector: p.sectors[sector], seeking: c.one(0.38)}
	if c.one(0.8) {
		r.sought = r.sector
		if c.one(0.25) {
			r.sought = c.pick(p.sectors)
		}
	}
	r.skills = w.recordedSkills(c, w.lists.jobs[p.jobs[sector].draw(c)])
	id := c.Uint64N(1 << 40)
	for taken[id] {
		id = c.Uint64N(1 << 40)
	}
	taken[id] = true
	r.id = fmt.Sprintf("r-%010x", id)
	return r
}

// recordedSkills generates the recorded skills of a person who knows job j. One person in ten has
// none.
func (w *World) recordedSkills(c rng, j job) []skillLevel {
	if c.one(0.1) {
		return nil
	}
	out := make([]skillLevel, 0, 16)
	add := func(skill, level int) {
		if !slices.ContainsFunc(out, func(h skillLevel) bool { return h.skill == skill }) {
			h := skillLevel{skill: skill, level: min(max(level+c.between(-2, 1), 1), 5)}
			if w.lists.skills[skill].form == 'h' {
				h.level = w.lists.skills[skill].level // a licence has no levels
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

// level returns the resident's recorded level of a skill, 1 to 5, or 0 if the skill is not
// recorded.
func (r *resident) level(skill int) int {
	for _, h := range r.skills {
		if h.skill == skill {
			return h.level
		}
	}
	return 0
}

// applicant returns a random applicant for an advert. borough is the index of the borough of the
// job. Most applicants live in or near this borough and have experience in the advert's sector. A
// few residents apply much more often than others.
func (w *World) applicant(c rng, v *vacancy, borough int) *resident {
	if around := w.applicantHomes[borough]; c.one(0.85) {
		borough = w.near[borough][around.draw(c)]
	} else {
		borough = c.IntN(len(w.lists.boroughs))
	}
	ofSector := -1
	if s := slices.Index(w.people.sectors, w.lists.jobs[v.job].sector); c.one(0.72) && w.people.count(borough, s) > 0 {
		ofSector = s
	}
	r := w.resident(w.anyResident(c, borough, ofSector))
	// Of three people who see the advert, the one who fits best applies.
	for range 2 {
		if other := w.resident(w.anyResident(c, borough, ofSector)); other.skillsMet(v) > r.skillsMet(v) {
			r = other
		}
	}
	return r
}

// anyResident returns the index of a random resident. borough is the index of the resident's
// borough. sector is the index of the sector in which the resident has experience; -1 means any. If
// the borough has no residents, it returns a resident of another borough.
func (w *World) anyResident(c rng, borough, sector int) int {
	if sector < 0 {
		if sector = w.people.here[borough].draw(c); sector < 0 {
			return c.IntN(w.size.Residents)
		}
	}
	x := c.Float64()
	return w.people.first(borough, sector) + int(x*x*float64(w.people.count(borough, sector)))
}

// skillsMet returns the number of required skills that the resident has at the required level or above.
func (r *resident) skillsMet(v *vacancy) int {
	n := 0
	for _, a := range v.requirements {
		if r.level(a.skill) >= a.level {
			n++
		}
	}
	return n
}

// residentSkills returns a resident's skills for the feed, sorted by slug.
func (w *World) residentSkills(r *resident) []sources.SkillLevel {
	out := make([]sources.SkillLevel, 0, len(r.skills))
	for _, h := range r.skills {
		out = append(out, sources.SkillLevel{Skill: w.lists.skills[h.skill].slug, Level: h.level})
	}
	slices.SortFunc(out, func(a, b sources.SkillLevel) int { return strings.Compare(a.Skill, b.Skill) })
	return out
}
