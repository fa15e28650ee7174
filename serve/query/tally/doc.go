// Package tally holds the advert cells, the totals and the printed people figures
// of one snapshot in memory, as numbers in the order in which they are asked for,
// and adds up what a question of skills not met needs. It knows no database, no
// wording and no ranking.
//
// The cells are kept thrice. By skill and place, in full, for breaking one skill
// down. By place and occupation, and by place, sector and occupation, for ranking
// skills: there only the shortest of the four windows that holds an advert counts
// instead of its month, and what a question cannot filter by is added up already.
// A question without an occupation reads sums over all of them. So whatever its
// filters are, what a call reads is one or a few runs of neighbouring rows, and how
// much that is grows with the kinds of jobs and skills and not with the adverts.
//
// Nothing here can show a count of people that must not be shown: the printed
// figures are all that a snapshot has.
package tally
