// Package occupation codes a job title to SOC 2020 ("Occupations are coded with SOC 2020"): the
// register of the classification's groups, the titles of the office's coding index and titles as
// adverts word them, and the rules that find the one in the other.
//
// A title is folded to one spelling, cut at its separators and stripped of seniority, terms of
// contract, hours, place and requisition numbers. Then the rules are tried from the surest to the
// least sure: the whole title; its parts turned round ("Engineer, Software"); what is left after
// stripping; the head or director of a known function; the longest known title inside it that holds
// its head noun. The whole title comes before stripping because seniority can change the
// occupation: a senior care assistant is 6136, a care assistant 6135. Of two roles that a title
// joins, the first is its occupation. A misspelt word is read as the usual word that it is near.
//
// A title that no rule is sure of is weighed by its words (naive Bayes over all known titles) and, where no
// rule found anything, by the titles that the advert's first sentences name and by its department and
// employer. A title whose unit group stays in doubt is coded to its minor or sub-major group.
//
// Where the coding index gives a title one unit group, that holds, also against the program's own
// list. The accuracy by sector is in pipeline/coding/README.md.
package occupation
