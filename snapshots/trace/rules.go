package trace

import "labour/snapshots"

// SmallNumbers is the rule for every count of people, of our own and of publishers.
const SmallNumbers = "A count of people from 1 to 4 is never a number and never 0. It is the string \"<5\"."

// PeopleRules are the rules for counts of people of our own, by the names that report.json
// uses in people_withheld where it counts what a rule withheld.
func PeopleRules() []Rule {
	return []Rule{
		{"small_number", SmallNumbers},
		{"rounded", "A count of 5 or more is shown to the nearest multiple of 5, unless the manifest says protection plain."},
		{"below_a_small_group", "Below a figure that is \"<5\" nothing is shown, zeros neither."},
		{"share", "A share is worked out from the printed counts, and only of 20 people or more."},
		{"withdrawn_by_the_audit", "What lets a reader work out a group of 1 to 4 people, in one release or over several, is not shown."},
		{"floor_of_adverts", "A filter of fewer than 5 counted adverts, or of fewer than 3 employers, has no figures of people."},
	}
}

// disclosureRules are the rules for the counts of people of a table.
func disclosureRules(t snapshots.Table) []Rule {
	switch {
	case snapshots.CountsOwnPeople(t.Name):
		return PeopleRules()
	case len(t.PeopleColumns()) > 0: // published by others
		return []Rule{{"small_number", SmallNumbers}}
	}
	return []Rule{}
}
