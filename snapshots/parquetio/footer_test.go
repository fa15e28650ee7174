package parquetio

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/parquet/metadata"

	"labour/snapshots"
)

// TestPagesAreCountedInOrder writes a column whose dictionary grows too large on the
// way, so that its pages are of two kinds, and counts them the other way round, as the
// library does in one of eight files: the bytes come out the same.
func TestPagesAreCountedInOrder(t *testing.T) {
	type row struct {
		Text string `col:"text"`
	}
	const rows = 60_000
	path := filepath.Join(t.TempDir(), "table.parquet")
	w, err := CreateFile[row](path, []snapshots.Column{{Name: "text", Type: snapshots.TypeText}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := w.Append(row{fmt.Sprintf("text number %d, which comes once", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	behind := len(want) - trailer
	begin := behind - int(binary.LittleEndian.Uint32(want[behind:]))
	footer, err := metadata.NewFileMetaData(want[begin:behind], nil)
	if err != nil {
		t.Fatal(err)
	}
	counts := footer.RowGroups[0].Columns[0].MetaData.EncodingStats
	if len(counts) != 3 {
		t.Fatalf("pages of %d kinds, want a dictionary's, and two of data", len(counts))
	}
	counts[1], counts[2] = counts[2], counts[1]
	other, err := footer.Serialize(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if other = append(other, want[behind:]...); bytes.Equal(other, want[begin:]) {
		t.Fatal("counted the other way round, the footer is the same")
	}
	if got, err := inOrder(other); err != nil || !bytes.Equal(got, want[begin:]) {
		t.Errorf("the footer is another one, %v", err)
	}
	back, err := ReadAll[row](path)
	if err != nil || len(back) != rows || back[rows-1].Text != "text number 59999, which comes once" {
		t.Fatalf("%d rows, %v", len(back), err)
	}
}

// TestNoFooter: what cannot be a footer is refused, and nothing is left as it is.
func TestNoFooter(t *testing.T) {
	if end, err := inOrder(nil); err != nil || len(end) != 0 {
		t.Errorf("%v, %v", end, err)
	}
	for _, end := range []string{"\xff\xff\x00\x00PAR1", "abcd\x04\x00\x00\x00PAR1"} {
		if _, err := inOrder([]byte(end)); err == nil {
			t.Errorf("%q is taken for a footer", end)
		}
	}
}
