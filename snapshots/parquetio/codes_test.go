package parquetio

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

// interner codes texts by first appearance.
type interner struct {
	codes map[string]uint32
	texts []string
}

func (n *interner) code(text string) uint32 {
	code, ok := n.codes[text]
	if !ok {
		code = uint32(len(n.texts))
		text = string([]byte(text))
		n.codes[text], n.texts = code, append(n.texts, text)
	}
	return code
}

// TestCodesAreWhatScanReads: every value of every row, over several row groups and
// with a column of so many texts that its dictionary is given up.
func TestCodesAreWhatScanReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "staged.parquet")
	rows := stagedRows(RowGroupRows + 1000)
	writeRows(t, path, stagedColumns(), nil, rows)
	id, soc := &interner{codes: map[string]uint32{}}, &interner{codes: map[string]uint32{}}
	at := 0
	err := Codes(context.Background(), path, []Coded{{"id", id.code}, {"soc", soc.code}, {"level", nil}, {"posted", nil}}, func(batch [][]uint32) error {
		for i := range batch[0] {
			r := rows[at]
			if id.texts[batch[0][i]] != r.ID || soc.texts[batch[1][i]] != r.SOC || int64(batch[3][i]) != r.Posted.Unix()/secondsPerDay {
				t.Fatalf("row %d: %s %s %d, want %+v", at, id.texts[batch[0][i]], soc.texts[batch[1][i]], batch[3][i], r)
			}
			if (batch[2][i] == Null) != (r.Level == nil) || r.Level != nil && batch[2][i] != uint32(*r.Level) {
				t.Fatalf("row %d: level %d, want %v", at, batch[2][i], r.Level)
			}
			at++
		}
		return nil
	})
	if err != nil || at != len(rows) {
		t.Fatalf("%d rows of %d, %v", at, len(rows), err)
	}
}

func TestCodesRefusesWhatHasNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "staged.parquet")
	writeRows(t, path, stagedColumns(), nil, stagedRows(3))
	text := (&interner{codes: map[string]uint32{}}).code
	nothing := func([][]uint32) error { return nil }
	for name, c := range map[string]Coded{"no such column": {"nothing", nil}, "a text as a number": {"soc", nil}, "a number as a text": {"level", text},
		"a fraction": {"score", nil}} {
		if err := Codes(context.Background(), path, []Coded{c}, nothing); !errors.Is(err, ErrSchema) {
			t.Errorf("%s: %v", name, err)
		}
	}
	stop := errors.New("stop")
	if err := Codes(context.Background(), path, []Coded{{"soc", text}}, func([][]uint32) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the function's error: %v", err)
	}
}

func BenchmarkCodes(b *testing.B) {
	path := filepath.Join(b.TempDir(), "staged.parquet")
	rows := stagedRows(RowGroupRows)
	writeRows(b, path, stagedColumns(), nil, rows)
	text := func(string) uint32 { return 1 }
	b.ReportAllocs()
	for b.Loop() {
		err := Codes(context.Background(), path, []Coded{{"source", text}, {"place", text}, {"soc", text}, {"skill", text}, {"level", nil}},
			func([][]uint32) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds(), "rows/s")
}
