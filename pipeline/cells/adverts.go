package cells

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// AdvertNames says what the numbers in the answer to Adverts mean.
type AdvertNames struct {
	words                      map[string][]string // by column
	skills, kinds, places      []uint32            // by the number of a skill, and of a site
	sectors, socs, keys, month []uint32            // by the number of a profile
}

// AdvertNames reads the names; Adverts is asked apart.
func (e *Engine) AdvertNames(ctx context.Context) (*AdvertNames, error) {
	n := &AdvertNames{words: map[string][]string{}}
	skill, kind, place := n.coded("skill", &n.skills), n.coded("area_kind", &n.kinds), n.coded("place", &n.places)
	sector, soc, source := n.coded("sector", &n.sectors), n.coded("soc", &n.socs), n.coded("source", &n.keys)
	var word, other string
	err := e.each(ctx, "skills", func() { skill(word) }, &word)
	err = errors.Join(err, e.each(ctx, "sites", func() { kind(word); place(other) }, &word, &other))
	var third string
	var month time.Time
	return n, errors.Join(err, e.each(ctx, "profiles", func() {
		sector(word)
		soc(other)
		source(third)
		n.month = append(n.month, uint32(month.Unix()/secondsPerDay))
	}, &word, &other, &third, &month))
}

// secondsPerDay makes days of times.
const secondsPerDay = 24 * 60 * 60

// coded gives what appends the codes of a column's words, in the order of their coming.
func (n *AdvertNames) coded(column string, into *[]uint32) func(word string) {
	known := map[string]uint32{}
	return func(word string) {
		code, there := known[word]
		if !there {
			code = uint32(len(known))
			known[word] = code
			n.words[column] = append(n.words[column], word)
		}
		*into = append(*into, code)
	}
}

// each asks a question with a small answer, and calls fn with each row in the variables.
func (e *Engine) each(ctx context.Context, name string, fn func(), into ...any) error {
	text, err := question(name)
	if err != nil {
		return err
	}
	rows, err := e.db.QueryContext(ctx, text)
	if err != nil {
		return fmt.Errorf("%s.sql: %w", name, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return fmt.Errorf("%s.sql: %w", name, err)
		}
		fn()
	}
	return rows.Err()
}

// Table makes the table adverts of the answer to Adverts, which it reads from answer.
// The rows keep their order, which is that of the table.
func (n *AdvertNames) Table(ctx context.Context, path string, meta map[string]string, asOf time.Time, answer string) (rows int64, err error) {
	table, _ := snapshots.TableNamed(string(Adverts))
	return parquetio.WriteCodes(path, table, meta, asOf, n.words, n.batches(ctx, answer))
}

// The columns of the answer to Adverts.
const (
	cellSite = iota
	cellSkill
	cellLevel
	cellProfile
	cellAdverts
)

// batches are the rows of the table as codes, a row group at a time; the memory is used
// again.
func (n *AdvertNames) batches(ctx context.Context, answer string) iter.Seq2[[][]uint32, error] {
	return func(yield func([][]uint32, error) bool) {
		batch := make([][]uint32, 9)
		stopped := errors.New("stopped")
		columns := []parquetio.Coded{{Column: "site"}, {Column: "skill"}, {Column: "level"}, {Column: "profile"}, {Column: "adverts"}}
		err := parquetio.Codes(ctx, answer, columns, func(read [][]uint32) error {
			for from := 0; from < len(read[0]); {
				to := min(len(read[0]), from+parquetio.RowGroupRows-len(batch[0]))
				n.take(batch, read, from, to)
				if from = to; len(batch[0]) < parquetio.RowGroupRows {
					break
				}
				if !yield(batch, nil) {
					return stopped
				}
				for i := range batch {
					batch[i] = batch[i][:0]
				}
			}
			return nil
		})
		if err == nil && len(batch[0]) > 0 {
			yield(batch, nil)
		} else if err != nil && !errors.Is(err, stopped) {
			yield(nil, fmt.Errorf("read cells of adverts: %w", err))
		}
	}
}

// take appends rows of the answer to a batch, in the order of the table's columns.
func (n *AdvertNames) take(batch, read [][]uint32, from, to int) {
	by := func(column int, of []uint32, key int) {
		for _, number := range read[key][from:to] {
			batch[column] = append(batch[column], of[number])
		}
	}
	by(0, n.skills, cellSkill)
	batch[1] = append(batch[1], read[cellLevel][from:to]...)
	by(2, n.kinds, cellSite)
	by(3, n.places, cellSite)
	by(4, n.sectors, cellProfile)
	by(5, n.socs, cellProfile)
	by(6, n.keys, cellProfile)
	by(7, n.month, cellProfile)
	batch[8] = append(batch[8], read[cellAdverts][from:to]...)
}
