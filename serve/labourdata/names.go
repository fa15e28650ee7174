package labourdata

// Levels is the vocabulary of the levels of skill, "1" to "5".
const Levels Vocabulary = "levels"

// Names says what the values of the vocabularies are called, for whoever shows
// them to people.
type Names interface {
	// Named lists the values of Places, Sectors, Skills, Occupations or Levels
	// with their names, ordered by value. It is held in memory and must not be
	// changed by the caller. Other vocabularies have no names and give nil.
	Named(v Vocabulary) []Named
}

// Named is a value of a vocabulary with its name for people.
type Named struct {
	Value string
	Name  string
	// Kind is borough or area (a union of boroughs) for a place, else empty.
	Kind string
	// Code is the national statistics code of a borough's council, else empty.
	Code string
}
