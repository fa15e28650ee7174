package sheets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"labour/sources"
	"labour/sources/plaintext"
)

// Limits of a CSV file.
const (
	// maxLine is the size limit of one line, in bytes.
	maxLine = 1 << 20
	// maxRowLines is the maximum number of lines in one row. A row has several lines if a quoted cell
	// contains line breaks.
	maxRowLines = 100
	// sniffedLines is the number of lines from which the separator is detected.
	sniffedLines = 60
)

// separators are the characters that may separate cells, most common first.
const separators = ",;\t|"

// CSVReader reads CSV row by row. It detects the encoding, the line endings and the separator. A
// first line such as "sep=;" sets the separator. After a row with a broken quote, it can read later
// rows.
type CSVReader struct {
	// Separator is the character that separates the cells, such as a comma.
	Separator byte

	lines   *bufio.Scanner
	pending []string // lines that were read to detect the separator and not yet returned
	line    int      // number of lines of the file returned so far
	width   int      // number of cells in most rows; 0 if none of the first rows has several
	cut     bool     // whether the last line of the file has no line ending
}

// RowError is the error for a CSV row that cannot be split into cells. Later rows can still be
// read.
type RowError struct {
	Line, Cell int // position of the error, each counted from 1
	Problem    string
}

// Error returns the position and the cause of the error.
func (e *RowError) Error() string {
	return fmt.Sprintf("line %d, cell %d: %s", e.Line, e.Cell, e.Problem)
}

// NewCSV returns a CSVReader for r. An error has a sources.FaultCode.
func NewCSV(r io.Reader) (*CSVReader, error) {
	text, err := plaintext.NewUTF8Reader(r)
	if err != nil {
		return nil, err
	}
	c := &CSVReader{Separator: separators[0], lines: bufio.NewScanner(text)}
	c.lines.Buffer(make([]byte, 64<<10), maxLine)
	c.lines.Split(c.eachLine)
	for len(c.pending) < sniffedLines && c.lines.Scan() && c.lines.Err() == nil {
		c.pending = append(c.pending, c.lines.Text())
	}
	if len(c.pending) > 0 {
		if stated, ok := strings.CutPrefix(strings.ToLower(c.pending[0]), "sep="); ok && len(stated) == 1 {
			c.Separator = stated[0]
			c.pending = c.pending[1:]
			c.line = 1
			_, c.width = separatorOf(c.pending, string(c.Separator))
			return c, nil
		}
	}
	c.Separator, c.width = separatorOf(c.pending, separators)
	return c, nil
}

// eachLine is a bufio.SplitFunc that splits a text into lines. A line ends with a line feed, a
// carriage return or both. If the last line has no line ending, eachLine sets c.cut.
func (c *CSVReader) eachLine(data []byte, atEOF bool) (advance int, line []byte, err error) {
	end := bytes.IndexByte(data, '\n')
	whole := data
	if end >= 0 {
		whole = data[:end]
	}
	if cr := bytes.IndexByte(whole, '\r'); cr >= 0 {
		switch {
		case cr+1 < len(data) && data[cr+1] == '\n':
			return cr + 2, data[:cr], nil
		case cr+1 < len(data) || atEOF:
			return cr + 1, data[:cr], nil
		}
		return 0, nil, nil // it is not known yet whether a line feed follows
	}
	switch {
	case end >= 0:
		return end + 1, whole, nil
	case atEOF && len(data) > 0:
		c.cut = true
		return len(data), data, nil
	}
	return 0, nil, nil
}

// separatorOf returns the character of candidates that splits the most lines into the same number
// of cells. It also returns this number. If two characters split equally many lines, it prefers the
// one that gives more cells.
func separatorOf(lines []string, candidates string) (best byte, bestCells int) {
	best, bestLines := candidates[0], 0
	for _, sep := range []byte(candidates) {
		widths := map[int]int{}
		for _, line := range lines {
			if cells, state, _ := split(line, sep); state == rowEnded && len(cells) > 1 {
				widths[len(cells)]++
			}
		}
		for cells, n := range widths {
			if n > bestLines || n == bestLines && cells > bestCells {
				best = sep
				bestLines = n
				bestCells = cells
			}
		}
	}
	return best, bestCells
}

// Read returns the next row that is not blank, and its first line number, counted from 1. After a
// *RowError, the next row can be read. The error is io.EOF at the end of the file. Any other error
// has a sources.FaultCode.
func (c *CSVReader) Read() (cells []string, line int, err error) {
	text, ok, err := c.next()
	for ok && text == "" {
		text, ok, err = c.next()
	}
	if !ok {
		return nil, 0, err
	}
	line = c.line
	var more []string
	for {
		cells, state, cell := split(text, c.Separator)
		what := ""
		switch state {
		case rowEnded:
			if cell = c.swallowingCell(cells, len(more)); cell > 0 {
				what = "it contains other rows: its closing quote is missing, and the opening quote of another cell closed it"
			}
		case rowBroken:
			what = `a quote is inside the cell, or text after its closing quote; a cell with quotes is written "…""…"`
		case rowOpen:
			what = "the quote that opens the cell is never closed"
			if len(more) < maxRowLines && len(text) < maxLine {
				next, ok, err := c.next()
				if err != nil && err != io.EOF {
					return nil, line, err
				}
				if ok {
					more, text = append(more, next), text+"\n"+next
					continue
				}
			}
		}
		if what == "" {
			return cells, line, nil
		}
		c.pending, c.line = append(more, c.pending...), line
		return nil, line, &RowError{line, cell, what}
	}
}

// EndsWithoutNewline reports whether the last row read is at the end of the file and has no line
// ending. The file may then be truncated.
func (c *CSVReader) EndsWithoutNewline() bool {
	if len(c.pending) > 0 {
		return false
	}
	text, ok, _ := c.next()
	if ok {
		c.pending, c.line = append(c.pending, text), c.line-1
	}
	return !ok && c.cut
}

// next returns the next line of the file. If ok is false, err is io.EOF or the reason why reading
// must stop.
func (c *CSVReader) next() (text string, ok bool, err error) {
	switch {
	case len(c.pending) > 0:
		text, c.pending = c.pending[0], c.pending[1:]
	case c.lines.Scan() && c.lines.Err() == nil: // after an error the scanner returns the rest of a line
		text = c.lines.Text()
	default:
		err := c.lines.Err()
		if errors.Is(err, bufio.ErrTooLong) {
			err = sources.CodedErrorf(sources.FaultSchema,
				"line %d is longer than %d bytes: not the table that was expected", c.line+1, maxLine)
		}
		if err == nil {
			err = io.EOF
		}
		return "", false, err
	}
	c.line++
	return text, true, nil
}

// Possible results of splitting a text into the cells of a CSV row.
const (
	// rowEnded means that the text is a complete row.
	rowEnded = iota
	// rowOpen means that the text ends within a quoted cell, so the row continues on the next line.
	rowOpen
	// rowBroken means that the text has a quote where none is allowed.
	rowBroken
)

// split splits a CSV row into cells. sep is the separator of cells. state is rowEnded, rowOpen or
// rowBroken. If the row is open or broken, cell is the number of the invalid cell, counted from 1.
func split(text string, sep byte) (cells []string, state, cell int) {
	if strings.IndexByte(text, '"') < 0 {
		return strings.Split(text, string(sep)), rowEnded, 0
	}
	for {
		value, rest, state := cellOf(text, sep)
		cells = append(cells, value)
		switch {
		case state != rowEnded:
			return nil, state, len(cells)
		case rest == "":
			return cells, rowEnded, 0
		}
		if text = rest[1:]; text == "" {
			return append(cells, ""), rowEnded, 0
		}
	}
}

// cellOf returns the first cell of a CSV row and the rest of the row from the separator on. state
// is rowEnded if the cell is complete, and otherwise rowOpen or rowBroken.
func cellOf(text string, sep byte) (value, rest string, state int) {
	if text == "" || text[0] != '"' {
		end := strings.IndexByte(text, sep)
		if end < 0 {
			end = len(text)
		}
		value, rest = text[:end], text[end:]
		formula := strings.HasPrefix(value, `="`) && strings.Count(value, `"`) == 2 && strings.HasSuffix(value, `"`)
		if strings.IndexByte(value, '"') >= 0 && !formula { // ="13-2011" keeps a spreadsheet from reading a code as a date
			return "", "", rowBroken
		}
		return value, rest, rowEnded
	}
	var b strings.Builder
	for text = text[1:]; ; {
		end := strings.IndexByte(text, '"')
		if end < 0 {
			return "", "", rowOpen
		}
		b.WriteString(text[:end])
		switch text = text[end+1:]; {
		case text == "" || text[0] == sep:
			return b.String(), text, rowEnded
		case text[0] != '"':
			return "", "", rowBroken
		}
		b.WriteByte('"')
		text = text[1:]
	}
}

// swallowingCell finds a cell that probably contains further rows, because its closing quote is
// missing. It returns the number of the cell, counted from 1, or 0 if there is none. more is the
// number of lines of the row after its first.
func (c *CSVReader) swallowingCell(cells []string, more int) int {
	if more == 0 || c.width == 0 {
		return 0
	}
	for i, cell := range cells {
		if !strings.Contains(cell, "\n") {
			continue
		}
		if len(cells) != c.width {
			return i + 1
		}
		for line := range strings.Lines(cell) {
			if strings.Count(line, string(c.Separator)) >= c.width-1 {
				return i + 1
			}
		}
	}
	return 0
}
