package diff

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// layout describes the columns of a table in the order in which they are read: first the key
// columns, then all other columns except as_of.
type layout struct {
	columns []string
	types   []snapshots.Type
	keys    int
	// for a column that counts people, the index of its status column; -1 for other columns
	status   []int
	isStatus []bool // true for a status column, since the status is printed with its count
	sources  []int  // indices of the columns that name the sources of a row
}

func layoutOf(t snapshots.Table) layout {
	l := layout{keys: len(t.SortColumns), columns: slices.Clone(t.SortColumns)}
	for _, c := range t.Columns {
		if c.Name != "as_of" && !slices.Contains(t.SortColumns, c.Name) {
			l.columns = append(l.columns, c.Name)
		}
	}
	for _, name := range l.columns {
		c, _ := t.Column(name)
		l.types = append(l.types, c.Type)
	}
	for _, name := range t.SourceColumns() {
		l.sources = append(l.sources, l.at(name))
	}
	l.status, l.isStatus = make([]int, len(l.columns)), make([]bool, len(l.columns))
	for i, name := range l.columns {
		l.status[i] = -1
		for _, p := range t.PeopleColumns() {
			if name == p.Value {
				l.status[i] = l.at(p.Status)
			}
			if name == p.Status {
				l.isStatus[i] = true
			}
		}
	}
	return l
}

// at returns the index of a column in a row that was read, or -1 if the table lacks the column.
func (l *layout) at(column string) int { return slices.Index(l.columns, column) }

// key returns the key columns of a row as a JSON object.
func (l *layout) key(row []parquetio.Value) *string {
	return l.object(row, func(i int) bool { return i < l.keys })
}

// values returns a JSON object with those values of row that differ from the values of otherRow. If
// otherRow is nil, the object has all values except the key. If row is nil, the result is nil.
func (l *layout) values(row, otherRow []parquetio.Value) *string {
	if row == nil {
		return nil
	}
	return l.object(row, func(i int) bool {
		if i < l.keys || l.isStatus[i] {
			return false
		}
		differs := func(at int) bool { return otherRow == nil || row[at] != otherRow[at] }
		return differs(i) || l.status[i] >= 0 && differs(l.status[i])
	})
}

func (l *layout) object(row []parquetio.Value, in func(i int) bool) *string {
	b := []byte{'{'}
	for i, name := range l.columns {
		if !in(i) {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, name), ':')
		b = l.appendValue(b, row, i)
	}
	s := string(append(b, '}'))
	return &s
}

// appendValue appends the value of column i to b as JSON, as it is published. A count of people
// from 1 to 4 becomes "<5".
func (l *layout) appendValue(b []byte, row []parquetio.Value, i int) []byte {
	v := row[i]
	if at := l.status[i]; at >= 0 && figure.Status(row[at].Text) == figure.StatusUnderFive {
		return append(b, `"`+figure.UnderFiveText+`"`...)
	}
	if v.IsNull {
		return append(b, "null"...)
	}
	switch l.types[i] {
	case snapshots.TypeText:
		text, err := snapshots.EncodeDocument(v.Text) // without escaping "<5"
		if err != nil {                               // encoding a string cannot fail
			return append(b, "null"...)
		}
		return append(b, bytes.TrimSpace(text)...)
	case snapshots.TypeDay:
		return parquetio.DecodeDay(v.Int).AppendFormat(b, `"2006-01-02"`)
	case snapshots.TypeTimestamp:
		return time.UnixMicro(v.Int).UTC().AppendFormat(b, `"2006-01-02T15:04:05Z"`)
	case snapshots.TypeBool:
		return strconv.AppendBool(b, v.Int != 0)
	case snapshots.TypeDecimal1:
		return figure.AppendTenths(b, figure.Tenths(v.Int))
	}
	return strconv.AppendInt(b, v.Int, 10)
}
