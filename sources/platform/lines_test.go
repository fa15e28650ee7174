package platform

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"labour/sources"

	"pgregory.net/rapid"
)

// TestCutter cuts files of lines around every bound, written in blocks of any size: the
// lines are those between line feeds, and one over the bound is named in its place.
func TestCutter(t *testing.T) {
	edges := []int{0, 1, 7, chunkBytes - 2, chunkBytes - 1, chunkBytes, chunkBytes + 1, maxLine - 1, maxLine,
		maxLine + 1, 2*maxLine + 5}
	const tooLong = "too long"
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.SampledFrom(edges), 0, 9).Draw(t, "lengths")
		block := rapid.SampledFrom([]int{4 << 10, 100_001, chunkBytes, 3 << 20}).Draw(t, "block")
		var want, got, lines []string
		for i, n := range lengths {
			line := strings.Repeat(string(rune('a'+i)), n)
			lines = append(lines, line)
			if n > maxLine {
				line = tooLong
			}
			want = append(want, line)
		}
		plain := strings.Join(lines, "\n")
		if len(want) > 0 && want[len(want)-1] == "" {
			want = want[:len(want)-1] // nothing follows the last line feed
		}
		c := cutter{yield: func(x *chunk) bool {
			if x.text != "" {
				got = append(got, strings.Split(strings.TrimSuffix(x.text, "\n"), "\n")...)
			}
			if x.nextFault != nil {
				got = append(got, tooLong)
			}
			return true
		}}
		rest, err := c.lines(bufio.NewReaderSize(blocks{strings.NewReader(plain), block}, maxLine+1))
		if err == nil {
			err = c.pass(rest, nil)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%d lines of %d bytes in blocks of %d were cut into %d: %v", len(want), len(plain), block,
				len(got), err)
		}
	})
}

// blocks gives no more than so many bytes at once.
type blocks struct {
	r io.Reader
	n int
}

func (b blocks) Read(p []byte) (int, error) { return b.r.Read(p[:min(len(p), b.n)]) }

// TestTornLastLine holds that a last line without an end that is no JSON is a file that breaks
// off: the records after it are not known. A line that is only wrong is refused alone.
func TestTornLastLine(t *testing.T) {
	for _, c := range []struct {
		file string
		want sources.FaultCode // of the last fault; empty = none
	}{
		{good, ""}, {good + "\n" + good[:30], sources.FaultTruncated}, {good + "\n\x00\x00\x00", sources.FaultTruncated},
		{good + "\n" + good[:30] + "\n", sources.FaultNotJSON}, {good + "\n{}", sources.FaultSchema}, {good + "  ", ""},
	} {
		_, faults := collect(t, "boroughs.ndjson", c.file)
		var last sources.FaultCode
		if len(faults) > 0 {
			last = faults[len(faults)-1].Code
		}
		if last != c.want {
			t.Errorf("%q: %+v, want %q", c.file, faults, c.want)
		}
	}
}

// TestByteOrderMark holds that the mark of an editor is no part of the first line, and that it is one
// anywhere else.
func TestByteOrderMark(t *testing.T) {
	for _, c := range []struct {
		file          string
		taken, faults int
	}{
		{"\ufeff" + good + "\n", 1, 0}, {good + "\n\ufeff" + good + "\n", 1, 1}, {"\ufeff", 0, 0},
		{"\ufeff\ufeff" + good + "\n", 0, 1},
	} {
		records, faults := collect(t, "boroughs.ndjson", c.file)
		if len(records) != c.taken || len(faults) != c.faults {
			t.Errorf("%q: %d records, %+v", c.file, len(records), faults)
		}
	}
}

// TestUTF16IsNamed: of a file in UTF-16, in which no line is JSON, the encoding is the one fault.
func TestUTF16IsNamed(t *testing.T) {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		file := mark + strings.Join(strings.Split(good, ""), "\x00") + "\x00\n\x00"
		records, faults := collect(t, "boroughs.ndjson", file)
		if len(records) != 0 || len(faults) != 1 || faults[0].Code != sources.FaultTruncated ||
			!strings.Contains(faults[0].Detail, "is in UTF-16; export it in UTF-8") {
			t.Errorf("%x: %d records, %+v", mark, len(records), faults)
		}
	}
}

// TestWindowsOfZstandard holds that a compressed file may ask for 128 MiB of memory and for no more.
func TestWindowsOfZstandard(t *testing.T) {
	text := good + "\n"
	frame := func(window byte) string {
		head := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, window}
		size := len(text)<<3 | 1 // one plain block, which is the last
		return string(append(head, byte(size), byte(size>>8), byte(size>>16))) + text
	}
	for window, want := range map[byte]int{17 << 3: 1, 17<<3 | 1: 0} { // 2^(10+17) bytes, and an eighth more
		records, faults := collect(t, "boroughs.ndjson.zst", frame(window))
		if len(records) != want || len(faults) != 1-want {
			t.Errorf("window %#x: %d records, %+v", window, len(records), faults)
		}
	}
}

// TestNothingIsCutForAReceiverThatStopped holds that a file is not read on once its receiver wants no
// more, whether its last line is whole or not.
func TestNothingIsCutForAReceiverThatStopped(t *testing.T) {
	for _, text := range []string{good, good + "\n", good + "\n" + second, strings.Repeat(good+"\n", 20_000)} {
		passed := 0
		c := cutter{object: sources.ArchivedObject{Name: "boroughs.ndjson"}, kind: KindBoroughs,
			yield: func(*chunk) bool { passed++; return false }}
		if err := c.cut(memory{"boroughs.ndjson": text}); !errors.Is(err, errStopped) || passed != 1 {
			t.Errorf("%d bytes: %d chunks are passed on, %v", len(text), passed, err)
		}
	}
}

// TestLongestLineOfAFile is read, and one that is a byte longer is a fault; the lines around them are read.
func TestLongestLineOfAFile(t *testing.T) {
	for length, want := range map[int]int{maxLine - 1: 3, maxLine: 3, maxLine + 1: 2} {
		const last = `{"slug":"bexley","name":"Bexley","code":"E09000004"}`
		lines := []string{second, good + strings.Repeat(" ", length-len(good)), last, ""}
		records, faults := collect(t, "boroughs.ndjson", strings.Join(lines, "\n"))
		if len(records) != want || len(faults) != 3-want {
			t.Errorf("a line of %d bytes: %d records, %+v; want %d", length, len(records), faults, want)
		}
	}
}
