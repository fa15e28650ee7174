package formats

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// Keys that this package adds to the key-value metadata of a Parquet file.
const (
	// MetaEndpoint is the metadata key for the path of the API endpoint, such as /v1/labour/places.
	MetaEndpoint = "labour.endpoint"
	// MetaAttributionNotice is the metadata key for the text that explains how to attribute the
	// data.
	MetaAttributionNotice = "labour.attribution_notice"
	// MetaSources is the metadata key for the data sources of the rows, in JSON.
	MetaSources = "labour.sources"
	// MetaResponse is the metadata key for the "meta" object of the API response, in JSON.
	MetaResponse = "labour.meta"
)

// Response is an API response that is written as a CSV, Parquet or Excel file. R is the type of a
// row.
type Response[R any] struct {
	Endpoint     string // path of the API endpoint, such as /v1/labour/places
	Rows         []R
	Sources      []api.Source // sources of the figures in the rows
	ResponseMeta any          // "meta" object of the JSON response
	ResponseURL  string       // URL of the response; a workbook shows it
}

// row maps the column names of one row to JSON values. Numbers are of type json.Number, so that
// they keep their digits. A field that JSON omits is missing.
type row map[string]any

// rows converts the rows of a response to maps from column names to values. It adds a status to
// each count of people. It adds the attribution statements of the sources, unless the rows already
// have attribution statements.
func (l *Layout[R]) rows(f Response[R]) ([]row, error) {
	text, err := json.Marshal(f.Rows)
	if err != nil {
		return nil, err
	}
	read := json.NewDecoder(bytes.NewReader(text))
	read.UseNumber()
	var rows []row
	if err := read.Decode(&rows); err != nil {
		return nil, err
	}
	for _, r := range rows {
		r.flatten("", r)
		for _, c := range l.Columns {
			if base, ok := strings.CutSuffix(c.Name, statusEnding); ok {
				r[c.Name] = statusOf(r[base])
			}
		}
	}
	if !l.own {
		addStatements(rows, f.Sources)
	}
	return rows, nil
}

func (r row) flatten(prefix string, object map[string]any) {
	for name, v := range object {
		switch v := v.(type) {
		case map[string]any:
			r.flatten(prefix+name+"_", v)
		case []any: // keys contain no spaces
			r[prefix+name] = strings.ReplaceAll(strings.Trim(fmt.Sprint(v), "[]"), " ", ",")
		default:
			r[prefix+name] = v
		}
	}
}

// statusOf returns the status for the JSON value of a count of people. The status is "number",
// "under_5" for "<5", or "not_published" for null.
func statusOf(count any) string {
	switch count {
	case nil:
		return "not_published"
	case figure.UnderFiveText:
		return string(figure.StatusUnderFive)
	}
	return string(figure.StatusNumber)
}

// addStatements adds to each row the attribution statements of its sources. A source that no row
// names applies to all rows.
func addStatements(rows []row, sources []api.Source) {
	keys, named := make([][]string, len(rows)), map[string]bool{}
	for i, r := range rows {
		for _, column := range []string{"source_key", "pointing_sources"} {
			text, _ := r[column].(string)
			keys[i] = append(keys[i], strings.Split(text, ",")...)
		}
		for _, k := range keys[i] {
			named[k] = true
		}
	}
	for i, r := range rows {
		var texts []string
		for _, s := range sources {
			if (!named[s.Key] || slices.Contains(keys[i], s.Key)) && !slices.Contains(texts, s.AttributionStatement) {
				texts = append(texts, s.AttributionStatement)
			}
		}
		r[attribution] = strings.Join(texts, " ")
	}
}

// WriteParquet writes the rows of an API response as a Parquet file.
func (l *Layout[R]) WriteParquet(w io.Writer, f Response[R]) error {
	rows, err := l.rows(f)
	if err != nil {
		return fmt.Errorf("rows of %s: %w", f.Endpoint, err)
	}
	meta, err := l.metadata(f)
	if err != nil {
		return fmt.Errorf("metadata of %s: %w", f.Endpoint, err)
	}
	return parquetio.EncodeRows(w, l.Columns, meta, len(rows), func(row, column int) parquetio.Value {
		return valueOf(l.Columns[column], rows[row][l.Columns[column].Name])
	})
}

// valueOf converts a JSON value to the type of its Parquet column. It does not validate the value,
// because this program wrote the JSON.
func valueOf(c snapshots.Column, value any) (v parquetio.Value) {
	switch value := value.(type) {
	case nil:
		v.IsNull = c.Nullable
	case bool:
		v.Int = map[bool]int64{true: 1}[value]
	case json.Number:
		v.Int, _ = value.Int64()
		v.Float, _ = value.Float64()
	case string:
		switch c.Type {
		case snapshots.TypeText:
			v.Text = value
		case snapshots.TypeDay:
			at, _ := time.Parse(time.DateOnly, value)
			v.Int = at.Unix() / (24 * 60 * 60)
		case snapshots.TypeTimestamp:
			at, _ := time.Parse(time.RFC3339, value)
			v.Int = at.UnixMicro()
		default: // a small count
			v.IsNull = true
		}
	}
	return v
}

func (l *Layout[R]) metadata(f Response[R]) (map[string]string, error) {
	var licences, statements []string
	for _, s := range f.Sources {
		licences, statements = append(licences, s.Licence), append(statements, s.AttributionStatement)
	}
	meta := map[string]string{
		MetaEndpoint: f.Endpoint, MetaAttributionNotice: api.AttributionNotice,
		snapshots.MetaLicence:     snapshots.JoinDistinctLines(licences),
		snapshots.MetaAttribution: snapshots.JoinDistinctLines(statements),
	}
	for key, v := range map[string]any{MetaSources: f.Sources, MetaResponse: f.ResponseMeta} {
		var text strings.Builder
		j := json.NewEncoder(&text)
		j.SetEscapeHTML(false)
		if err := j.Encode(v); err != nil {
			return nil, err
		}
		meta[key] = strings.TrimSuffix(text.String(), "\n")
	}
	for _, c := range l.Columns {
		meta[snapshots.MetaColumnPrefix+c.Name] = c.Doc
	}
	return meta, nil
}

// WriteCSV writes the rows of an API response as a CSV file.
func (l *Layout[R]) WriteCSV(w io.Writer, f Response[R]) error {
	rows, err := l.rows(f)
	out := csv.NewWriter(w)
	line := make([]string, len(l.Columns))
	for i, c := range l.Columns {
		line[i] = c.Name
	}
	err = errors.Join(err, out.Write(line))
	for _, r := range rows {
		for i, c := range l.Columns {
			line[i] = cell(c, r[c.Name])
		}
		err = errors.Join(err, out.Write(line))
	}
	out.Flush()
	if err := errors.Join(err, out.Error()); err != nil {
		return fmt.Errorf("write %s as CSV: %w", f.Endpoint, err)
	}
	return nil
}

// cell returns the text of a value in a CSV file. An empty cell means null in a column that can be
// null; an empty text is then written as an apostrophe. Percentages always have a decimal. Texts
// that a spreadsheet would read as a formula are escaped.
func cell(c snapshots.Column, value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		if value == "" && c.Nullable {
			return guard
		}
		return EscapeFormula(value)
	case json.Number:
		if c.Type == snapshots.TypeFloat64 && !strings.Contains(value.String(), ".") {
			return value.String() + ".0"
		}
	}
	return fmt.Sprint(value)
}

// guard is an apostrophe. It is put before a text that a spreadsheet would read as a formula.
const guard = "'"

// EscapeFormula puts an apostrophe before a text that a spreadsheet would read as a formula, such
// as one that begins with "=". It also does so if the text begins with an apostrophe. A reader can
// therefore always remove one leading apostrophe.
func EscapeFormula(text string) string {
	for _, start := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", guard} {
		if strings.HasPrefix(text, start) {
			return guard + text
		}
	}
	return text
}
