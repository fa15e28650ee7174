package parquetio

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
)

// Null is what Codes gives for a null.
const Null = math.MaxUint32

// Coded is a column that Codes reads as numbers.
type Coded struct {
	Column string
	// Text gives the code of a text. It is asked about once per distinct text of a
	// row group. Nil for a column that is no text: its values are their own codes,
	// a Day as days since 1970 and a Decimal1 in tenths, and must be from 0 to
	// Null - 1; others are an error.
	Text func(text string) uint32
}

// Codes gives some columns of a file as numbers, in the order of the rows, a batch
// at a time. The slices are of one length and are used again for the next batch.
// It reads tens of millions of values a second, several times what Scan does.
func Codes(ctx context.Context, path string, columns []Coded, fn func(batch [][]uint32) error) (err error) {
	s, err := openSource(path, readRows)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	defer recovered(&err, "read %s", path)
	at, err := s.codedColumns(columns)
	if err != nil {
		return err
	}
	batch := make([][]uint32, len(columns))
	for group := range s.in.NumRowGroups() {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, c := range columns {
			if batch[i], err = s.codesOf(ctx, group, at[i], c, batch[i][:0]); err != nil {
				return fmt.Errorf("read %s, column %s: %w", path, c.Column, err)
			}
			if len(batch[i]) != len(batch[0]) {
				return fmt.Errorf("read %s: columns %s and %s differ in length", path, columns[0].Column, c.Column)
			}
		}
		if err := fn(batch); err != nil {
			return err
		}
	}
	return nil
}

// codedColumns finds the columns and has texts read with their dictionary.
func (s *source) codedColumns(columns []Coded) ([]int, error) {
	at := make([]int, len(columns))
	properties := pqarrow.ArrowReadProperties{BatchSize: s.batchRows}
	for i, c := range columns {
		var err error
		if at[i], err = s.column(c.Column); err != nil {
			return nil, err
		}
		if text := s.schema.Field(at[i]).Type.ID() == arrow.STRING; text != (c.Text != nil) {
			return nil, fmt.Errorf("%s, column %s is %s: %w", s.path, c.Column, s.schema.Field(at[i]).Type, ErrSchema)
		}
		if c.Text != nil {
			properties.SetReadDict(at[i], true)
		}
	}
	reader, err := pqarrow.NewFileReader(s.in, properties, memory.DefaultAllocator)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", s.path, err)
	}
	s.arrow = reader
	return at, nil
}

// codesOf appends the codes of a column of a row group.
func (s *source) codesOf(ctx context.Context, group, at int, c Coded, into []uint32) ([]uint32, error) {
	r, err := s.arrow.GetFieldReader(ctx, at, map[int]bool{at: true}, []int{group})
	if err != nil {
		return nil, err
	}
	chunks, err := r.NextBatch(s.in.MetaData().RowGroup(group).NumRows())
	if err != nil {
		return nil, err
	}
	defer chunks.Release()
	for _, chunk := range chunks.Chunks() {
		if into, err = appendCodes(into, chunk, c.Text); err != nil {
			return nil, err
		}
	}
	return into, nil
}

func appendCodes(into []uint32, column arrow.Array, code func(string) uint32) ([]uint32, error) {
	switch a := column.(type) {
	case *array.Dictionary:
		return appendTexts(into, a, code)
	case *array.Int8:
		return appendNumbers(into, a, a.Int8Values())
	case *array.Int16:
		return appendNumbers(into, a, a.Int16Values())
	case *array.Int32:
		return appendNumbers(into, a, a.Int32Values())
	case *array.Date32:
		return appendNumbers(into, a, a.Date32Values())
	case *array.Decimal128:
		values := make([]int64, a.Len())
		for i, v := range a.Values() {
			values[i] = int64(v.LowBits())
		}
		return appendNumbers(into, a, values)
	}
	return nil, fmt.Errorf("is %s: %w", column.DataType(), ErrSchema)
}

func appendTexts(into []uint32, a *array.Dictionary, code func(string) uint32) ([]uint32, error) {
	words, ok := a.Dictionary().(*array.String)
	if !ok {
		return nil, fmt.Errorf("is a dictionary of %s: %w", a.Dictionary().DataType(), ErrSchema)
	}
	codes := make([]uint32, words.Len())
	for i := range codes {
		codes[i] = code(words.Value(i))
	}
	if indices, ok := a.Indices().(*array.Int32); ok && a.NullN() == 0 {
		for _, i := range indices.Int32Values() {
			into = append(into, codes[i])
		}
		return into, nil
	}
	for i := range a.Len() {
		if a.IsNull(i) {
			into = append(into, Null)
		} else {
			into = append(into, codes[a.GetValueIndex(i)])
		}
	}
	return into, nil
}

func appendNumbers[T int8 | int16 | int32 | int64 | arrow.Date32](into []uint32, a arrow.Array, values []T) ([]uint32, error) {
	for i, v := range values {
		switch {
		case a.NullN() > 0 && a.IsNull(i):
			into = append(into, Null)
		case v < 0 || int64(v) >= Null:
			return nil, fmt.Errorf("row %d of a batch is %d: %w", i, v, ErrSchema)
		default:
			into = append(into, uint32(v))
		}
	}
	return into, nil
}
