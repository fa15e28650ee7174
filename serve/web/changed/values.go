package changed

import (
	"encoding/json"
	"fmt"
	"strings"

	"labour/snapshots"
)

// Value is a column with its printed value. Null is its own kind of value: it is
// never zero and never an empty text.
type Value struct {
	Column string
	Text   string
	Null   bool
}

// Pair is a column before and after; a side is nil where the key was not.
type Pair struct {
	Column   string
	Old, New *Value
}

// Values reads the columns of a key, or of one side of a change, in the order of the
// table. A nil object has none.
func Values(object *string) ([]Value, error) {
	if object == nil {
		return nil, nil
	}
	d := json.NewDecoder(strings.NewReader(*object))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("%.60q is no object of columns", *object)
	}
	var out []Value
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("read the columns of %.60q: %w", *object, err)
		}
		value, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("read the columns of %.60q: %w", *object, err)
		}
		if _, nested := value.(json.Delim); nested {
			return nil, fmt.Errorf("%.60q has a column that is no plain value", *object)
		}
		v := Value{Column: fmt.Sprint(name), Null: value == nil}
		if !v.Null {
			v.Text = fmt.Sprint(value)
		}
		out = append(out, v)
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("read the end of %.60q: %w", *object, err)
	}
	return out, nil
}

// Pairs are the columns that differ, with what the two snapshots print.
func Pairs(r snapshots.ChangesRow) ([]Pair, error) {
	old, err := Values(r.Old)
	if err != nil {
		return nil, err
	}
	fresh, err := Values(r.New)
	if err != nil {
		return nil, err
	}
	var pairs []Pair
	for i := range old {
		pairs = append(pairs, Pair{Column: old[i].Column, Old: &old[i]})
	}
	for i := range fresh {
		at := -1
		for j := range pairs {
			if pairs[j].Column == fresh[i].Column {
				at = j
			}
		}
		if at < 0 {
			pairs = append(pairs, Pair{Column: fresh[i].Column})
			at = len(pairs) - 1
		}
		pairs[at].New = &fresh[i]
	}
	return pairs, nil
}
