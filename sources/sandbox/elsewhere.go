package sandbox

import (
	"fmt"

	"labour/sources"
)

// siteAddress is the platform's invented address; example domains are reserved
// for such use.
const siteAddress = "https://londonworks.example"

// boardVacancies are n adverts on employers' own boards. A board lists what is
// open, so most are new; some stay open for long.
func (w *World) boardVacancies(c chance, n int) []vacancy {
	weight := make([]float64, len(w.boards))
	for i := range weight {
		weight[i] = zipf(i*7%len(weight), 0.7)
	}
	dates := w.calendar()
	out := make([]vacancy, 0, n)
	for b, k := range shares(n, weight) {
		e := w.boards[b].employer
		jobs := w.boardJobs(w.employers[e].sector)
		for range k {
			v := w.vacancy(c, fromBoard, e, jobs.spin(c))
			v.board, v.origin = b, sources.OriginEmployerBoard
			v.posted = w.asOf.AddDays(-int(120 * c.Float64() * c.Float64()))
			if c.one(0.4) {
				v.posted = dates.draw(c)
			}
			v.requisition = fmt.Sprintf("%d", c.between(4_000_000, 8_999_999)) // the vendor's number of the vacancy
			v.id = fmt.Sprintf("%07d", 5_000_000+len(out)*37)
			v.applyURL = fmt.Sprintf("https://%s.example/jobs/%s/apply", w.boards[b].token, v.id)
			w.whereOnBoard(c, &v)
			out = append(out, v)
		}
	}
	return out
}

// boardJobs picks the jobs of an employer with a board: those of its sector, and
// now and then one that every firm has.
func (w *World) boardJobs(sector string) wheel {
	return newWheel(len(w.lists.jobs), func(i int) float64 {
		j := w.lists.jobs[i]
		switch {
		case !j.boards:
			return 0
		case j.sector == sector:
			return float64(j.weight)
		case j.sector == "business-and-administration" || j.sector == "digital":
			return float64(j.weight) * 0.06
		}
		return 0
	})
}

// whereOnBoard gives the place in the free words of employers. A vacancy whose
// words name no borough has none.
func (w *World) whereOnBoard(c chance, v *vacancy) {
	name := w.borough(v.boroughs[0]).name
	switch x := c.Float64(); {
	case x < 0.42:
		v.place = name + ", London"
	case x < 0.50:
		v.place = name
		if name == "Richmond upon Thames" || name == "City of London" {
			v.place += ", UK"
		}
	case x < 0.78:
		v.place, v.boroughs = c.pick([]string{"London", "London, UK", "London, England, United Kingdom", "London (hybrid)"}), nil
	case x < 0.90:
		v.place, v.boroughs, v.remote = c.pick([]string{"Remote - UK", "UK (Remote)", "Remote, United Kingdom"}), nil, true
	default:
		v.place, v.boroughs = c.pick([]string{"Manchester, UK", "Leeds, UK", "Bristol, UK", "Birmingham, UK", "Edinburgh, UK"}), nil
	}
}

// serviceVacancies are n adverts of the apprenticeship service, which lists only
// what is still open.
func (w *World) serviceVacancies(c chance, n int) []vacancy {
	jobs := newWheel(len(w.lists.jobs), func(i int) float64 {
		if j := w.lists.jobs[i]; j.course > 0 {
			return float64(j.weight)
		}
		return 0
	})
	pick := w.employerWheels()
	out := make([]vacancy, 0, n)
	for i := range n {
		j := jobs.spin(c)
		sector := w.lists.jobs[j].sector
		v := w.vacancy(c, fromService, w.bySector[sector][pick[sector].spin(c)], j)
		v.origin, v.course = sources.OriginApprenticeship, w.lists.jobs[j].course
		v.id, v.requisition = fmt.Sprintf("%d", 2_000_040_000+i*3), ""
		v.title = c.pick([]string{"Apprentice " + lowerFirst(v.title), v.title + " apprentice"})
		v.applyURL = "https://apprenticeships.example/apply/VAC" + v.id
		v.posted = w.asOf.AddDays(-int(180 * c.Float64() * c.Float64()))
		v.closes = w.asOf.AddDays(c.between(1, 60))
		switch x := c.Float64(); {
		case x < 0.02:
			v.nationwide, v.boroughs = true, nil
		case x < 0.06:
			v.boroughs, v.council = nil, w.englandOutside(c)
		}
		out = append(out, v)
	}
	return out
}

// englandOutside is an English council that is no borough.
func (w *World) englandOutside(c chance) int {
	for {
		i := c.IntN(len(w.lists.councils))
		if k := w.lists.councils[i]; k.people == 0 && k.code[0] == 'E' {
			return i
		}
	}
}
