// Package sandbox makes up a whole world for trying the service out: boroughs
// with residents under pseudonyms, employers, adverts in every source,
// applications and their outcomes, statistics and geography. It writes the
// platform's feed, answers as the publishers do, and says how both are configured,
// so that the real connectors and the real pipeline run on it.
//
// Names and codes of official areas are facts. Everything else is invented:
// employers, adverts, people, figures. A world is a function of a seed, a date and
// a size; the same three give the same bytes. Every advert, resident and application
// is derived from the seed and its number when it is needed; what is kept is the
// employers and a few bytes for one advert in a hundred, so that a world may be far
// larger than memory.
//
// The world is lifelike where it matters for trying: employers and skills follow
// Zipf's law, boroughs have the weight of their people, adverts have seasons,
// applicants live mostly near the work, apply more than once and are hired more
// often when they have what is asked, and outcomes are recorded days to weeks
// after the application. A known share of the adverts is excluded by the rules of
// counting, each rule at least once; Planted says how many.
package sandbox
