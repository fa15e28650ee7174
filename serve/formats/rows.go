package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
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
			if base, ok := strings.CutSuffix(c.Name, snapshots.StatusSuffix); ok {
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
