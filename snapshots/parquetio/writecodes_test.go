package parquetio

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/snapshots"
)

// codedAdverts are rows of the table adverts as codes and as rows.
type codedAdverts struct {
	words   map[string][]string
	batches [][][]uint32
	rows    []snapshots.AdvertsRow
}

// add adds a row: numbers of words in the columns of texts.
func (c *codedAdverts) add(skill, level, kind, place, sector, soc, source, month, adverts uint32) {
	last := len(c.batches) - 1
	if last < 0 || len(c.batches[last][0]) == RowGroupRows {
		c.batches = append(c.batches, make([][]uint32, 9))
		last++
	}
	for i, code := range []uint32{skill, level, kind, place, sector, soc, source, month, adverts} {
		c.batches[last][i] = append(c.batches[last][i], code)
	}
	c.rows = append(c.rows, snapshots.AdvertsRow{Skill: c.words["skill"][skill], Level: int8(level), AreaKind: c.words["area_kind"][kind],
		Place: c.words["place"][place], Sector: c.words["sector"][sector], SOC: c.words["soc"][soc], Source: c.words["source"][source],
		Month: time.Unix(int64(month)*secondsPerDay, 0).UTC(), Adverts: int32(adverts)})
}

// sequence gives the batches.
func (c *codedAdverts) sequence() iter.Seq2[[][]uint32, error] {
	return func(yield func([][]uint32, error) bool) {
		for _, b := range c.batches {
			if !yield(b, nil) {
				return
			}
		}
	}
}

func wordsOfAdverts() map[string][]string {
	words := map[string][]string{"area_kind": {"all", "borough", "area"}, "source": {"platform", "employer_boards"}}
	for i := range 700 {
		words["skill"] = append(words["skill"], fmt.Sprint("skill-", i*7919))
		words["soc"] = append(words["soc"], fmt.Sprint(1111+i))
	}
	for i := range 40 {
		words["place"] = append(words["place"], fmt.Sprint("borough-", 40-i))
	}
	words["sector"] = []string{"", "care", "digital"}
	return words
}

// sameBytes writes the rows both ways.
func (c *codedAdverts) sameBytes(dir string) error {
	table, _ := snapshots.TableNamed("adverts")
	asOf, meta := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), map[string]string{"b": "2", "a": "1"}
	one, other := filepath.Join(dir, "one.parquet"), filepath.Join(dir, "other.parquet")
	if err := WriteTable(one, table, meta, asOf, c.rows); err != nil {
		return err
	}
	n, err := WriteCodes(other, table, meta, asOf, c.words, c.sequence())
	if err != nil || n != int64(len(c.rows)) {
		return fmt.Errorf("%d rows of %d: %w", n, len(c.rows), err)
	}
	a, err := os.ReadFile(one)
	b, err2 := os.ReadFile(other)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return fmt.Errorf("%d rows are %d bytes as rows and %d as codes, or differ", n, len(a), len(b))
	}
	return nil
}

// TestCodesAreTheSameBytes: a table is the same to the byte, whichever way its rows came.
func TestCodesAreTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		c := &codedAdverts{words: wordsOfAdverts()}
		for range rapid.IntRange(0, 200).Draw(r, "rows") {
			to := func(n int) uint32 { return uint32(rapid.IntRange(0, n-1).Draw(r, "code")) }
			c.add(to(700), to(6), to(3), to(40), to(3), to(700), to(2), 20_000+31*to(24), 1+to(9))
		}
		if err := c.sameBytes(dir); err != nil {
			r.Fatal(err)
		}
	})
}

func TestCodesOfManyRowGroupsAreTheSameBytes(t *testing.T) {
	c := &codedAdverts{words: wordsOfAdverts()}
	for i := range uint32(2*RowGroupRows + 99) {
		c.add(i/400%700, i/80%6, i/90_000%3, i/50_000%40, i/1000%3, i*7%700, i%2, 20_000+31*(i%24), 1+i*i%50)
	}
	if err := c.sameBytes(t.TempDir()); err != nil {
		t.Fatal(err)
	}
}

func TestCodesRefuse(t *testing.T) {
	table, _ := snapshots.TableNamed("adverts")
	path := filepath.Join(t.TempDir(), "adverts.parquet")
	for name, change := range map[string]func(c *codedAdverts){
		"a code without a word":           func(c *codedAdverts) { c.batches[0][0][0] = 700 },
		"a level that does not fit":       func(c *codedAdverts) { c.batches[0][1][0] = 128 },
		"a count that does not fit":       func(c *codedAdverts) { c.batches[0][8][0] = 1 << 31 },
		"a column with too few rows":      func(c *codedAdverts) { c.batches[0][3] = c.batches[0][3][:1] },
		"a month that is further than is": func(c *codedAdverts) { c.batches[0][7][0] = Null },
	} {
		c := &codedAdverts{words: wordsOfAdverts()}
		c.add(1, 2, 0, 1, 1, 1, 1, 20_000, 3)
		c.add(2, 2, 0, 1, 1, 1, 1, 20_000, 3)
		change(c)
		if _, err := WriteCodes(path, table, nil, time.Unix(0, 0), c.words, c.sequence()); err == nil {
			t.Errorf("%s: written", name)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: there is a file", name)
		}
	}
}

func BenchmarkWriteCodes(b *testing.B) {
	c := &codedAdverts{words: wordsOfAdverts()}
	for i := range uint32(RowGroupRows) {
		c.add(i/400%700, i/80%6, i/90_000%3, i/50_000%40, i/1000%3, i*7%700, i%2, 20_000+31*(i%24), 1+i*i%50)
	}
	table, _ := snapshots.TableNamed("adverts")
	path := filepath.Join(b.TempDir(), "adverts.parquet")
	for b.Loop() {
		if _, err := WriteCodes(path, table, nil, time.Unix(0, 0), c.words, c.sequence()); err != nil {
			b.Fatal(err)
		}
	}
}
