package trace

import "labour/snapshots"

// SmallNumbers is the rule for every count of people, of our own and of publishers.
const SmallNumbers = "A count of people from 1 to 4 is never a number and never 0. It is the string \"<5\"."

// PeopleRules are the rules under which a figure of residents may be withheld, by the
// names that report.json uses in people_withheld. Which of them withheld one figure
// is never said.
func PeopleRules() []Rule {
	return []Rule{
		{"small_number", SmallNumbers},
		{"parent_not_shown", "Below a figure that is no number, nothing is shown."},
		{"line", "In a total and its parts, more parts are withheld until none can be worked out by subtraction."},
		{"window_difference", "A window that differs from a longer one by 1 to 4 people is not shown."},
		{"table", "In a table of places by another filter, rows and columns of few people are not broken down, and more cells are withheld until no small one can be worked out from its row and column."},
		{"month_difference", "No two printed points of time may differ by 1 to 4 people."},
		{"few_employers", "A count of 5 or more to which too few employers contribute, or which one employer makes, is not shown."},
		{"ledger", "A figure that with those printed before would tell of 1 to 4 people is not shown."},
		{"audit", "A program that tries to work out withheld figures runs on every snapshot; what it needs is withheld."},
		{"outside_lattice", "A figure outside the published list of filters is not shown."},
	}
}

// disclosureRules are the rules for the counts of people of a table.
func disclosureRules(t snapshots.Table) []Rule {
	switch {
	case t.Name == "people":
		return PeopleRules()
	case snapshots.IsPeopleTable(t.Name) || t.Name == "s106":
		var some []Rule
		for _, r := range PeopleRules() {
			switch r.Name {
			case "small_number", "parent_not_shown", "line", "ledger", "audit":
				some = append(some, r)
			}
		}
		return some
	case len(t.PeopleColumns()) > 0: // published by others
		return []Rule{{"small_number", SmallNumbers}}
	}
	return []Rule{}
}
