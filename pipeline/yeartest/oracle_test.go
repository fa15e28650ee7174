package yeartest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// known is what the service knows at a moment: of each publisher the newest that it was given whole.
type known struct {
	feed      *platform
	feedAt    time.Time
	applied   *platform // the extract whose residents and applications are the newest
	appliedAt time.Time
	complete  time.Time // what that extract's index says; zero = nothing
	boards    map[string]boardKnown
	courses   *edition
	coursesAt time.Time
	hackney   string
	former    string
	placesAt  time.Time
	corrected bool // by the operator: the name of a council
}

// boardKnown is what is known of a board: every posting that it ever listed, and its last success.
type boardKnown struct {
	seen       map[int64][]vacancy // the postings of each role, one a month
	listed     []vacancy           // the newest list that was believed
	at         time.Time
	emptySince time.Time // since when it lists nothing; zero = it lists something
}

// counted is an advert that counts.
type counted struct {
	id       string
	vacancy  string // empty if it cannot be told
	source   string
	employer int
	month    string
	posted   string
	boroughs []string
	areaOnly bool
	sector   string
	soc      string
	skills   []ask
}

// sourceOf returns the source under which an advert of the platform counts: "an advert that the
// platform imported from an employer's board or from the apprenticeship service counts under that
// source". Job boards, aggregators and what is not known are not counted.
func sourceOf(origin string) string {
	switch origin {
	case "platform", "find_an_apprenticeship":
		return origin
	case "employer_board":
		return "employer_boards"
	}
	return ""
}

// adverts returns every advert that counts by what is known on a day, however old. A vacancy stands
// there once for each month in which it counts.
func (k *known) adverts(asOf string) []counted {
	var list []counted
	byVacancy := map[string][]counted{}
	for _, a := range k.everyAdvert(asOf) {
		if a.vacancy == "" {
			list = append(list, a)
		} else {
			byVacancy[a.vacancy] = append(byVacancy[a.vacancy], a)
		}
	}
	for _, vacancy := range slices.Sorted(maps.Keys(byVacancy)) {
		list = append(list, oneAMonth(byVacancy[vacancy])...)
	}
	return list
}

// oneAMonth returns the adverts that stand for a vacancy, one for each month in which it counts: the
// first of all its adverts, else the first of the month. A vacancy counts again in a later month "if its
// last advert of that month was posted at least 14 days after its last advert of the months before".
func oneAMonth(adverts []counted) (chosen []counted) {
	first := adverts[0]
	byDay := slices.Clone(adverts)
	slices.SortStableFunc(byDay, func(a, b counted) int { return cmp.Compare(a.posted, b.posted) })
	before := ""
	for len(byDay) > 0 {
		n := 1
		for n < len(byDay) && byDay[n].month == byDay[0].month {
			n++
		}
		last := byDay[n-1].posted
		if before == "" || !day(last).Before(day(before).AddDate(0, 0, 14)) {
			chosen = append(chosen, firstOf(adverts, byDay[0].month))
		}
		newest := &chosen[len(chosen)-1]
		if slices.ContainsFunc(byDay[:n], func(a counted) bool { return a.id == first.id }) {
			month, posted := newest.month, newest.posted
			*newest = first
			newest.month, newest.posted = month, posted
		}
		byDay, before = byDay[n:], last
	}
	return chosen
}

// firstOf returns the first of the adverts that was posted in a month.
func firstOf(adverts []counted, month string) counted {
	return adverts[slices.IndexFunc(adverts, func(a counted) bool { return a.month == month })]
}

// everyAdvert returns the adverts that count by what is known on a day, those of the platform first.
func (k *known) everyAdvert(asOf string) []counted {
	var list []counted
	for _, a := range k.feed.Adverts {
		source := sourceOf(a.Origin)
		if source == "" || a.Posted > asOf {
			continue
		}
		vacancy := vacancyKey(employerOf(a.Employer), a.Requisition, a.Title)
		list = append(list, counted{a.ID, vacancy, source, employerOf(a.Employer), a.Posted[:7], a.Posted, a.Boroughs,
			len(a.Boroughs) == 0 && len(a.Locations) > 0, a.Sector, a.SOC, a.Skills})
	}
	for _, b := range boards {
		list = append(list, k.boardAdverts(b, asOf)...)
	}
	return list
}

// vacancyKey tells a vacancy by its employer, number and title. A number without a digit tells nothing.
func vacancyKey(employer int, number, title string) string {
	if !strings.ContainsAny(number, "0123456789") {
		return ""
	}
	return line(employer, strings.ToLower(number), strings.ToLower(title))
}

// monthsBack counts calendar months from a month to that of a day.
func monthsBack(month, asOf string) int {
	m, d := day(month+"-01"), day(asOf)
	return (d.Year()-m.Year())*12 + int(d.Month()) - int(m.Month())
}

// places returns where an advert counts: everywhere, in its boroughs, and once in each area that
// has one of them.
func (a counted) places() [][2]string {
	all := [][2]string{{"all", ""}}
	inArea := false
	for _, b := range a.boroughs {
		all = append(all, [2]string{"borough", b})
		inArea = inArea || slices.Contains(areaMembers, b)
	}
	if inArea {
		all = append(all, [2]string{"area", area})
	}
	return all
}

// level returns at which level an advert asks for a skill: "an advert that states no level counts at
// the register's usual level of the skill", and a licence has the one level held.
func (r rules) level(a ask) int {
	s, _ := r.skill(a.Skill)
	switch {
	case s.kind == "licence":
		return 1
	case a.Level == 0:
		return s.level
	}
	return a.Level
}

// rules are those that depend on the configuration: the register of skills.
type rules struct{ skills []skill }

func (r rules) skill(slug string) (skill, bool) {
	i := slices.IndexFunc(r.skills, func(s skill) bool { return s.slug == slug })
	if i < 0 {
		return skill{}, false
	}
	return r.skills[i], true
}

// cells returns the two tables of adverts of the 24 months up to and including that of as_of.
func (k *known) cells(r rules, asOf string) (adverts, totals figures) {
	asked, all := map[string]int{}, map[string][3]int{}
	for _, a := range k.adverts(asOf) {
		if back := monthsBack(a.month, asOf); back < 0 || back >= 24 || len(a.skills) == 0 {
			continue
		}
		for _, p := range a.places() {
			of := line(p[0], p[1], a.sector, a.soc, a.source, a.month+"-01")
			n := all[of]
			n[0]++
			if len(a.boroughs) > 0 {
				n[1]++
			}
			if a.areaOnly {
				n[2]++
			}
			all[of] = n
			for _, s := range a.skills {
				if _, ok := r.skill(s.Skill); ok {
					asked[line(p[0], p[1], s.Skill, r.level(s), a.sector, a.soc, a.source, a.month+"-01")]++
				}
			}
		}
	}
	adverts, totals = figures{}, figures{}
	for of, n := range asked {
		adverts[of] = fmt.Sprint(n)
	}
	for of, n := range all {
		totals[of] = line(n[0], n[1], n[2])
	}
	return adverts, totals
}

// jobs returns the live adverts that may be shown: of the platform's own, from the day they were
// posted to the last day to apply, on the day of the run. A vacancy is shown once, by its first advert
// that is live.
func (k *known) jobs(today string) figures {
	shown, taken := figures{}, map[string]bool{}
	for _, a := range k.feed.Adverts {
		if a.Origin != "platform" || a.Posted > today || a.Closes != "" && a.Closes < today {
			continue
		}
		if vacancy := vacancyKey(employerOf(a.Employer), a.Requisition, a.Title); vacancy != "" {
			if taken[vacancy] {
				continue
			}
			taken[vacancy] = true
		}
		closes := cmp.Or(a.Closes, "null")
		in := slices.Sorted(slices.Values(a.Boroughs))
		shown["platform:"+a.ID] = line(a.Kind, a.Title, a.Employer, strings.Join(in, ","), a.Sector, a.SOC,
			a.Posted+"T00:00:00Z", closes, "platform")
	}
	return shown
}

// events returns those that are everybody's: clicks and opportunities of no partner, up to a moment.
func (k *known) events(now time.Time) figures {
	told := figures{}
	for _, e := range k.feed.Events {
		when, _ := time.Parse(time.RFC3339, e.Occurred) // written by the world
		if e.Partner != "" || when.After(now) || e.Outcome != "" || e.Type == "application.created" ||
			e.Type == "outcome.recorded" {
			continue
		}
		told[e.ID] = line(e.Type, e.Occurred, e.Advert, e.Borough)
	}
	return told
}

// partnersEvents returns those of partners up to a moment: nobody else sees them.
func (k *known) partnersEvents(now time.Time) figures {
	told := figures{}
	for _, e := range k.feed.Events {
		when, _ := time.Parse(time.RFC3339, e.Occurred) // written by the world
		if e.Partner != "" && !when.After(now) {
			told[e.ID] = line(e.Partner, e.Type, e.Occurred, e.Advert, e.Borough, cmp.Or(e.Outcome, "null"))
		}
	}
	return told
}

// s106 returns the headline counts that are no people: of the platform and of each place.
func (k *known) s106() figures {
	sums := map[string][4]int64{"": {}, area: {}}
	for _, b := range k.feed.Boroughs {
		sums[b.Slug] = [4]int64{}
	}
	for _, s := range k.feed.Sites {
		for _, p := range placesOf(s.Borough) {
			n := sums[p]
			sums[p] = [4]int64{n[0] + 1, n[1] + s.Obligations, n[2] + s.Training, n[3] + s.Contributions}
		}
	}
	counts := figures{}
	for p, n := range sums {
		counts[p] = line(n[0], n[1], n[2], n[3])
	}
	return counts
}

// placesOf returns the places that a borough is in: all, itself, and its area.
func placesOf(borough string) []string {
	places := []string{""}
	if borough != "" {
		places = append(places, borough)
	}
	if slices.Contains(areaMembers, borough) {
		places = append(places, area)
	}
	return places
}
