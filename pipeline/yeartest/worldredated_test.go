package yeartest

import "fmt"

// redatedVacancies are the roles of the board that gives its adverts new dates: two every day, one of
// which asks for another skill later, one every week, one that leaves out months, one that keeps its date, one
// that gets an earlier date again, and one whose id is given to another vacancy.
func redatedVacancies() []vacancy {
	daily := redatedRole(0, "2027-09-03")
	daily.Redated = redatedEvery(1, "2027-09-04", date(end))

	changed := redatedRole(1, "2027-12-20")
	changed.Redated = redatedEvery(1, "2027-12-21", "2028-03-25")
	changed.Until = day("2028-03-26")
	for i, r := range changed.Redated {
		if date(r.at) == "2028-02-28" {
			changed.Redated[i].skills = append(changed.Skills[:2:2], ask{Skill: register[6].slug})
		}
	}

	weekly := redatedRole(2, "2027-10-04")
	weekly.Redated = redatedEvery(7, "2027-10-11", date(end))

	// Some of these dates are 13 or 14 days after the last date of a month before.
	sometimes := redatedRole(3, "2027-10-29")
	sometimes.Redated = redatedOn("2027-11-01", "2027-11-11", "2028-01-03", "2028-02-27", "2028-03-11", "2028-03-12",
		"2028-05-01", "2028-08-20", "2028-09-03", "2028-10-31", "2028-11-13", "2028-11-14")

	never := redatedRole(4, "2027-09-20")

	corrected := redatedRole(5, "2027-12-29")
	corrected.Redated = []redating{
		{at: day("2028-01-03"), posted: day("2027-11-20")},
		{at: day("2028-03-30"), posted: day("2028-03-30")},
		{at: day("2028-04-02"), posted: day("2027-11-20")}}

	reused := redatedRole(6, "2027-12-28")
	another := redatedRole(2, "2028-01-03")
	another.ID, another.Number = reused.ID, "202007"
	reused.Redated = []redating{
		{at: day("2028-01-03"), posted: day("2028-01-03"), another: &another},
		{at: day("2028-03-24"), posted: day("2028-03-24")}}

	return []vacancy{daily, changed, weekly, sometimes, never, corrected, reused}
}

// redatedRole makes one role of the board.
func redatedRole(i int, posted string) vacancy {
	t, b := trades[i%len(trades)], redatingBoard
	id := int64(2001 + i)
	return vacancy{ID: id, Number: fmt.Sprint(id + 100_000), Title: t.title, SOC: t.soc, Sector: t.sector,
		Place: b.place, Borough: b.borough, Posted: day(posted), Employer: b.employer,
		Skills: []ask{{Skill: register[i%3].slug}, {Skill: register[3+i%3].slug}}}
}

// redatedEvery gives an advert the date of the day at the beginning of every so many days.
func redatedEvery(days int, first, last string) (list []redating) {
	for d := day(first); !d.After(day(last)); d = d.AddDate(0, 0, days) {
		list = append(list, redating{at: d, posted: d})
	}
	return list
}

// redatedOn gives an advert the date of the day at the beginning of each of the days.
func redatedOn(days ...string) (list []redating) {
	for _, text := range days {
		d := day(text)
		list = append(list, redating{at: d, posted: d})
	}
	return list
}
