package dfeapprenticeships

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"labour/sources"
)

// maxTable bounds a file after decompression, against a small file that unpacks
// without end. The largest file known has 5.9 million cells, under 1 GiB.
const maxTable = 8 << 30

// maxRows bounds the rows that are kept of one file: councils × subjects × years is some 100,000.
const maxRows = 2_000_000

// errRefused says that a file is not used; the faults say why.
var errRefused = errors.New("the file is not used")

// Tally says what became of the rows of one file.
type Tally struct {
	Rows int // rows of the file, without the header
	Used int // rows that became a figure
	// Skipped counts the rows that were passed over on purpose, by reason: "breakdown" (a filter is
	// not Total), "other_level" (a geography that is not asked for), "unknown_area" ("Outside of
	// England and unknown"), "same_figure" (the figure was there already).
	Skipped map[string]int
}

func (t *Tally) skip(reason string) { t.Skipped[reason]++ }

// passedOver lists the reasons in words.
func (t *Tally) passedOver() string {
	words := map[string]string{"breakdown": "for a part of the learners", "other_level": "for an area of a kind that is not asked for",
		"unknown_area": "for no area", "same_figure": "there before"}
	var all []string
	for _, reason := range slices.Sorted(maps.Keys(t.Skipped)) {
		all = append(all, fmt.Sprintf("%d %s", t.Skipped[reason], words[reason]))
	}
	return strings.Join(all, ", ")
}

// reporter takes a fault of a file.
type reporter func(code sources.FaultCode, where, detail string)

type table struct {
	d      DataSet
	plan   plan
	covers string
	until  sources.Date // day of publication; zero = not known
	report reporter
	tally  Tally
	rows   []sources.Statistic
	place  map[rowKey]int
	spans  map[[2]string]span
	faults map[sources.FaultCode]int
}

// rowKey is what makes a figure of one file one.
type rowKey struct {
	region, subject string
	start, end      sources.Date
	series          string
}

// scan reads a file to its end and returns its figures in the order of the file.
// Nothing is returned before the last byte was read, so that of a damaged file
// nothing is used. The faults were reported when the error is errRefused.
func scan(body io.Reader, d DataSet, r release, report reporter) ([]sources.Statistic, Tally, error) {
	t := &table{d: d, until: r.published(), tally: Tally{Skipped: map[string]int{}}, place: map[rowKey]int{},
		spans: map[[2]string]span{}, faults: map[sources.FaultCode]int{}}
	t.report = t.capped(report)
	var err error
	t.covers, err = r.covers(d.Covers)
	if err = errors.Join(err, r.measures(d)); err != nil {
		report(sources.FaultSchema, "description", err.Error())
		return nil, t.tally, errRefused
	}
	plain, err := unpack(body)
	switch {
	case sources.CodeOf(err) == sources.FaultDamaged:
		return nil, t.tally, err
	case err != nil:
		report(sources.FaultNotExpected, "", err.Error())
		return nil, t.tally, errRefused
	}
	if err := t.read(plain); err != nil {
		return nil, t.tally, err
	}
	t.flush(report)
	if t.tally.Used = len(t.rows); t.tally.Used == 0 && len(t.faults) == 0 {
		report(sources.FaultEmpty, "", fmt.Sprintf("of %d rows none is a figure that is asked for: %s", t.tally.Rows, t.tally.passedOver()))
	}
	return t.rows, t.tally, nil
}

// unpack decompresses a file when it is compressed, whatever its content type says.
func unpack(body io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(body, 64<<10)
	head, err := peek(b)
	if err != nil {
		return nil, err
	}
	if len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("the file begins like gzip and is not: %w", err)
		}
		b = bufio.NewReaderSize(sources.Bounded(z, maxTable), 256<<10)
		if head, err = peek(b); err != nil {
			return nil, err
		}
	}
	if err := notCSV(head); err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(head), "\ufeff") {
		if _, err := b.Discard(len("\ufeff")); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// peek is the first bytes, fewer when there are fewer.
func peek(b *bufio.Reader) ([]byte, error) {
	head, err := b.Peek(512)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read the beginning: %w", err)
	}
	return head, nil
}

// newReader reads rows of any width; the width is checked against the header.
func newReader(plain io.Reader) *csv.Reader {
	c := csv.NewReader(plain)
	c.ReuseRecord = true
	c.FieldsPerRecord = -1
	return c
}

// notCSV says that something else came in the place of a table.
func notCSV(head []byte) error {
	s := strings.TrimSpace(strings.TrimPrefix(string(head), "\ufeff"))
	switch {
	case s == "":
		return errors.New("the file is empty")
	case s[0] == '<' || s[0] == '{':
		return errors.New("the file is not a CSV table: it begins like HTML, XML or JSON")
	}
	return nil
}

// read takes the header and every row.
func (t *table) read(plain io.Reader) error {
	c := newReader(plain)
	header, err := c.Read()
	if err != nil {
		return t.broken(err)
	}
	var faults []columnFault
	if t.plan, faults = planFor(header, t.d); len(faults) > 0 {
		for _, f := range faults {
			t.report(f.code, "column "+f.column, f.detail)
		}
		return errRefused
	}
	for {
		row, err := c.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return t.broken(err)
		}
		t.tally.Rows++
		if err := t.row(c, row); err != nil {
			return err
		}
	}
}

// broken turns a fault of the CSV syntax into a refused file and hands on every
// other error (a damaged archive, a read error).
func (t *table) broken(err error) error {
	var syntax *csv.ParseError
	switch {
	case errors.As(err, &syntax):
		t.report(sources.FaultSchema, fmt.Sprintf("line %d", syntax.Line), "the table is broken here: "+syntax.Err.Error())
		return errRefused
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, io.ErrUnexpectedEOF):
		t.report(sources.FaultNotExpected, "", "the compressed file is cut off or damaged: fetch it again")
		return errRefused
	case errors.Is(err, io.EOF):
		t.report(sources.FaultNotExpected, "", "the file has no header")
		return errRefused
	}
	return fmt.Errorf("read table: %w", err)
}

// capped reports the first faults of each kind and counts the others, so that a
// file of a million bad rows does not fill the report.
func (t *table) capped(report reporter) reporter {
	return func(code sources.FaultCode, where, detail string) {
		t.faults[code]++
		if t.faults[code] <= maxFaults {
			report(code, where, detail)
		}
	}
}

const maxFaults = 20

// flush says how many faults were counted and not reported.
func (t *table) flush(report reporter) {
	for _, code := range slices.Sorted(maps.Keys(t.faults)) {
		if n := t.faults[code] - maxFaults; n > 0 {
			report(code, "", fmt.Sprintf("and %d more like the %d before", n, maxFaults))
		}
	}
}
