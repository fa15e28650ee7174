package snapshots

import (
	"fmt"
	"slices"

	"github.com/agnivade/levenshtein"
)

// UnknownError says that something named by a reader does not exist, and what is
// most like it.
type UnknownError struct {
	What    string // as "table" or "column of the key of adverts"
	Name    string // that was asked for
	Nearest string // that exists; empty when nothing does
}

// Error names the nearest one, where there is one.
func (e *UnknownError) Error() string {
	if e.Nearest == "" {
		return fmt.Sprintf("there is no %s %q", e.What, e.Name)
	}
	return fmt.Sprintf("there is no %s %q; the nearest is %q", e.What, e.Name, e.Nearest)
}

// FileNamed is the table or held dataset of that name, with the path of its file in
// a snapshot; an *UnknownError when there is none.
func FileNamed(name string) (Table, string, error) {
	if t, ok := TableNamed(name); ok {
		return t, TableFileName(name), nil
	}
	if t, ok := HeldTableNamed(name); ok {
		return t, HeldFileName(name), nil
	}
	var names []string
	for _, t := range slices.Concat(Tables(), HeldTables()) {
		names = append(names, t.Name)
	}
	return Table{}, "", &UnknownError{What: "table", Name: name, Nearest: Nearest(name, names)}
}

// Nearest is the one of the names that the fewest edits make of name, of several the
// first in the alphabet; empty when there are no names.
func Nearest(name string, names []string) string {
	best, distance := "", -1
	for _, known := range names {
		d := levenshtein.ComputeDistance(name, known)
		if distance < 0 || d < distance || d == distance && known < best {
			best, distance = known, d
		}
	}
	return best
}
