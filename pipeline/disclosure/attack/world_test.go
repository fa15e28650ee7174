package attack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"labour/pipeline/disclosure/synthtest"
)

// Quarters of the worlds. Release q describes the four quarters from q on, so that the eight of two
// years describe eleven.
const (
	releases    = 8
	inWindow    = 4
	quarters    = releases + inWindow - 1
	firstAdvert = -2 // the first quarter with adverts
)

// quarterStart returns the first day of a quarter; quarter 0 begins the year that the first release
// describes.
func quarterStart(quarter int) time.Time {
	return time.Date(2025, time.October, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 3*quarter, 0)
}

// releasedOn returns when release q is made: on the second day after its last quarter.
func releasedOn(q int) time.Time { return quarterStart(q+inWindow).AddDate(0, 0, 1).Add(6 * time.Hour) }

// The outcomes of an application for one skill.
const (
	turnedDownFor = "turned down for the skill"
	turnedDownHad = "turned down, had it"
	hiredHad      = "hired, had it"
	hiredHads     = "hired, had it not"
)

// event is the outcome of one application, for one skill.
type event struct {
	resident, skill, outcome string
	at                       synthtest.Person // place, sector, occupation, level and source of its advert
	quarter                  int
	when                     time.Time
	advert                   string
	employer                 int
}

// advert is an advert of the made-up feed.
type advert struct {
	id                 string
	employer, quarter  int
	place, sector, soc string
	level              string
	skills             []string
	posted             time.Time
}

// world is a made-up platform over two years of releases. Each skill has people of its own, so that
// it is a small world over the same adverts.
type world struct {
	synthtest.TestWorld
	seed    uint64
	skills  []string
	adverts []advert
	events  []event
	r       *rand.Rand

	residents []resident
	sites     [][]site // by release
}

// traits are the parameters of a random world.
type traits struct {
	seed     uint64
	skills   int
	reapply  float64 // how likely a person is to apply again for the same skill
	crowd    int     // so many times as many people; 0 is once
	outcomes []string
	bundle   bool // every advert asks for all skills, and every person counts for all of them
}

// bigEmployer has a third of the adverts.
const bigEmployer = 0

func newWorld(of traits) *world {
	w := &world{seed: of.seed, r: rand.New(rand.NewPCG(of.seed, 99))}
	w.TestWorld = synthtest.TestWorld{Places: []string{"camden", "hackney", "islington", "westminster"},
		Areas: map[string][]string{"north": {"camden", "islington"},
			"canal": {"hackney", "westminster", "islington"}},
		Sectors: []string{"care-services", "construction-and-the-built-environment", "digital"},
		SOCs:    []string{"2134", "2139", "6135"}, Levels: []string{"2", "3"}, Sources: []string{"platform"}}
	for i := range of.skills {
		w.skills = append(w.skills, fmt.Sprintf("craft-%c%c", 'a'+i/26, 'a'+i%26))
	}
	w.drawAdverts()
	if of.bundle {
		w.drawBundle(of)
		return w
	}
	for i, skill := range w.skills {
		people := max(1, of.crowd) * (15 + w.r.IntN(40)*(1+w.r.IntN(6)))
		w.drawPeople(skill, uint64(i), people, of)
	}
	w.drawNeighbours()
	return w
}

// drawAdverts draws one advert for each combination of values and quarter from the one on in which
// the combination first has any; four in ten combinations have none. Each asks for the skills that
// have begun to be asked in its combination.
func (w *world) drawAdverts() {
	for _, c := range w.AllCombinations() {
		if w.r.IntN(10) < 4 {
			continue
		}
		begins := map[string]int{}
		for _, skill := range w.skills {
			begins[skill] = firstAdvert + max(0, w.r.IntN(16)-6)
		}
		for quarter := firstAdvert; quarter < quarters; quarter++ {
			a := advert{id: fmt.Sprintf("ad-%d", len(w.adverts)), employer: w.r.IntN(3), quarter: quarter,
				place: c.Place, sector: c.Sector, soc: c.SOC, level: c.Level,
				posted: quarterStart(quarter).AddDate(0, 0, w.r.IntN(40))}
			if a.employer != bigEmployer {
				a.employer = 1 + w.r.IntN(20)
			}
			for _, skill := range w.skills {
				if begins[skill] <= quarter {
					a.skills = append(a.skills, skill)
				}
			}
			if len(a.skills) > 0 {
				w.adverts = append(w.adverts, a)
			}
		}
	}
}

// drawBundle makes every advert ask for all skills, and draws people who are turned down for all of them.
func (w *world) drawBundle(of traits) {
	for i := range w.adverts {
		w.adverts[i].skills = w.skills
	}
	w.drawPeople(w.skills[0], 0, 100+w.r.IntN(400), of)
	for _, e := range slices.Clone(w.events) {
		for _, skill := range w.skills[1:] {
			e.skill = skill
			w.events = append(w.events, e)
		}
	}
	w.drawNeighbours()
}

// drawPeople draws people of a skill, with a weight for each value, and what became of each.
func (w *world) drawPeople(skill string, n uint64, people int, of traits) {
	asking := map[synthtest.Person][]advert{}
	for _, a := range w.adverts {
		if slices.Contains(a.skills, skill) {
			c := synthtest.Person{Place: a.place, Sector: a.sector, SOC: a.soc, Level: a.level, Source: "platform"}
			asking[c] = append(asking[c], a)
		}
	}
	drawer := w.NewPersonGenerator(w.seed<<16 + n)
	for i := range people {
		resident := fmt.Sprintf("r-%d", i)
		for {
			w.apply(resident, skill, asking[drawer.Person(0)], of)
			if w.r.Float64() >= of.reapply {
				break
			}
		}
	}
}

// apply lets a resident apply to one of some adverts, in a quarter in which it is there.
func (w *world) apply(resident, skill string, to []advert, of traits) {
	if len(to) == 0 {
		return
	}
	a := to[w.r.IntN(len(to))]
	quarter := max(0, a.quarter) + w.r.IntN(3)
	if quarter >= quarters {
		return
	}
	when := quarterStart(quarter).AddDate(0, 0, 45+w.r.IntN(44)).Add(time.Duration(len(w.events)) * time.Second)
	w.events = append(w.events,
		event{resident: resident, skill: skill, outcome: of.outcomes[w.r.IntN(len(of.outcomes))],
			at:      synthtest.Person{Place: a.place, Sector: a.sector, SOC: a.soc, Level: a.level, Source: "platform"},
			quarter: quarter, when: when, advert: a.id, employer: a.employer})
}
