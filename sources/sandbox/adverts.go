package sandbox

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"labour/sources"
)

const (
	// shareBoards is the share of the made-up adverts that are on employers' boards, 0 to 1.
	shareBoards = 0.15
	// shareService is the share of the made-up adverts that are at the apprenticeship service, 0 to 1.
	shareService = 0.10
	// shareShownTwice is the share of adverts on employers' boards and at the apprenticeship service
	// that the platform copies, 0 to 1.
	shareShownTwice = 0.08
)

// adverts holds the made-up adverts of all sources. First come the adverts on the platform, then on
// employers' boards, then at the apprenticeship service. The platform's own adverts are in order of
// posting. Its copies of other adverts follow them.
type adverts struct {
	list []vacancy
	own  int // number of adverts that the platform shows, including copies
}

func (w *World) vacancy(number int) *vacancy { return &w.adverts.list[number] }

// makeAdverts generates the adverts of all sources. It generates the platform's adverts last,
// because some of them are copies of the others.
func (w *World) makeAdverts() {
	c := w.rng(streamAdverts)
	elsewhere := w.boardAdverts(c)
	service := w.serviceAdverts(c)
	var again []vacancy
	for _, v := range slices.Concat(elsewhere, service) {
		if v.isDuplicated {
			again = append(again, w.shownAgain(c, v))
		}
	}
	own := w.platformAdverts(c, w.size.Adverts-len(elsewhere)-len(service)-len(again))
	own = append(own, again...)
	a := &w.adverts
	a.own, a.list = len(own), slices.Concat(own, elsewhere, service)
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

// boardAdverts generates the adverts on employers' boards.
func (w *World) boardAdverts(c rng) []vacancy {
	var all []vacancy
	weight := make([]float64, len(w.boards))
	for i := range weight {
		weight[i] = zipf(i*7%len(weight), 0.7)
	}
	for b, n := range shares(int(float64(w.size.Adverts)*shareBoards), weight) {
		for range n {
			all = append(all, w.boardVacancy(c, len(all), w.boards[b]))
		}
	}
	w.plantAmong(c, all, onBoards)
	w.showTwice(c, all)
	return all
}

func (w *World) serviceAdverts(c rng) []vacancy {
	all := make([]vacancy, int(float64(w.size.Adverts)*shareService))
	for i := range all {
		all[i] = w.serviceVacancy(c, i)
	}
	w.plantAmong(c, all, onService)
	w.showTwice(c, all)
	slices.SortStableFunc(all,
		func(x, y vacancy) int { return cmp.Compare(days(x.postingDay, w.asOf), days(y.postingDay, w.asOf)) })
	return all
}

// showTwice selects adverts of all that the platform also shows, and marks them. It never selects an
// advert that is made to break a counting rule.
func (w *World) showTwice(c rng, all []vacancy) {
	for i := range all {
		v := &all[i]
		v.isDuplicated = c.one(shareShownTwice) && len(v.boroughs) > 0 && !v.planted
	}
}

// platformAdverts generates n adverts that appear only on the platform.
func (w *World) platformAdverts(c rng, n int) []vacancy {
	all := make([]vacancy, n)
	for i := range all {
		j := w.distributions.platform.draw(c)
		sector := w.lists.jobs[j].sector
		v := w.opening(c, fromPlatform, w.bySector[sector][w.distributions.employers[sector].draw(c)], j)
		v.origin = sources.OriginPlatform
		v.postingDay = w.distributions.dates.at(shiftShare(w.lists.jobs[j].soc, (float64(i)+c.Float64())/float64(n)))
		v.closes = v.postingDay.AddDays(c.between(14, 42))
		if course := w.lists.jobs[j].course; course > 0 && c.one(0.06) {
			v.course, v.title = course, v.title+" apprentice"
		}
		w.whereOnPlatform(c, &v)
		all[i] = v
	}
	w.plantAmong(c, all, onPlatform)
	slices.SortStableFunc(all, func(x, y vacancy) int { return x.postingDay.Time().Compare(y.postingDay.Time()) })
	return all
}

// platformWeight returns the relative frequency of adverts for job j on the platform.
func platformWeight(j job) float64 {
	if j.platform || j.boards {
		return float64(j.weight)
	}
	return 0.2
}

// shownAgain returns the platform's copy of an advert from a board or the apprenticeship service.
func (w *World) shownAgain(c rng, v vacancy) vacancy {
	v.origin = sources.OriginEmployerBoard
	if v.source == fromService {
		v.origin = sources.OriginApprenticeship
	}
	v.source = fromPlatform
	v.imported = false
	v.place = ""
	v.postingDay = v.postingDay.AddDays(c.between(0, min(5, days(v.postingDay, w.asOf))))
	return v
}

// siteAddress is the made-up web address of the platform. No real domain ends in .example.
const siteAddress = "https://londonworks.example"

// boardVacancy generates advert number k of all boards. e is the index of its employer. Most
// adverts are recent, because a board lists only open vacancies.
func (w *World) boardVacancy(c rng, k, e int) vacancy {
	v := w.opening(c, fromBoard, e, w.distributions.boards[w.employers[e].sector].draw(c))
	v.origin = sources.OriginEmployerBoard
	v.postingDay = w.asOf.AddDays(-int(120 * c.Float64() * c.Float64()))
	if c.one(0.4) {
		v.postingDay = w.distributions.dates.draw(c)
	}
	v.requisition = fmt.Sprintf("%d", c.between(4_000_000, 8_999_999)) // the vendor's number for the vacancy
	v.id = fmt.Sprintf("%07d", 5_000_000+k*37)
	v.applyURL = fmt.Sprintf("https://%s.example/jobs/%s/apply", w.employers[e].Slug, v.id)
	w.whereOnBoard(c, &v)
	return v
}

// boardWeight returns the relative frequency of adverts for job j on the boards of employers in a
// sector. Jobs of the same sector are the most frequent.
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

// whereOnBoard sets an advert's place of work as free text, as employers write it on their boards.
func (w *World) whereOnBoard(c rng, v *vacancy) {
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
		v.place, v.boroughs = c.pick([]string{"London", "London, UK", "London, England, United Kingdom",
			"London (hybrid)"}), nil
	case x < 0.90:
		v.place = c.pick([]string{"Remote - UK", "UK (Remote)", "Remote, United Kingdom"})
		v.boroughs = nil
		v.remote = true
	default:
		v.place, v.boroughs = c.pick([]string{"Manchester, UK", "Leeds, UK", "Bristol, UK", "Birmingham, UK",
			"Edinburgh, UK"}), nil
	}
}

// serviceWeight returns the relative frequency of apprenticeship adverts for job j.
func serviceWeight(j job) float64 {
	if j.course > 0 {
		return float64(j.weight)
	}
	return 0
}

// serviceVacancy generates advert number i of the apprenticeship service. Its closing date is in
// the future, because the service lists only open vacancies.
func (w *World) serviceVacancy(c rng, i int) vacancy {
	j := w.distributions.service.draw(c)
	sector := w.lists.jobs[j].sector
	v := w.opening(c, fromService, w.bySector[sector][w.distributions.employers[sector].draw(c)], j)
	v.origin, v.course = sources.OriginApprenticeship, w.lists.jobs[j].course
	v.id, v.requisition = fmt.Sprintf("%d", 2_000_040_000+i*3), ""
	v.title = c.pick([]string{"Apprentice " + lowerFirst(v.title), v.title + " apprentice"})
	v.applyURL = "https://apprenticeships.example/apply/VAC" + v.id
	v.postingDay = w.asOf.AddDays(-int(180 * c.Float64() * c.Float64()))
	v.closes = w.asOf.AddDays(c.between(1, 60))
	switch x := c.Float64(); {
	case x < 0.02:
		v.nationwide, v.boroughs = true, nil
	case x < 0.06:
		v.boroughs, v.council = nil, w.englandOutside(c)
	}
	return v
}

// englandOutside returns the index of a random council in England that the platform does not serve.
func (w *World) englandOutside(c rng) int {
	for {
		i := c.IntN(len(w.lists.councils))
		if k := w.lists.councils[i]; k.people == 0 && k.code[0] == 'E' {
			return i
		}
	}
}

// plant is a deliberate change to some made-up adverts, to test a counting rule. Most changes make
// the rule exclude the adverts. share is the share of adverts to change, 0 to 1.
type plant struct {
	share  float64
	change func(*World, rng, *vacancy)
}

var (
	// onPlatform lists the deliberate changes to adverts on the platform. Each makes an advert break a
	// counting rule, except the last one. The last one makes an advert look like a copy from a board
	// that is not configured, and such adverts are counted.
	onPlatform = []plant{
		{0.05, func(_ *World, _ rng, v *vacancy) { v.origin = sources.OriginJobBoard }},
		{0.025, func(_ *World, _ rng, v *vacancy) { v.origin = sources.OriginAggregator }},
		{0.02, func(_ *World, _ rng, v *vacancy) { v.origin = sources.OriginUnknown }},
		{0.02, func(_ *World, _ rng, v *vacancy) { v.unlisted = true }},
		{0.0003, func(w *World, c rng, v *vacancy) { v.postedOn(w.asOf.AddDays(c.between(1, 10))) }},
		{0.002, func(w *World, c rng, v *vacancy) { v.postedOn(w.windowStart().AddDays(-c.between(1, 60))) }},
		{0.06, func(_ *World, _ rng, v *vacancy) { v.origin = sources.OriginEmployerBoard }},
	}
	// onBoards lists the deliberate changes to adverts on employers' boards. Each makes an advert break
	// a counting rule.
	onBoards = []plant{
		{0.06, func(_ *World, c rng, v *vacancy) {
			v.place = c.pick(texts.Abroad)
			v.boroughs = nil
			v.remote = false
		}},
		{0.03, func(_ *World, c rng, v *vacancy) {
			v.place = c.pick(texts.Nowhere)
			v.boroughs = nil
			v.remote = true
		}},
		{0.03, func(_ *World, _ rng, v *vacancy) { v.unlisted = true }},
		{0.004, func(_ *World, _ rng, v *vacancy) { v.postingDay = sources.Date{} }},
		{0.001, func(_ *World, _ rng, v *vacancy) { v.unreadable = true }},
	}
	// onService lists the deliberate changes to adverts at the apprenticeship service. Each makes an
	// advert break a counting rule.
	onService = []plant{
		{0.03, func(_ *World, _ rng, v *vacancy) { v.imported, v.origin = true, sources.OriginJobBoard }},
	}
)

// postedOn sets the day of posting, and a closing day 30 days later.
func (v *vacancy) postedOn(day sources.Date) { v.postingDay, v.closes = day, day.AddDays(30) }

// plantAmong makes each of the given deliberate changes to its share of the adverts, and to at
// least one advert. No advert is changed twice.
func (w *World) plantAmong(c rng, all []vacancy, kinds []plant) {
	left := c.Perm(len(all))
	for _, k := range kinds {
		n := min(max(int(k.share*float64(len(left))), 1), len(left))
		for _, i := range left[:n] {
			k.change(w, c, &all[i])
			all[i].planted = true
		}
		left = left[n:]
	}
}

const (
	// misprintedBorough is the code of the borough for which two apprenticeship figures are wrong on
	// purpose. CorrectionsFile corrects them.
	misprintedBorough = "E09000007"
	// tooLargeSubject is the subject for which the figure of misprintedBorough is ten times too large.
	tooLargeSubject = "Business, Administration and Law"
	// withdrawnSubject is the subject for which the figure of misprintedBorough is no longer valid.
	withdrawnSubject = "Health, Public Services and Care"
)

// CorrectionsFile returns the content of a corrections file. It corrects two apprenticeship figures
// that the simulated publisher prints wrong on purpose, to show how corrections work.
func (w *World) CorrectionsFile() []byte {
	last := w.lastStatistics()
	printed := string(w.table(last, "starts", startsInEngland))
	var b bytes.Buffer
	b.WriteString("corrections:\n")
	for _, subject := range []string{tooLargeSubject, withdrawnSubject} {
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^%d.*,%s,.*,%q,Total,Total,([0-9]+)$`, last-1, misprintedBorough,
			subject)).FindStringSubmatch(printed)
		if row == nil { // the figure is not published
			continue
		}
		right, reason := "null", "The publisher withdrew the figure."
		if subject == tooLargeSubject {
			right, reason = strings.TrimSuffix(row[1], "0"), "The publisher printed a digit too many."
		}
		fmt.Fprintf(&b,
			"  - {source: dfe_apprenticeships, kind: statistic, record: \"apprenticeship_starts %s %d-07-31 %s\", field: "+
				"value, old: \"%s\", new: \"%s\", reason: %s, by: Sandbox, decided: %s}\n",
			misprintedBorough, last, subject, row[1], right, reason, w.asOf)
	}
	return b.Bytes()
}
