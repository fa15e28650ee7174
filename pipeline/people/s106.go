package people

import (
	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/sources"
)

// measure is one count of people or jobs at a section 106 site, such as jobs_created.
type measure struct {
	name string // name of the column in the feed, such as jobs_created
	// of returns the count of a site, and set sets the published count in a row.
	of  func(*sources.S106Development) int
	set func(*snapshots.S106PeopleRow, figure.Count)
}

var measures = []measure{
	{"jobs_created", func(d *sources.S106Development) int { return d.JobsCreated },
		(*snapshots.S106PeopleRow).SetJobsCreated},
	{"apprenticeships_started", func(d *sources.S106Development) int { return d.ApprenticeshipsStarted },
		(*snapshots.S106PeopleRow).SetApprenticeshipsStarted},
	{"local_people_employed", func(d *sources.S106Development) int { return d.LocalPeopleEmployed },
		(*snapshots.S106PeopleRow).SetLocalPeopleEmployed},
}

// s106 returns the rows of the table s106_people, rounded and suppressed. There is one row for the
// whole platform and one for each place. All people of a site share one rounding key. A site with a
// count of 0 is ignored.
func s106(rules *disclosure.Rules, in *Inputs) []snapshots.S106PeopleRow {
	rows := make([]snapshots.S106PeopleRow, in.Places.Count())
	for i := range rows {
		rows[i].Place = in.Places.Slug(i)
	}
	keys := in.Secret.NewRoundingKeys()
	for _, m := range measures {
		counts := make([]disclosure.TrueCount, in.Places.Count())
		for _, d := range in.Developments {
			n := int64(m.of(&d))
			if n <= 0 {
				continue
			}
			site := disclosure.TrueCount{People: n, Key: keys.KeyOf("s106/"+m.name, d.ID)}
			for _, place := range in.Places.PlacesContaining(in.Places.BoroughNumber(d.Borough)) {
				counts[place].Add(site)
			}
		}
		printed := rules.PublishedByPlace(counts)
		for i := range rows {
			m.set(&rows[i], printed[i])
		}
	}
	for i := range rows {
		hideLimit(&rows[i])
	}
	return rows
}

// hideLimit suppresses a number of jobs created that is below 10 if a number of people in the row
// is suppressed. A site cannot employ more people than it has jobs, so 0 jobs would disclose that
// nobody is employed.
func hideLimit(row *snapshots.S106PeopleRow) {
	hidesPeople := row.ApprenticeshipsStartedStatus == figure.StatusNotPublished ||
		row.LocalPeopleEmployedStatus == figure.StatusNotPublished
	isLarge := row.JobsCreated != nil && *row.JobsCreated >= disclosure.MinDividedTotal
	if hidesPeople && !isLarge {
		row.SetJobsCreated(figure.Count{})
	}
}
