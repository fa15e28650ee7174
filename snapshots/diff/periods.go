package diff

import (
	"errors"
	"io/fs"
	"strings"

	"labour/snapshots/parquetio"
)

// period is the column that says which period a row of a table is of, with the
// columns within whose values periods are compared: one metric may be a year
// behind another.
type period struct {
	column string
	within []string
}

var periodOf = map[string]period{
	"adverts": {"month", nil}, "adverts_total": {"month", nil}, "jobs": {"posted_at", nil}, "events": {"occurred_at", nil}, "demand": {"day", nil},
	"course_demand": {"period_end", []string{"source_key", "metric", "country"}}, "skills_gaps": {"horizon_year", []string{"source_key"}},
	"evidence": {"published_on", []string{"source_key"}}, "signals": {"published_on", []string{"source_key"}}, "priorities": {"published_on", []string{"source_key"}},
}

// span is the first and the last period of a side.
type span struct{ first, last int64 }

// periods are the spans of both sides, by the values of the columns within.
type periods struct {
	period
	before, after map[string]*span
}

func readPeriods(table, before, after string) (periods, error) {
	p, ok := periodOf[table]
	if !ok {
		return periods{}, nil
	}
	out := periods{period: p}
	var err error
	if out.before, err = p.spans(before); err != nil {
		return periods{}, err
	}
	out.after, err = p.spans(after)
	return out, err
}

func (p period) spans(path string) (map[string]*span, error) {
	all := map[string]*span{}
	err := parquetio.Scan(path, append([]string{p.column}, p.within...), func(_ int64, v []parquetio.Value) error {
		if v[0].Null {
			return nil
		}
		id := group(v[1:])
		s, seen := all[id]
		if !seen {
			all[strings.Clone(id)] = &span{v[0].Int, v[0].Int}
			return nil
		}
		s.first, s.last = min(s.first, v[0].Int), max(s.last, v[0].Int)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	return all, err
}

// group joins the values of the columns within; one text is not copied.
func group(v []parquetio.Value) string {
	if len(v) == 0 {
		return ""
	}
	id := v[0].Text
	for _, one := range v[1:] {
		id += "\x00" + one.Text
	}
	return id
}

// beyond says whether the key of an added or removed row is of a period that the
// other side does not reach. A group that the other side does not have at all is
// not a matter of its period.
func (p periods) beyond(l layout, old, fresh []parquetio.Value) bool {
	row, other := fresh, p.before
	if fresh == nil {
		row, other = old, p.after
	}
	if p.column == "" || old != nil && fresh != nil || row[l.at(p.column)].Null {
		return false
	}
	var values []parquetio.Value
	for _, name := range p.within {
		values = append(values, row[l.at(name)])
	}
	s, there := other[group(values)]
	at := row[l.at(p.column)].Int
	return there && (at < s.first || at > s.last)
}
