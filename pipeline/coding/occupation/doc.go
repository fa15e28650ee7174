// Package occupation codes a job title to SOC 2020 ("Occupations are coded with SOC 2020"). It has
// the groups of the classification, the titles of the Office for National Statistics' coding index,
// further titles as used in adverts, and the rules that match a title to these.
//
// A title is folded to one spelling, split at its separators and stripped of seniority, terms of
// contract, hours, place and requisition numbers. Then the rules are tried, the most reliable
// first: the whole title; its parts in another order ("Engineer, Software"); the stripped title;
// the head or director of a known function; the longest known title within it that contains its
// head noun. The whole title comes before stripping because seniority can change the occupation: a
// senior care assistant is 6136, a care assistant 6135. If a title joins two roles, the first is
// its occupation. A misspelt word is read as the one common word that is similar.
//
// If no rule is certain about a title, its words are scored (naive Bayes over all known titles). If
// no rule matched at all, the titles in the advert's first sentences, its department and its
// employer are scored too. A title whose unit group remains uncertain is coded to its minor or
// sub-major group.
//
// If the coding index gives a title exactly one unit group, that also overrides the program's own
// list. pipeline/coding/README.md has the accuracy by sector.
package occupation
