package sandbox

import (
	"cmp"
	"fmt"
	"slices"

	"labour/sources"
)

// The shares of the sources among all adverts, and of adverts that the platform
// shows a second time.
const (
	shareBoards     = 0.15
	shareService    = 0.10
	shareShownTwice = 0.08
)

// adverts are those of all sources: first the platform's, those that it alone has in the order in
// which they were posted and then those that it shows a second time, then those of the boards, one
// board after the other, then those of the apprenticeship service, the newest first.
type adverts struct {
	list       []vacancy
	own        int // of the platform
	boardsUpTo []int
}

func (w *World) vacancy(number int) *vacancy { return &w.adverts.list[number] }

// makeAdverts makes up the adverts of the boards and of the service first, since the
// platform shows some of them too.
func (w *World) makeAdverts() {
	c := w.chance(streamAdverts)
	elsewhere, upTo := w.boardAdverts(c)
	service := w.serviceAdverts(c)
	var again []vacancy
	for _, v := range slices.Concat(elsewhere, service) {
		if v.twice {
			again = append(again, w.shownAgain(c, v))
		}
	}
	own := w.platformAdverts(c, w.size.Adverts-len(elsewhere)-len(service)-len(again))
	own = append(own, again...)
	a := &w.adverts
	a.own, a.list = len(own), slices.Concat(own, elsewhere, service)
	for _, n := range upTo {
		a.boardsUpTo = append(a.boardsUpTo, a.own+n)
	}
	for number := range a.list {
		v := &a.list[number]
		v.number = number
		if v.source == fromPlatform {
			v.id = fmt.Sprintf("ad-%06d", number+1)
			if v.applyURL == "" && number%3 > 0 {
				v.applyURL = siteAddress + "/apply/" + v.id
			}
		}
	}
}

// boardAdverts are the adverts of the boards, and up to where those of each go.
func (w *World) boardAdverts(c chance) (all []vacancy, upTo []int) {
	weight := make([]float64, len(w.boards))
	for i := range weight {
		weight[i] = zipf(i*7%len(weight), 0.7)
	}
	for b, n := range shares(int(float64(w.size.Adverts)*shareBoards), weight) {
		for range n {
			all = append(all, w.boardVacancy(c, len(all), b))
		}
		upTo = append(upTo, len(all))
	}
	w.plantAmong(c, all, onBoards)
	w.showTwice(c, all)
	return all, upTo
}

func (w *World) serviceAdverts(c chance) []vacancy {
	all := make([]vacancy, int(float64(w.size.Adverts)*shareService))
	for i := range all {
		all[i] = w.serviceVacancy(c, i)
	}
	w.plantAmong(c, all, onService)
	w.showTwice(c, all)
	slices.SortStableFunc(all, func(x, y vacancy) int { return cmp.Compare(days(x.posted, w.asOf), days(y.posted, w.asOf)) })
	return all
}

// showTwice lets the platform show some of the adverts too. What is planted is not shown twice.
func (w *World) showTwice(c chance, all []vacancy) {
	for i := range all {
		v := &all[i]
		v.twice = c.one(shareShownTwice) && len(v.boroughs) > 0 && !v.planted
	}
}

// platformAdverts are n adverts that are on the platform alone.
func (w *World) platformAdverts(c chance, n int) []vacancy {
	all := make([]vacancy, n)
	for i := range all {
		j := w.draw.platform.spin(c)
		sector := w.lists.jobs[j].sector
		v := w.opening(c, fromPlatform, w.bySector[sector][w.draw.employers[sector].spin(c)], j)
		v.origin = sources.OriginPlatform
		v.posted = w.draw.dates.at(tide(w.lists.jobs[j].soc, (float64(i)+c.Float64())/float64(n)))
		v.closes = v.posted.AddDays(c.between(14, 42))
		if course := w.lists.jobs[j].course; course > 0 && c.one(0.06) {
			v.course, v.title = course, v.title+" apprentice"
		}
		w.whereOnPlatform(c, &v)
		all[i] = v
	}
	w.plantAmong(c, all, onPlatform)
	slices.SortStableFunc(all, func(x, y vacancy) int { return x.posted.Time().Compare(y.posted.Time()) })
	return all
}

// platformWeight is the weight of a kind of job on the platform.
func platformWeight(j job) float64 {
	if j.platform || j.boards {
		return float64(j.weight)
	}
	return 0.2
}

// shownAgain is a vacancy of another source as the platform shows it too.
func (w *World) shownAgain(c chance, v vacancy) vacancy {
	v.origin = sources.OriginEmployerBoard
	if v.source == fromService {
		v.origin = sources.OriginApprenticeship
	}
	v.source, v.board, v.imported, v.place = fromPlatform, -1, false, ""
	v.posted = v.posted.AddDays(c.between(0, min(5, days(v.posted, w.asOf))))
	return v
}
