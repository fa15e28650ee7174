package blsprojections

import (
	"bytes"
	"context"
	"testing"

	"labour/sources"
	"labour/sources/sourcetest"
)

// BenchmarkParse reads a table of the size of an edition, and words its evidence.
func BenchmarkParse(b *testing.B) {
	head, row, _ := bytes.Cut([]byte(sourcetest.ReadSample(b, "tool.csv")), []byte("\n"))
	text := bytes.Clone(append(head, '\n'))
	for i := range 832 {
		line := bytes.ReplaceAll(row[:bytes.IndexByte(row, '\n')+1], []byte("43-1000"),
			[]byte{'4', '3', '-', '1', byte('0' + i/100%10), byte('0' + i/10%10), byte('0' + i%10)})
		text = append(text, line...)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		rows, _, err := parse(context.Background(), text, "")
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range rows {
			r.evidence(sources.Date{})
		}
	}
}
