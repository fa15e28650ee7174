// Package sandbox generates a made-up world for trying out the service: employers, adverts,
// residents, applications, statistics and areas. It writes the platform's feed, imitates the
// publishers' servers and writes the configuration file, so that the real programs can run on this
// data. Only the names and codes of official areas are real. The same seed, date and size always
// give the same bytes.
//
// The data has the patterns of real data. A few employers have most of the adverts, adverts vary by
// season, and applicants mostly live near the work. Applicants who have the required skills are
// hired more often. Outcomes follow days to weeks after the application. Some adverts are made so
// that each rule for counting adverts excludes at least one.
package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"time"

	"labour/sources"
)

// Size is the number of adverts, residents and applications in a made-up world.
type Size struct {
	Adverts      int // number of adverts in all sources together
	Residents    int
	Applications int
}

// DefaultSize returns the size that the command `labour sandbox` uses. It is so large that most
// figures are not suppressed. A platform advert has about 18 applications, similar to job boards
// (Totaljobs Barometer, CV-Library).
func DefaultSize() Size { return Size{Adverts: 18_000, Residents: 60_000, Applications: 250_000} }

const (
	// minAdverts is the minimum number of adverts in a made-up world. With fewer, a sector or a
	// source might have none.
	minAdverts = 300
	// minResidents is the minimum number of residents in a made-up world.
	minResidents = 500
	// maxApplicationsEach is the maximum number of applications per resident, on average.
	maxApplicationsEach = 10
)

// World is a made-up world of employers, adverts, residents and statistics. New generates it. It is
// read-only afterwards and safe for concurrent use.
type World struct {
	seed           uint64
	asOf           sources.Date
	size           Size
	lists          *lists
	employers      []employer
	bySector       map[string][]int // indices of the employers of each sector, the largest first
	boards         []int            // indices of the employers that have a job board
	adverts        adverts
	people         people
	near           [][]int    // for each borough, the indices of all boroughs in order of distance
	applicantHomes []weighted // for each borough, the distribution of its applicants' homes, as indices in near
	distributions  distributions
}

// distributions holds the weighted random distributions that generate a made-up world.
type distributions struct {
	employers map[string]weighted // employers of each sector; a few have most of the adverts
	platform  weighted            // kinds of job in adverts on the platform
	service   weighted            // kinds of job in adverts of the apprenticeship service
	boards    map[string]weighted // for each sector, kinds of job in adverts on its employers' boards
	common    weighted            // skills that any kind of job may require
	work      weighted            // boroughs in which there are jobs, by number of jobs
	dates     calendar
}

// New generates a made-up world as of the end of the day asOf. The same seed, date and size give
// the same world.
//
// It returns an error for a date outside the years 2000 to 2099, for fewer than 300 adverts or 500
// residents, and for more than 10 applications per resident.
func New(seed uint64, asOf sources.Date, size Size) (*World, error) {
	var errs []error
	if asOf.IsZero() || asOf.Year < 2000 || asOf.Year > 2099 {
		errs = append(errs, errors.New("the date must be in the years 2000 to 2099"))
	}
	tooSmall := size.Adverts < minAdverts || size.Residents < minResidents
	if tooSmall || size.Applications < 0 || size.Applications > maxApplicationsEach*size.Residents {
		errs = append(errs,
			fmt.Errorf("the size %+v: at least %d adverts and %d residents, and at most %d applications for each resident",
				size, minAdverts, minResidents, maxApplicationsEach))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("make up a world: %w", err)
	}
	l := load()
	w := &World{seed: seed, asOf: asOf, size: size, lists: l}
	w.near = nearest(l)
	w.applicantHomes = w.catchments()
	w.makeEmployers()
	w.makeDistributions()
	w.makeAdverts()
	w.makePeople()
	return w, nil
}

func (w *World) makeDistributions() {
	l := w.lists
	jobs := func(weight func(job) float64) weighted {
		return newWeighted(len(l.jobs), func(i int) float64 { return weight(l.jobs[i]) })
	}
	w.distributions = distributions{employers: map[string]weighted{}, boards: map[string]weighted{}, dates: w.calendar(),
		work:     newWeighted(len(l.boroughs), w.jobsIn),
		common:   newWeighted(len(l.common), func(i int) float64 { return float64(l.skills[l.common[i]].spread) }),
		platform: jobs(platformWeight), service: jobs(serviceWeight)}
	for sector, list := range w.bySector {
		w.distributions.employers[sector] = newWeighted(len(list), func(i int) float64 { return zipf(i, rankingOfEmployers) })
		w.distributions.boards[sector] = jobs(func(j job) float64 { return boardWeight(j, sector) })
	}
}

// nearest returns one list for each borough: the indices of all boroughs, in order of their distance
// from that borough.
func nearest(l *lists) [][]int {
	out := make([][]int, len(l.boroughs))
	for i, b := range l.boroughs {
		from := l.councils[b]
		far := func(k int) float64 {
			to := l.councils[l.boroughs[k]]
			x, y := (to.lon-from.lon)*0.62, to.lat-from.lat // a degree of longitude is shorter in London
			return x*x + y*y
		}
		for k := range l.boroughs {
			out[i] = append(out[i], k)
		}
		slices.SortStableFunc(out[i], func(a, b int) int { return cmp.Compare(far(a), far(b)) })
	}
	return out
}

// neighbours is the number of boroughs from which most applicants for a job come. These are the
// job's borough and the boroughs nearest to it.
const neighbours = 8

// catchments returns a random distribution for each borough: where applicants for its jobs live.
// The borough itself has the greatest weight.
func (w *World) catchments() []weighted {
	out := make([]weighted, len(w.near))
	for i, near := range w.near {
		out[i] = newWeighted(neighbours, func(k int) float64 {
			people := float64(w.borough(near[k]).people)
			if k == 0 {
				return 6 * people
			}
			return people
		})
	}
	return out
}

func (w *World) borough(i int) council { return w.lists.councils[w.lists.boroughs[i]] }

// windowStart returns the first day of the 24 calendar months to which adverts belong. The last
// month is that of the world's date.
func (w *World) windowStart() sources.Date {
	first := sources.Date{Year: w.asOf.Year, Month: w.asOf.Month, Day: 1}
	return sources.DateOf(first.Time().AddDate(0, -23, 0))
}

func days(a, b sources.Date) int { return int(b.Time().Sub(a.Time()).Hours() / 24) }

// Numbers that identify streams of random numbers. Adverts, residents and other data each use their
// own stream, so a change to one does not change the others.
const (
	// streamEmployers is the number of the stream for employers and their names.
	streamEmployers uint64 = iota + 1
	// streamAdverts is the number of the stream for adverts.
	streamAdverts
	// streamResidents is the number of the stream for the order of residents in the feed.
	streamResidents
	// streamPeople is the number of the stream for residents and their skills.
	streamPeople
	// streamApplications is the number of the stream for applications.
	streamApplications
	// streamSites is the number of the stream for building sites with section 106 obligations.
	streamSites
	// streamStatistics is the number of the first stream for training statistics.
	streamStatistics
	// streamText is the number of the first stream for adverts' texts. Each advert adds its own
	// number to it.
	streamText uint64 = (iota + 1) << 32
	// streamRows is the number of the first stream for the remaining fields of adverts. Each advert
	// adds its own number to it.
	streamRows
)

// rng is a random number generator with helper methods.
type rng struct{ *rand.Rand }

func (w *World) rng(stream uint64) rng {
	return rng{rand.New(rand.NewPCG(w.seed, stream))}
}

// one returns true with probability p, 0 to 1.
func (c rng) one(p float64) bool { return c.Float64() < p }

// between returns a random integer from low to high, inclusive.
func (c rng) between(low, high int) int {
	if high <= low {
		return low
	}
	return low + c.IntN(high-low+1)
}

func (c rng) pick(words []string) string { return words[c.IntN(len(words))] }

// weighted is a random distribution over indices from 0, in which each index has a weight.
type weighted struct{ upTo []float64 }

func newWeighted(n int, weight func(int) float64) weighted {
	w := weighted{upTo: make([]float64, n)}
	sum := 0.0
	for i := range n {
		sum += weight(i)
		w.upTo[i] = sum
	}
	return w
}

// draw returns a random index according to the weights, or -1 if all weights are 0.
func (w weighted) draw(c rng) int {
	if len(w.upTo) == 0 || w.upTo[len(w.upTo)-1] <= 0 {
		return -1
	}
	return w.at(c.Float64())
}

// at returns the first index at which the cumulative weight is more than the given share of the
// total weight, 0 to 1.
func (w weighted) at(share float64) int {
	x := share * w.upTo[len(w.upTo)-1]
	return min(sort.SearchFloat64s(w.upTo, math.Nextafter(x, math.Inf(1))), len(w.upTo)-1)
}

// zipf returns the weight of rank i by Zipf's law with the given exponent. The first rank is 0 and
// has the greatest weight.
func zipf(i int, exponent float64) float64 { return math.Pow(float64(i+2), -exponent) }

// shares divides total in proportion to the weights. The results are whole numbers, and their sum
// is total.
func shares(total int, weight []float64) []int {
	sum := 0.0
	upTo := 0.0
	done := 0
	for _, x := range weight {
		sum += x
	}
	out := make([]int, len(weight))
	for i, x := range weight {
		if sum <= 0 {
			break
		}
		upTo += x
		out[i] = int(math.Round(upTo/sum*float64(total))) - done
		done += out[i]
	}
	return out
}

// seasons holds the relative number of adverts for each month. An average month has about 1.
var seasons = [...]float64{time.January: 1.15, time.February: 1.05, time.March: 1.1, time.April: 1, time.May: 1.05,
	time.June: 1,
	time.July: 0.9, time.August: 0.75, time.September: 1.2, time.October: 1.15, time.November: 1, time.December: 0.6}

// calendar is a random distribution of the days on which adverts are posted.
type calendar struct {
	start sources.Date
	upTo  weighted // distribution over days; index 0 is the day start
}

// calendar returns a random distribution of posting days over 24 months. It has seasons, slow
// growth and few adverts at weekends.
func (w *World) calendar() calendar {
	start := w.windowStart()
	n := days(start, w.asOf) + 1
	return calendar{start: start, upTo: newWeighted(n, func(i int) float64 {
		t := start.Time().AddDate(0, 0, i)
		weight := seasons[t.Month()] * (1 + 0.25*float64(i)/float64(n))
		if day := t.Weekday(); day == time.Saturday || day == time.Sunday {
			weight *= 0.15
		}
		return weight
	})}
}

func (d calendar) draw(c rng) sources.Date { return d.at(c.Float64()) }

// at returns the day by which the given share of all adverts has been posted, 0 to 1.
func (d calendar) at(share float64) sources.Date { return d.start.AddDays(d.upTo.at(share)) }

// trends maps SOC 2020 codes to the trend of their adverts over 24 months: 1 for growth, -1 for
// decline.
var trends = map[string]float64{"2134": 1, "9252": 1, "7111": -1, "7211": -1}

// shiftShare moves the position of an advert in the order of posting. share is the position, from 0
// for the first advert to 1 for the last. soc is the SOC 2020 code of the advert's occupation. The
// position becomes later if the occupation grows, and earlier if it declines (see trends). In a
// growing occupation, the frequency of adverts rises from 0.4 to 1.6 times the average.
func shiftShare(soc string, share float64) float64 {
	const steep = 0.6
	at := trends[soc] * steep
	if at == 0 {
		return share
	}
	return (at - 1 + math.Sqrt((1-at)*(1-at)+4*at*share)) / (2 * at)
}

// ladder returns up to four jobs in a sector, in order of pay from low to high.
func (w *World) ladder(sector string) []job {
	var all []job
	for _, j := range w.lists.jobs {
		if j.sector == sector {
			all = append(all, j)
		}
	}
	slices.SortStableFunc(all, func(a, b job) int { return a.low - b.low })
	var out []job
	for i := range 4 {
		out = append(out, all[i*(len(all)-1)/3])
	}
	return slices.CompactFunc(out, func(a, b job) bool { return a.titles[0] == b.titles[0] })
}

func words(slug string) string { return strings.ReplaceAll(slug, "-", " ") }
