package yeartest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// world is everything that ever happens, made of a seed.
type world struct {
	changes []change
	boards  map[string][]vacancy // by token
	rand    *rand.Rand
}

func newWorld(seed uint64) *world {
	w := &world{rand: rand.New(rand.NewPCG(seed, 33)), boards: map[string][]vacancy{}}
	w.at(worldFirst, func(p *platform) { p.Boroughs = slices.Clone(boroughsAtFirst) })
	people := w.residents(300)
	adverts := w.adverts(200)
	w.applications(1000, people, adverts)
	w.events(adverts)
	w.sites()
	w.vacancies()
	w.copies()
	w.again()
	slices.SortStableFunc(w.changes, func(a, b change) int { return a.at.Compare(b.at) })
	return w
}

func (w *world) at(t time.Time, apply func(*platform)) {
	w.changes = append(w.changes, change{t, apply})
}

func pick[T any](w *world, list []T) T { return list[w.rand.IntN(len(list))] }

// moment draws a whole second of a span.
func (w *world) moment(from, to time.Time) time.Time {
	return from.Add(time.Duration(w.rand.Int64N(int64(to.Sub(from)/time.Second))) * time.Second)
}

// residents draws people. One in four moves, leaves, learns or comes during the year.
func (w *world) residents(n int) []resident {
	people := make([]resident, n)
	for i := range people {
		r := resident{ID: fmt.Sprintf("r-%03d", i), Borough: pick(w,
			[]string{"camden", "camden", "hackney", "islington", "islington"}),
			Seeking: w.rand.IntN(3) > 0}
		if w.rand.IntN(4) > 0 {
			r.Sought = pick(w, trades).sector
		}
		for _, s := range register {
			if w.rand.IntN(3) > 0 {
				continue
			}
			level := 1
			if s.kind != "licence" {
				level = 1 + w.rand.IntN(5)
			}
			r.Skills = append(r.Skills, record{s.slug, level})
		}
		people[i] = r
		comes := worldFirst
		if w.rand.IntN(8) == 0 {
			comes = w.moment(begin, end)
		}
		w.at(comes, func(p *platform) { p.Residents = append(p.Residents, r) })
		w.lifeOf(r)
	}
	return people
}

// lifeOf moves some people and takes some away.
func (w *world) lifeOf(r resident) {
	same := func(o resident) bool { return o.ID == r.ID }
	switch when := w.moment(begin, end); w.rand.IntN(12) {
	case 0:
		to := pick(w, boroughsAtFirst).Slug
		w.at(when, func(p *platform) {
			replace(p.Residents, same, func(o resident) resident { o.Borough = to; return o })
		})
	case 1:
		w.at(when, func(p *platform) { p.Residents = slices.DeleteFunc(p.Residents, same) })
	case 2:
		w.at(when, func(p *platform) {
			replace(p.Residents, same, func(o resident) resident { o.Skills = []record{{"glazing", 4}}; return o })
		})
	}
}

// adverts draws the platform's own, from two years before the year to its end.
func (w *world) adverts(n int) []advert {
	list := make([]advert, n)
	for i := range list {
		t := pick(w, trades)
		posted := w.moment(worldFirst, end)
		a := advert{ID: fmt.Sprintf("ad-%03d", i), Origin: "platform", Employer: pick(w, pick(w, employers)),
			Title: fmt.Sprintf("%s, post %d", t.title, i), Kind: "job", Posted: date(posted), SOC: t.soc, Sector: t.sector}
		if a.Employer == "Cedar Homes" { // one page for all its roles, and a number that is none
			a.Apply, a.Requisition = "https://cedar.example/careers", "TBC"
		}
		w.place(&a)
		switch w.rand.IntN(20) {
		case 0, 1:
			a.Origin = "employer_board"
		case 2:
			a.Origin, a.Kind = "find_an_apprenticeship", "apprenticeship"
		case 3:
			a.Origin = pick(w, []string{"job_board", "aggregator", ""})
		}
		filled := date(posted.AddDate(0, 0, 10+w.rand.IntN(60)))
		staysOpen := i%25 == 24 // some are never filled, and live for longer than any window
		if w.rand.IntN(2) == 0 && !staysOpen {
			a.Closes = filled
		}
		for _, k := range w.rand.Perm(len(register))[:2+w.rand.IntN(2)] {
			s := register[k]
			if s.slug == "thatching" {
				s = laterSkill
			}
			asked := ask{Skill: s.slug}
			if s.kind != "licence" && w.rand.IntN(2) == 0 {
				asked.Level = 1 + w.rand.IntN(5)
			}
			a.Skills = append(a.Skills, asked)
		}
		list[i] = a
		w.at(posted, func(p *platform) { p.Adverts = append(p.Adverts, a) })
		if staysOpen {
			continue
		}
		w.at(day(filled).Add(15*time.Hour), func(p *platform) { // "state the day once it is filled"
			replace(p.Adverts, func(o advert) bool { return o.ID == a.ID },
				func(o advert) advert { o.Closes = filled; return o })
		})
	}
	return list
}

// place draws where the work of an advert is.
func (w *world) place(a *advert) {
	switch w.rand.IntN(20) {
	case 0:
		a.Locations = []string{"London"} // in none of the boroughs that can be told
	case 1, 2:
		for _, k := range w.rand.Perm(len(boroughsAtFirst))[:2] {
			a.Boroughs = append(a.Boroughs, boroughsAtFirst[k].Slug)
		}
		slices.Sort(a.Boroughs) // "the first" is then the same by any reading
	default:
		a.Boroughs = []string{pick(w, []string{"camden", "camden", "hackney", "islington"})}
	}
}

// applications draws who applies for what, and what becomes of it.
func (w *world) applications(n int, people []resident, adverts []advert) {
	for i := range n {
		who, what := pick(w, people), pick(w, adverts)
		posted := day(what.Posted)
		applied := w.moment(posted.AddDate(0, 0, 1), posted.AddDate(0, 0, 40))
		a := application{ID: fmt.Sprintf("ap-%04d", i), Resident: who.ID, Advert: what.ID,
			Applied: applied.Format(time.RFC3339), Outcome: "pending"}
		for _, s := range what.Skills {
			j := judged{Skill: s.Skill, Asked: rules{append(slices.Clone(register), laterSkill)}.level(s), Held: w.rand.IntN(2)}
			if s.Skill != licence {
				j.Held = w.rand.IntN(6)
			}
			a.Skills = append(a.Skills, j)
		}
		w.at(applied, func(p *platform) { p.Applications = append(p.Applications, a) })
		w.outcome(a, applied)
	}
}

// outcome draws how an application ends. One in ten is recorded late: its time is that of the
// decision, and the feed has it weeks after. A few are changed or taken back.
func (w *world) outcome(a application, applied time.Time) {
	kind := pick(w, []string{"turned_down", "turned_down", "turned_down", "hired", "hired", "withdrawn", "pending"})
	if kind == "pending" {
		return
	}
	decided := w.moment(applied.AddDate(0, 0, 2), applied.AddDate(0, 0, 50))
	seen := decided
	if w.rand.IntN(10) == 0 {
		seen = decided.AddDate(0, 0, 5+w.rand.IntN(60))
	}
	w.decide(a.ID, kind, decided, seen)
	switch w.rand.IntN(25) {
	case 0: // another decision
		again := w.moment(seen.AddDate(0, 0, 1), seen.AddDate(0, 0, 60))
		w.decide(a.ID, pick(w, []string{"hired", "turned_down"}), again, again)
	case 1: // taken back
		w.at(w.moment(seen.AddDate(0, 0, 1), seen.AddDate(0, 0, 60)), func(p *platform) {
			replace(p.Applications, func(o application) bool { return o.ID == a.ID }, func(o application) application {
				o.Outcome, o.Recorded = "pending", ""
				return o
			})
		})
	}
}

// decide records an outcome. In summer its time is printed in British Summer Time.
func (w *world) decide(id, kind string, decided, seen time.Time) {
	printed := decided.Format(time.RFC3339)
	if m := decided.Month(); m >= time.April && m <= time.September {
		printed = decided.In(time.FixedZone("", 3600)).Format(time.RFC3339)
	}
	named := w.rand.IntN(3)
	w.at(seen, func(p *platform) {
		replace(p.Applications, func(o application) bool { return o.ID == id }, func(o application) application {
			o.Outcome, o.Recorded = kind, printed
			o.Skills = slices.Clone(o.Skills)
			for i := range o.Skills {
				o.Skills[i].Named = kind == "turned_down" && i <= named
			}
			return o
		})
	})
}

// events draws the events for partners: clicks and opportunities of everybody's and of partners,
// applications and outcomes of partners and of none.
func (w *world) events(adverts []advert) {
	kinds := []string{"click.recorded", "click.recorded", "opportunity.published", "application.created",
		"outcome.recorded"}
	for i := range 2000 {
		when := w.moment(begin.AddDate(0, 0, -30), end.AddDate(0, 0, 1))
		e := event{ID: fmt.Sprintf("ev-%04d", i), Type: pick(w, kinds), Occurred: when.Format(time.RFC3339),
			Partner: pick(w, []string{"", "", "North Jobs"}),
			Advert:  pick(w, adverts).ID, Borough: pick(w, boroughsAtFirst).Slug}
		if e.Type == "outcome.recorded" {
			e.Outcome = pick(w, []string{"hired", "turned_down"})
		}
		w.at(when, func(p *platform) { p.Events = append(p.Events, e) })
	}
}

// sites draws sites with obligations, which grow.
func (w *world) sites() {
	for i := range 12 {
		s := site{ID: fmt.Sprintf("site-%d", i), Borough: pick(w, boroughsAtFirst).Slug, Obligations: 1 + w.rand.Int64N(6)}
		w.at(worldFirst, func(p *platform) { p.Sites = append(p.Sites, s) })
		for range 20 {
			jobs, started, local, places := w.rand.Int64N(7), w.rand.Int64N(2), w.rand.Int64N(3), w.rand.Int64N(4)
			w.at(w.moment(worldFirst, end), func(p *platform) {
				replace(p.Sites, func(o site) bool { return o.ID == s.ID }, func(o site) site {
					o.Jobs, o.Apprenticeship, o.Local = o.Jobs+jobs, o.Apprenticeship+started, o.Local+local
					o.Training, o.Contributions = o.Training+places, o.Contributions+1000*places
					return o
				})
			})
		}
	}
}

// vacancies draws the roles of the boards, each with its own words.
func (w *world) vacancies() {
	number := int64(1000)
	for _, b := range boards {
		if b == redatingBoard {
			w.boards[b.token] = redatedVacancies()
			continue
		}
		for i := range 25 {
			number++
			t := trades[i%4]
			posted := w.boardDay(i)
			v := vacancy{ID: number, Number: fmt.Sprint(number + 100_000), Title: t.title, SOC: t.soc, Sector: t.sector,
				Place: b.place, Borough: b.borough, Posted: posted.Add(9 * time.Hour), Until: posted.AddDate(0, 0, 20+(i*7)%50),
				Employer: b.employer}
			for _, k := range []int{i % len(register), (i + 2) % len(register)} {
				v.Skills = append(v.Skills, ask{Skill: register[k].slug})
			}
			w.boards[b.token] = append(w.boards[b.token], v)
		}
	}
}

// copies puts some roles of the first board on the platform too, a day later: one vacancy, which
// counts once.
func (w *world) copies() {
	for i, v := range w.boards[boards[0].token] {
		if i%6 != 3 {
			continue
		}
		a := advert{ID: "copy-" + v.Number, Origin: "platform", Employer: v.Employer, Title: v.Title, Requisition: v.Number,
			Apply: v.address(), Kind: "job",
			Posted: date(v.Posted), Closes: date(v.Until), Boroughs: []string{v.Borough}, Sector: v.Sector, SOC: v.SOC,
			Skills: v.Skills}
		w.at(v.Posted.AddDate(0, 0, 1), func(p *platform) { p.Adverts = append(p.Adverts, a) })
	}
}

// again advertises some roles of the first board on the platform again and again: a vacancy counts once
// in each of its months. The first of these adverts is soon after that of the board: around the end of
// a month, it does not count in the next.
func (w *world) again() {
	for i, v := range w.boards[boards[0].token] {
		if i%6 != 4 {
			continue
		}
		for _, days := range []int{4, 11, 33, 61, 68, 75} {
			at := v.Posted.AddDate(0, 0, days)
			a := advert{ID: fmt.Sprintf("again-%s-%d", v.Number, days), Origin: "platform", Employer: v.Employer,
				Title: v.Title, Requisition: v.Number, Kind: "job", Posted: date(at), Boroughs: []string{v.Borough},
				Sector: v.Sector, SOC: v.SOC, Skills: v.Skills}
			w.at(at, func(p *platform) { p.Adverts = append(p.Adverts, a) })
		}
	}
}

// boardDay is when the roles of a board are posted, from a month before the year to its end.
func (w *world) boardDay(i int) time.Time { return begin.AddDate(0, 0, -30+i*17) }
