package dfeapprenticeships

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/sheets"
)

const (
	// maxTable is the size limit of a decompressed data file, in bytes. It guards against small
	// files that expand without end. The largest known file has less than 1 GiB.
	maxTable = 8 << 30
	// maxRows is the maximum number of figures kept from one file. About 100,000 are expected: one
	// for each council, subject and year.
	maxRows = 2_000_000
	// maxFaults is the maximum number of faults in a data file, 5 per cent of maxRows. A file with more
	// is rejected.
	maxFaults = 100_000
)

// table reads the data file of one data set and collects its figures and faults.
type table struct {
	plan
	d              DataSet
	covers         string
	publicationDay sources.Date // day of publication; the zero Date if not known
	csv            *sheets.CSVReader
	rowCount       int // number of rows read, without the header
	at             int // line number of the last row that was read
	rows           []sources.Statistic
	place          map[figureKey]int  // index in rows of each figure, by the figure's key
	skipCounts     map[skipReason]int // number of rows skipped, by reason
	faults         []sources.Fault
	brokenRows     int // number of rows that do not fit the columns of the header
	faultyRows     int // number of other rows that cannot be used; the filters let all of them through
	// faultyOfLevel is the number of these rows by geographic level.
	faultyOfLevel map[string]int
	// numbers of rows for a part of the learners, and of all other rows, by period and level
	breakdowns, totals map[periodLevel]int
	// isRejected is true if the whole file is rejected. faults gives the reason.
	isRejected bool
}

// skipReason says why a valid row is not used, for example because it is a breakdown by age.
type skipReason string

func (p skipReason) Error() string { return string(p) }

const (
	skippedAsBreakdown skipReason = "for a part of the learners"
	skippedForLevel    skipReason = "for an area of a kind that is not asked for"
	// skippedWithoutArea is for rows whose area is "Outside of England and unknown".
	skippedWithoutArea skipReason = "for no area"
	skippedAsRepeated  skipReason = "there before"
)

// scan reads body, the data file of the data set d, and returns its figures and faults. r is the
// publisher's description of the data set. A rejected file has no figures.
func scan(body io.Reader, d DataSet, r release) *table {
	t := openTable(body, d, r)
	for !t.isRejected && t.next() {
	}
	t.checkComplete(r.Latest.RowCount)
	t.boundFaultyRows()
	if t.isRejected {
		t.rows = nil
		return t
	}
	t.checkTotals()
	return t
}

// next reads the next row of the file. It returns false at the end of the file or if it rejects the
// file.
func (t *table) next() bool {
	row, line, err := t.csv.Read()
	var broken *sheets.RowError
	isIncomplete := errors.As(err, &broken) || err == nil && len(row) < t.width
	switch {
	case err == io.EOF:
		return false
	case isIncomplete && t.csv.EndsWithoutNewline():
		t.reject(sources.CodedErrorf(sources.FaultSchema, "the file breaks off in its last line"))
		return false
	case errors.As(err, &broken):
		t.rowCount, t.at = t.rowCount+1, broken.Line
		t.faultyRow("", sources.WithFaultCode(sources.FaultBrokenRow, err))
		return true
	case err != nil:
		t.reject(err)
		return false
	}
	t.rowCount, t.at = t.rowCount+1, line
	st, err := t.row(row)
	if err == nil {
		err = t.add(st)
	}
	if reason, ok := err.(skipReason); ok {
		t.skipCounts[reason]++
	} else if err != nil {
		t.faultyRow(t.levelOf(row), err)
	}
	return true
}

// levelOf returns the geographic level of a row, or "" if the row is too short to have one.
func (t *table) levelOf(row []string) string {
	if t.level >= len(row) {
		return ""
	}
	return sheets.CleanText(row[t.level])
}

// openTable reads the header of body, the data file of the data set d. It rejects the file if the
// header, or the publisher's description r, does not fit the configuration.
func openTable(body io.Reader, d DataSet, r release) *table {
	t := &table{d: d, publicationDay: sources.LocalDateOf(r.Latest.Published), place: map[figureKey]int{},
		skipCounts: map[skipReason]int{}, faultyOfLevel: map[string]int{}, breakdowns: map[periodLevel]int{},
		totals: map[periodLevel]int{}}
	var err error
	t.covers, err = r.covers(d.CoveredPeriod)
	if err = errors.Join(err, r.measures(d)); err != nil {
		t.refuse("description", sources.WithFaultCode(sources.FaultSchema, err))
		return t
	}
	plain, err := unpack(body)
	if err != nil {
		t.refuse("", sources.WithFaultCode(sources.FaultWrongFormat, err))
		return t
	}
	var header []string
	if t.csv, err = sheets.NewCSV(plain); err == nil {
		header, _, err = t.csv.Read()
	}
	if err != nil {
		t.reject(err)
		return t
	}
	t.findColumns(header)
	return t
}

// refuse rejects the data file and adds the reason err as its last fault. where is the position of
// the fault, or "".
func (t *table) refuse(where string, err error) {
	t.isRejected = true
	t.fault(where, err)
}

// fault records a fault of the file. where is the position of the fault, such as "line 7". If err has
// no code, the fault has the code sources.FaultBadValue.
func (t *table) fault(where string, err error) {
	code := sources.FaultBadValue
	if coded := (*sources.CodedError)(nil); errors.As(err, &coded) {
		code = coded.Code
	}
	t.faults = append(t.faults, sources.Fault{Where: where, Code: code, Detail: err.Error()})
}

// reject rejects a file that cannot be read to its end, for example because it is damaged.
func (t *table) reject(err error) {
	var header *sheets.RowError
	var coded *sources.CodedError
	switch {
	case errors.As(err, &header):
		t.refuse(fmt.Sprintf("line %d", header.Line), sources.CodedErrorf(sources.FaultBrokenRow,
			"the header is broken: %w", err))
	case errors.As(err, &coded):
		t.refuse("", err)
	case err == io.EOF:
		t.refuse("", sources.CodedErrorf(sources.FaultWrongFormat, "the file has no header"))
	default:
		t.refuse("", sources.CodedErrorf(sources.FaultWrongFormat,
			"the compressed file is cut off or damaged: fetch it again"))
	}
}

// unpack decompresses a file that begins like gzip, whatever its content type. A file that is not a
// CSV table is an error.
func unpack(body io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(body, 64<<10)
	if head, _ := b.Peek(2); string(head) == "\x1f\x8b" {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("the file begins like gzip and is not: %w", err)
		}
		b = bufio.NewReaderSize(sources.BoundedReader(z, maxTable), 256<<10)
	}
	head, err := b.Peek(512)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read the beginning: %w", err)
	}
	text := strings.TrimSpace(strings.TrimPrefix(string(head), "\ufeff"))
	if text == "" {
		return nil, errors.New("the file is empty")
	}
	if text[0] == '<' || text[0] == '{' {
		return nil, errors.New("the file is not a CSV table: it begins like HTML, XML or JSON")
	}
	return b, nil
}

// row converts a row of the file to a figure. The error is a skipReason if the row is valid but not
// needed.
func (t *table) row(row []string) (st sources.Statistic, err error) {
	if len(row) != t.width {
		return st, sources.CodedErrorf(sources.FaultBrokenRow, "the row has %d cells and the header %d", len(row), t.width)
	}
	at := periodLevel{sheets.CleanText(row[t.period]), sheets.CleanText(row[t.level])}
	for _, f := range t.filters {
		if sheets.CleanText(row[f.column]) != f.value {
			t.breakdowns[at]++
			return st, skippedAsBreakdown
		}
	}
	t.totals[at]++
	if err := t.where(row, at.level, &st); err != nil {
		return st, err
	}
	sp, err := t.when(row, at.period)
	if err != nil {
		return st, err
	}
	st.Source = Key
	st.Metric = t.d.Metric
	st.Country = "GB"
	st.Published = t.publicationDay
	st.PeriodStart = sp.start
	st.PeriodEnd = sp.end
	st.Series = t.basis + ", " + sp.covers + t.filterText
	if st.Value, st.Symbol, err = figure(row[t.value], t.d.MeaningOfLow); err != nil {
		return st, err
	}
	st.SubjectArea = rollUp
	if t.subject >= 0 {
		st.SubjectArea = strings.Clone(subjectArea(row[t.subject]))
	}
	if st.SubjectArea == "" {
		return st, errors.New("the row names no subject")
	}
	return st, nil
}

// where sets the region's code, name and level in st from a row of the file. level is the geographic
// level of the row.
func (t *table) where(row []string, level string, st *sources.Statistic) error {
	k, known := columns.PlaceKinds[level]
	switch {
	case !known && slices.Contains(columns.OtherLevels, level):
		return skippedForLevel
	case !known:
		return fmt.Errorf("geographic_level %.60q is unknown", level)
	}
	at, known := t.places[level]
	if !known {
		return sources.CodedErrorf(sources.FaultColumnMissing, "the level %q has no column %s", level, k.Code)
	}
	// "unknown area = code `x` or `z`, name `Outside of England and unknown`".
	code, name := sheets.ParseCode(row[at[0]]), ""
	if at[1] >= 0 {
		name = sheets.CleanText(row[at[1]])
	}
	isUnknown := code == "" && strings.Contains(strings.ToLower(name), "unknown")
	if isUnknown || slices.Contains([]string{"x", "z"}, strings.ToLower(code)) {
		return skippedWithoutArea
	}
	if !k.Shape.MatchString(code) {
		return fmt.Errorf("%.40q is not the code of a %s", code, k.Kind)
	}
	st.RegionCode, st.RegionKind = strings.Clone(code), k.Kind
	st.RegionName = strings.Clone(name)
	return nil
}

// when returns the period of a row. years is its name in the row, such as "202425". A period that
// ends after the publication date is an error, because it is not complete.
func (t *table) when(row []string, years string) (span, error) {
	sp, err := period(years, row[t.identifier], t.covers)
	if err == nil && !t.publicationDay.IsZero() && t.publicationDay.Before(sp.end) {
		err = sources.CodedErrorf(sources.FaultSchema,
			"the period %s ends on %s, after the figures were published on %s; set `covers`", years, sp.end,
			t.publicationDay)
	}
	return sp, err
}

// add stores a figure, or returns skippedAsRepeated if one with the same key is stored already. A
// published figure replaces an unpublished one.
//
// add rejects the file if two published figures with the same key differ. It also rejects a file
// with more than maxRows figures.
func (t *table) add(st sources.Statistic) error {
	key := keyOf(st)
	i, there := t.place[key]
	if !there && len(t.rows) < maxRows {
		t.place[key] = len(t.rows)
		t.rows = append(t.rows, st)
		return nil
	}
	if !there {
		t.isRejected = true
		return sources.CodedErrorf(sources.FaultSchema, "the file holds more than %d figures that are not a breakdown",
			maxRows)
	}
	old := &t.rows[i]
	switch {
	case old.Value == st.Value && old.Symbol == st.Symbol, st.Symbol == sources.SymbolNotPublished:
	case old.Symbol == sources.SymbolNotPublished:
		old.Value, old.Symbol = st.Value, st.Symbol
	default:
		t.isRejected = true
		return sources.CodedErrorf(sources.FaultSchema,
			"two different figures for %s, %q, %s to %s: a breakdown was not recognised",
			st.RegionCode, st.SubjectArea, st.PeriodStart, st.PeriodEnd)
	}
	return skippedAsRepeated
}
