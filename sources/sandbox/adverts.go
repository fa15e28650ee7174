package sandbox

import (
	"fmt"
	"slices"
	"sort"

	"labour/sources"
)

// The shares of the sources among all adverts, and of adverts that the platform
// shows a second time.
const (
	shareBoards     = 0.15
	shareService    = 0.10
	shareShownTwice = 0.08
)

// The most that the largest world has in one list: no employer's board shows more,
// and the apprenticeship service is read to that many. The platform has the rest.
const (
	mostOnBoard   = 6000
	mostOfService = 100_000
)

// adverts says which numbers the adverts have: first those that are on the platform
// alone, in the order in which they were posted, then those that the platform shows
// a second time, then those of the boards, one board after the other, and then those
// of the apprenticeship service.
type adverts struct {
	alone     int
	again     []uint32 // what is shown again, by its number among those elsewhere
	boards    []int    // by board: the first number elsewhere after its adverts
	service   int
	newest    []uint32 // the service's list, by the number within it
	plantedAt map[string][]int
}

// own is how many adverts the platform has.
func (a *adverts) own() int { return a.alone + len(a.again) }

// onBoards is how many adverts all boards have.
func (a *adverts) onBoards() int { return a.boards[len(a.boards)-1] }

// all is how many adverts there are.
func (a *adverts) all() int { return a.own() + a.onBoards() + a.service }

// makeAdverts numbers the adverts.
func (w *World) makeAdverts() {
	a := &w.adverts
	weight := make([]float64, len(w.boards))
	for i := range weight {
		weight[i] = zipf(i*7%len(weight), 0.7)
	}
	upTo := 0
	for _, n := range shares(int(float64(w.size.Adverts)*shareBoards), weight) {
		upTo += min(n, mostOnBoard)
		a.boards = append(a.boards, upTo)
	}
	a.service = min(int(float64(w.size.Adverts)*shareService), mostOfService)
	a.plantedAt = map[string][]int{fromBoard: plantedUpTo(onBoards, upTo), fromService: plantedUpTo(onService, a.service)}
	posted := make([]int, a.service)
	for k := range upTo + a.service {
		v := w.elsewhere(k)
		if v.twice {
			a.again = append(a.again, uint32(k))
		}
		if k >= upTo {
			posted[k-upTo] = days(v.posted, w.asOf)
			a.newest = append(a.newest, uint32(k-upTo))
		}
	}
	slices.SortStableFunc(a.newest, func(x, y uint32) int { return posted[x] - posted[y] })
	a.alone = w.size.Adverts - upTo - a.service - len(a.again)
	a.plantedAt[fromPlatform] = plantedUpTo(onPlatform, a.alone)
}

// vacancy is the advert of a number.
func (w *World) vacancy(number int) vacancy {
	var v vacancy
	switch a := &w.adverts; {
	case number >= a.own():
		v = w.elsewhere(number - a.own())
	case number >= a.alone:
		v = w.shownAgain(number - a.alone)
	default:
		v = w.alone(number)
	}
	v.number = number
	if v.source == fromPlatform {
		v.id = fmt.Sprintf("ad-%06d", number+1)
		if v.applyURL == "" && number%3 > 0 {
			v.applyURL = siteAddress + "/apply/" + v.id
		}
	}
	return v
}

// each hands on the adverts of the numbers from one up to another. The error is
// that of yield.
func (w *World) each(from, to int, yield func(*vacancy) error) error {
	for number := from; number < to; number++ {
		v := w.vacancy(number)
		if err := yield(&v); err != nil {
			return err
		}
	}
	return nil
}

// alone is an advert that is on the platform alone.
func (w *World) alone(i int) vacancy {
	c := w.chance(streamAlone + uint64(i))
	j := w.draw.platform.spin(c)
	sector := w.lists.jobs[j].sector
	v := w.opening(c, fromPlatform, w.bySector[sector][w.draw.employers[sector].spin(c)], j)
	v.origin = sources.OriginPlatform
	v.posted = w.postedAlone(i)
	v.closes = v.posted.AddDays(c.between(14, 42))
	if course := w.lists.jobs[j].course; course > 0 && c.one(0.06) {
		v.course, v.title = course, v.title+" apprentice"
	}
	w.whereOnPlatform(c, &v)
	if p := w.plantedHere(fromPlatform, i, w.adverts.alone); p >= 0 {
		onPlatform[p].change(w, c, &v)
	}
	return v
}

// postedAlone is the day on which an advert of the platform was posted, before
// anything is planted: the numbers follow the days.
func (w *World) postedAlone(i int) sources.Date {
	within := w.chance(streamDates + uint64(i)).Float64()
	return w.draw.dates.at((float64(i) + within) / float64(w.adverts.alone))
}

// platformWeight is the weight of a kind of job on the platform.
func platformWeight(j job) float64 {
	if j.platform || j.boards {
		return float64(j.weight)
	}
	return 0.2
}

// shownAgain is a vacancy of another source as the platform shows it too.
func (w *World) shownAgain(i int) vacancy {
	c := w.chance(streamAgain + uint64(i))
	v := w.elsewhere(int(w.adverts.again[i]))
	v.origin = sources.OriginEmployerBoard
	if v.source == fromService {
		v.origin = sources.OriginApprenticeship
	}
	v.source, v.board, v.imported, v.place = fromPlatform, -1, false, ""
	v.posted = v.posted.AddDays(c.between(0, min(5, days(v.posted, w.asOf))))
	return v
}

// elsewhere is an advert of another source than the platform, by its number among
// those. What is planted is not shown twice.
func (w *World) elsewhere(k int) vacancy {
	c := w.chance(streamElsewhere + uint64(k))
	boards := w.adverts.onBoards()
	if i := k - boards; i >= 0 {
		v := w.serviceVacancy(c, i)
		w.plantElsewhere(c, &v, onService, w.plantedHere(fromService, i, w.adverts.service))
		return v
	}
	v := w.boardVacancy(c, k, sort.SearchInts(w.adverts.boards, k+1))
	w.plantElsewhere(c, &v, onBoards, w.plantedHere(fromBoard, k, boards))
	return v
}

func (w *World) plantElsewhere(c chance, v *vacancy, kinds []plant, planted int) {
	if planted >= 0 {
		kinds[planted].change(w, c, v)
		return
	}
	v.twice = c.one(shareShownTwice) && len(v.boroughs) > 0
}
