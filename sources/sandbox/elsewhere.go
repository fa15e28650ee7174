package sandbox

import (
	"fmt"

	"labour/sources"
)

// siteAddress is the platform's invented address; example domains are reserved for such use.
const siteAddress = "https://londonworks.example"

// boardVacancy is an advert on an employer's own board, by its number among those of all boards. A
// board lists what is open, so most are new; some stay open for long.
func (w *World) boardVacancy(c chance, k, b int) vacancy {
	e := w.boards[b].employer
	v := w.opening(c, fromBoard, e, w.draw.boards[w.employers[e].sector].spin(c))
	v.board, v.origin = b, sources.OriginEmployerBoard
	v.posted = w.asOf.AddDays(-int(120 * c.Float64() * c.Float64()))
	if c.one(0.4) {
		v.posted = w.draw.dates.draw(c)
	}
	v.requisition = fmt.Sprintf("%d", c.between(4_000_000, 8_999_999)) // the vendor's number of the vacancy
	v.id = fmt.Sprintf("%07d", 5_000_000+k*37)
	v.applyURL = fmt.Sprintf("https://%s.example/jobs/%s/apply", w.boards[b].token, v.id)
	w.whereOnBoard(c, &v)
	return v
}

// boardWeight is the weight of a kind of job on the board of an employer of a
// sector: those of the sector, and now and then one that every firm has.
func boardWeight(j job, sector string) float64 {
	switch {
	case !j.boards:
		return 0
	case j.sector == sector:
		return float64(j.weight)
	case j.sector == "business-and-administration" || j.sector == "digital":
		return float64(j.weight) * 0.06
	}
	return 0
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

// serviceWeight is the weight of a kind of job among apprenticeships.
func serviceWeight(j job) float64 {
	if j.course > 0 {
		return float64(j.weight)
	}
	return 0
}

// serviceVacancy is an advert of the apprenticeship service, which lists only what
// is still open, by its number among those.
func (w *World) serviceVacancy(c chance, i int) vacancy {
	j := w.draw.service.spin(c)
	sector := w.lists.jobs[j].sector
	v := w.opening(c, fromService, w.bySector[sector][w.draw.employers[sector].spin(c)], j)
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
	return v
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
