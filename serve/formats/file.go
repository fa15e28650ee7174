package formats

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// The keys of a Parquet file's metadata, beside snapshots.MetaLicence,
// snapshots.MetaAttribution and snapshots.MetaColumn, which mean the same here as
// in the tables of a snapshot.
const (
	MetaEndpoint = "labour.endpoint"           // path of the endpoint that answered
	MetaNotice   = "labour.attribution_notice" // the attribution rule
	MetaSources  = "labour.sources"            // JSON: the sources, as in the envelope
	MetaAnswer   = "labour.meta"               // JSON: the metadata of the answer, as in the envelope
)

// File is one answer.
type File[R any] struct {
	Endpoint string // path
	Rows     []R
	Sources  []api.Source // of the rows
	Meta     any          // the metadata of the answer
	Address  string       // where it was had; a workbook says so
}

func (l *Layout[R]) cells(f File[R]) func(row, column int) parquetio.Value {
	statements := l.statements(f)
	return func(row, column int) parquetio.Value {
		if column == len(l.columns) {
			return parquetio.Value{Text: statements[row]}
		}
		c := &l.columns[column]
		return c.value(reflect.ValueOf(&f.Rows[row]).Elem().FieldByIndex(c.index))
	}
}

// statements are the statements of each row: those of the sources that the row
// names, and of the sources of the answer that no row names, since they stand
// behind the whole of it (the adverts that a skill's share is made of, say).
func (l *Layout[R]) statements(f File[R]) []string {
	if l.own {
		return nil
	}
	keys, named := make([][]string, len(f.Rows)), map[string]bool{}
	for i := range f.Rows {
		keys[i] = l.keys(&f.Rows[i])
		for _, k := range keys[i] {
			named[k] = true
		}
	}
	out := make([]string, len(f.Rows))
	for i := range out {
		var texts []string
		for _, s := range f.Sources {
			if (!named[s.Key] || slices.Contains(keys[i], s.Key)) && !slices.Contains(texts, s.AttributionStatement) {
				texts = append(texts, s.AttributionStatement)
			}
		}
		out[i] = strings.Join(texts, " ")
	}
	return out
}

// keys are the sources that a row names.
func (l *Layout[R]) keys(row *R) []string {
	var keys []string
	for _, c := range l.columns {
		if c.Name == "source_key" || c.Name == "pointing_sources" {
			keys = append(keys, strings.Split(c.value(reflect.ValueOf(row).Elem().FieldByIndex(c.index)).Text, ",")...)
		}
	}
	return keys
}

// Parquet writes a file as Parquet.
func (l *Layout[R]) Parquet(w io.Writer, f File[R]) error {
	meta, err := l.metadata(f)
	if err != nil {
		return fmt.Errorf("metadata of %s: %w", f.Endpoint, err)
	}
	return parquetio.Encode(w, l.Columns(), meta, len(f.Rows), l.cells(f))
}

func (l *Layout[R]) metadata(f File[R]) (map[string]string, error) {
	var licences, statements []string
	for _, s := range f.Sources {
		licences, statements = append(licences, s.Licence), append(statements, s.AttributionStatement)
	}
	meta := map[string]string{
		MetaEndpoint: f.Endpoint, MetaNotice: api.AttributionNotice,
		snapshots.MetaLicence: lines(licences), snapshots.MetaAttribution: lines(statements),
	}
	for key, v := range map[string]any{MetaSources: f.Sources, MetaAnswer: f.Meta} {
		var text strings.Builder
		j := json.NewEncoder(&text)
		j.SetEscapeHTML(false)
		if err := j.Encode(v); err != nil {
			return nil, err
		}
		meta[key] = strings.TrimSuffix(text.String(), "\n")
	}
	for _, c := range l.Columns() {
		meta[snapshots.MetaColumn+c.Name] = c.Doc
	}
	return meta, nil
}

// lines joins the different texts, sorted, as the tables of a snapshot do.
func lines(texts []string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "\n")
}

// CSV writes a file as CSV.
func (l *Layout[R]) CSV(w io.Writer, f File[R]) error {
	columns, value, out := l.Columns(), l.cells(f), csv.NewWriter(w)
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = c.Name
	}
	err := out.Write(line)
	for row := 0; row < len(f.Rows) && err == nil; row++ {
		for i, c := range columns {
			line[i] = cell(c, value(row, i))
		}
		err = out.Write(line)
	}
	out.Flush()
	if err := errors.Join(err, out.Error()); err != nil {
		return fmt.Errorf("write %s as CSV: %w", f.Endpoint, err)
	}
	return nil
}

// cell writes one value. An empty cell is null, and nothing else in a column that
// can be null; a count of 1 to 4 people is null with the text that JSON has.
func cell(c snapshots.Column, v parquetio.Value) string {
	if v.Null {
		return v.Text
	}
	switch c.Type {
	case snapshots.Text:
		if v.Text == "" && c.Nullable {
			return guard
		}
		return Guarded(v.Text)
	case snapshots.Bool:
		return strconv.FormatBool(v.Int != 0)
	case snapshots.Day:
		return time.Unix(v.Int*secondsPerDay, 0).UTC().Format(time.DateOnly)
	case snapshots.Timestamp:
		return time.UnixMicro(v.Int).UTC().Format(time.RFC3339)
	case snapshots.Float64:
		return v.Text
	}
	return strconv.FormatInt(v.Int, 10)
}

// guard goes in front of a text that a spreadsheet would take for a formula.
const guard = "'"

// Guarded puts the guard in front of a text that begins with what spreadsheets take
// for a formula (the list is OWASP's), or with a guard itself.
func Guarded(text string) string {
	for _, start := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", guard} {
		if strings.HasPrefix(text, start) {
			return guard + text
		}
	}
	return text
}
