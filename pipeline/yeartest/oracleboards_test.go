package yeartest

import (
	"cmp"
	"slices"
)

// withPosting returns the postings of a role after its board showed it once more. A role "occurs once a
// month of posting, in the version of the newest extract; older versions of the same or a later month are
// dropped". So a role with a new date keeps its earlier months.
func withPosting(before []vacancy, newest vacancy) []vacancy {
	month := date(newest.Posted)[:7]
	earlier := slices.DeleteFunc(slices.Clone(before), func(v vacancy) bool { return date(v.Posted)[:7] >= month })
	return append(earlier, newest)
}

// boardAdverts returns the adverts of a board that count by what is known on a day: every posting of
// every role, by id and day.
func (k *known) boardAdverts(of board, asOf string) []counted {
	var postings []vacancy
	for token, what := range k.boards {
		if boardNamed(token).token != of.token {
			continue
		}
		for _, ofRole := range what.seen {
			postings = append(postings, ofRole...)
		}
	}
	slices.SortFunc(postings, func(a, b vacancy) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), a.Posted.Compare(b.Posted))
	})
	var list []counted
	for _, v := range postings {
		posted := date(v.Posted)
		if posted > asOf {
			continue
		}
		vacancy := vacancyKey(employerOf(v.Employer), v.Number, v.Title)
		list = append(list, counted{line(v.ID, posted), vacancy, "employer_boards", employerOf(v.Employer),
			posted[:7], posted, []string{v.Borough}, false, v.Sector, v.SOC, v.Skills})
	}
	return list
}
