// Package formatstest compares a response in CSV and Parquet with the same response in JSON, for
// tests. It shares no code with package formats, so it is an independent check.
package formatstest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Response is a JSON response. It has only the fields that are compared with a CSV or Parquet file.
type Response struct {
	Data    []map[string]any `json:"data"`
	Sources []struct {
		Key                  string `json:"key"`
		AttributionStatement string `json:"attribution_statement"`
	} `json:"sources"`
	AttributionNotice string         `json:"attribution_notice"`
	Meta              map[string]any `json:"meta"`
}

// ReadResponse decodes a JSON response. Numbers become json.Number, which keeps all their digits.
func ReadResponse(body []byte) (a Response, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return a, d.Decode(&a)
}

// file is a decoded CSV or Parquet file. Each row maps column names to values as text. A null value
// is missing from the map.
type file struct {
	columns []string
	rows    []map[string]string
}

// CheckEqual fails the test unless the CSV file and the Parquet file have the same rows as the JSON
// response in body. It also compares the metadata of the Parquet file with the response.
func CheckEqual(t testing.TB, body, csv, parquet []byte) {
	t.Helper()
	answer, err := ReadResponse(body)
	if err != nil {
		t.Fatalf("JSON: %v", err)
	}
	path := filepath.Join(t.TempDir(), "answer.parquet")
	if err := os.WriteFile(path, parquet, 0o600); err != nil {
		t.Fatal(err)
	}
	about, badAbout := parquetio.ReadFooter(path)
	inParquet, badParquet := readParquet(path, about.Columns)
	inCSV, badCSV := readCSV(csv, about.Columns)
	if err := errors.Join(badAbout, badParquet, badCSV); err != nil {
		t.Fatal(err)
	}
	for name, list := range map[string][]string{"CSV": faults(answer, inCSV, true),
		"Parquet": faults(answer, inParquet, false), "Parquet metadata": metaFaults(answer, about.Metadata)} {
		for _, fault := range list {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// faults returns one message for each difference between the rows of a file and the rows of the
// JSON response.
func faults(answer Response, f file, isCSV bool) (out []string) {
	if len(f.rows) != len(answer.Data) {
		return []string{fmt.Sprintf("%d rows, JSON has %d", len(f.rows), len(answer.Data))}
	}
	own := slices.ContainsFunc(answer.Data,
		func(row map[string]any) bool { return row["attribution_statement"] != nil })
	if !own {
		out = attributionFaults(answer, f)
	}
	for i, row := range answer.Data {
		want, got := map[string]string{}, f.rows[i]
		for _, name := range flat(want, row, "") {
			if !slices.Contains(f.columns, name) {
				out = append(out, fmt.Sprintf("row %d: there is no column %s", i, name))
			}
		}
		counts(want, f.columns, isCSV)
		if !own {
			delete(got, "attribution_statement")
		}
		if isCSV { // the CSV reader turns \r\n into \n, also within a text
			for name, text := range want {
				want[name] = strings.ReplaceAll(text, "\r\n", "\n")
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			out = append(out, fmt.Sprintf("row %d: - JSON, + file\n%s", i, diff))
		}
	}
	return out
}

// counts converts the counts of people in a JSON row to the two columns that a file has for each
// count: the number and its status. A count from 1 to 4 has the number "<5" in CSV and null in
// Parquet.
func counts(want map[string]string, columns []string, isCSV bool) {
	for _, name := range columns {
		base, isStatus := strings.CutSuffix(name, "_status")
		if !isStatus || !slices.Contains(columns, base) {
			continue
		}
		want[name] = "number"
		switch v, shown := want[base]; {
		case !shown:
			want[name] = "not_published"
		case v == "<5":
			want[name] = "under_5"
			if !isCSV {
				delete(want, base)
			}
		}
	}
}

// attributionFaults returns a message for each source without an attribution statement in the file.
// It also returns a message for each row that lacks the statement of its source.
func attributionFaults(answer Response, f file) (out []string) {
	for _, s := range answer.Sources {
		shown := false
		for i, row := range answer.Data {
			here := strings.Contains(f.rows[i]["attribution_statement"], s.AttributionStatement)
			shown = shown || here
			if row["source_key"] == s.Key && !here {
				out = append(out, fmt.Sprintf("row %d lacks the statement of %s", i, s.Key))
			}
		}
		if !shown {
			out = append(out, "the statement of "+s.Key+" is nowhere")
		}
	}
	return out
}

func metaFaults(answer Response, meta map[string]string) []string {
	var out []string
	if n := answer.AttributionNotice; n != "" && meta["labour.attribution_notice"] != n {
		out = append(out, "notice "+meta["labour.attribution_notice"])
	}
	for _, s := range answer.Sources {
		if !slices.Contains(strings.Split(meta[snapshots.MetaAttribution], "\n"), s.AttributionStatement) {
			out = append(out, "no statement of "+s.Key)
		}
	}
	said := map[string]any{}
	d := json.NewDecoder(strings.NewReader(meta["labour.meta"]))
	d.UseNumber()
	if err := d.Decode(&said); err != nil {
		return append(out, err.Error())
	}
	if (said["next_cursor"] == nil) != (answer.Meta["next_cursor"] == nil) {
		out = append(out, "next_cursor")
	}
	ofTheCall := cmpopts.IgnoreMapEntries(
		func(name string, _ any) bool { return name == "generated" || name == "next_cursor" })
	if diff := cmp.Diff(answer.Meta, said, ofTheCall); diff != "" {
		out = append(out, diff)
	}
	return out
}

// flat copies the values of a JSON object to dst and returns their names. It omits null values from
// dst, but not from the names. The name of a nested field contains the name of the outer field, as
// in year_on_year_change_pct.
func flat(dst map[string]string, row map[string]any, prefix string) (names []string) {
	for name, v := range row {
		name = prefix + name
		switch v := v.(type) {
		case map[string]any:
			names = append(names, flat(dst, v, name+"_")...)
			continue
		case nil:
		case []any:
			// keys contain no spaces
			dst[name] = strings.Join(strings.Fields(strings.Trim(fmt.Sprint(v), "[]")), ",")
		case json.Number:
			dst[name] = rational(v.String())
		default:
			dst[name] = fmt.Sprint(v)
		}
		names = append(names, name)
	}
	return names
}

// rational returns a number in a form that can be compared as text. For example, "12.0" becomes
// "12" and "12.5" becomes "25/2".
func rational(number string) string {
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return "no number: " + number
	}
	return r.RatString()
}

func readParquet(path string, schema []snapshots.Column) (f file, err error) {
	for _, c := range schema {
		f.columns = append(f.columns, c.Name)
	}
	for values, err := range parquetio.ScanColumns(path, f.columns) {
		if err != nil {
			return f, err
		}
		row := map[string]string{}
		for i, v := range values {
			if !v.IsNull {
				row[f.columns[i]] = parquetText(schema[i].Type, v)
			}
		}
		f.rows = append(f.rows, row)
	}
	return f, nil
}

func parquetText(t snapshots.Type, v parquetio.Value) string {
	switch t {
	case snapshots.TypeText:
		return strings.Clone(v.Text)
	case snapshots.TypeBool:
		return fmt.Sprint(v.Int == 1)
	case snapshots.TypeDay:
		return time.Unix(0, 0).UTC().AddDate(0, 0, int(v.Int)).Format(time.DateOnly)
	case snapshots.TypeTimestamp:
		return time.UnixMicro(v.Int).UTC().Format(time.RFC3339)
	case snapshots.TypeFloat64:
		return rational(strconv.FormatFloat(v.Float, 'g', -1, 64))
	}
	return fmt.Sprint(v.Int)
}

// readCSV decodes a CSV file and removes the apostrophe in front of each escaped text.
func readCSV(raw []byte, schema []snapshots.Column) (f file, err error) {
	if len(raw) == 0 || raw[len(raw)-1] != '\n' {
		return f, errors.New("CSV: the last line does not end")
	}
	lines, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		return f, fmt.Errorf("CSV: %w", err)
	}
	f.columns = lines[0]
	if !slices.EqualFunc(f.columns, schema[:min(len(f.columns), len(schema))],
		func(name string, c snapshots.Column) bool { return name == c.Name }) {
		return f, fmt.Errorf("CSV: the columns are %v; Parquet has %v", f.columns, schema)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, text := range line {
			if text != "" || !schema[i].Nullable {
				row[f.columns[i]] = csvValue(schema[i], text)
			}
		}
		f.rows = append(f.rows, row)
	}
	return f, nil
}

// csvValue converts the text of a CSV cell to the value that it represents.
func csvValue(c snapshots.Column, text string) string {
	switch {
	case c.Type == snapshots.TypeText && strings.HasPrefix(text, "'"):
		return text[1:]
	case c.Type == snapshots.TypeText && text != "" && strings.ContainsAny(text[:1], "=+-@\t\r\n"):
		return "a formula: " + text
	case (c.Type == snapshots.TypeInt64 || c.Type == snapshots.TypeFloat64) && text != "<5":
		return rational(text)
	}
	return text
}
