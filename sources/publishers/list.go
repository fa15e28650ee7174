package publishers

import "encoding/json"

// List is the rows of one list of adverts: a board, or the apprenticeship service.
// A row is made when it is asked for, so that a list of millions needs no memory.
type List struct {
	Len int
	Row func(i int) (json.RawMessage, error) // i is 0 to Len-1; called by several goroutines
}

// ListOf is the list of rows that are there already.
func ListOf(rows []json.RawMessage) List {
	return List{Len: len(rows), Row: func(i int) (json.RawMessage, error) { return rows[i], nil }}
}

// between are the rows from one number up to another.
func (l List) between(from, to int) ([]json.RawMessage, error) {
	out := make([]json.RawMessage, 0, max(to-from, 0))
	for i := from; i < to; i++ {
		row, err := l.Row(i)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// without is the list whose rows lack fields, when that is asked.
func (l List) without(strip bool, fields ...string) List {
	if !strip {
		return l
	}
	return List{Len: l.Len, Row: func(i int) (json.RawMessage, error) {
		raw, err := l.Row(i)
		if err != nil {
			return nil, err
		}
		var row map[string]json.RawMessage
		if err := json.Unmarshal(raw, &row); err != nil {
			return nil, err
		}
		for _, f := range fields {
			delete(row, f)
		}
		return json.Marshal(row)
	}}
}
