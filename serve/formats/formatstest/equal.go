// Package formatstest compares an answer in CSV and in Parquet with the same answer
// in JSON, cell by cell. It reads each format by itself and knows nothing of how
// they are written, so that it is an oracle for package formats.
package formatstest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Answer is what the comparison reads of a JSON answer.
type Answer struct {
	Data    []map[string]any `json:"data"`
	Sources []struct {
		Key                  string `json:"key"`
		AttributionStatement string `json:"attribution_statement"`
	} `json:"sources"`
	AttributionNotice string         `json:"attribution_notice"`
	Meta              map[string]any `json:"meta"`
}

// Read decodes a JSON answer, numbers as they were printed.
func Read(body []byte) (a Answer, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return a, d.Decode(&a)
}

// file is a file in either format: nil is null.
type file struct {
	columns []string
	rows    [][]*string
}

// Equal fails the test where an answer in CSV or Parquet is not what the JSON is.
func Equal(t testing.TB, body, csv, parquet []byte) {
	t.Helper()
	answer, err := Read(body)
	if err != nil {
		t.Fatalf("JSON: %v", err)
	}
	path := filepath.Join(t.TempDir(), "answer.parquet")
	if err := os.WriteFile(path, parquet, 0o600); err != nil {
		t.Fatal(err)
	}
	schema, err := parquetio.Schema(path)
	if err != nil {
		t.Fatal(err)
	}
	meta, err := parquetio.Metadata(path)
	if err != nil {
		t.Fatal(err)
	}
	inParquet, err := readParquet(path, schema)
	if err != nil {
		t.Fatal(err)
	}
	inCSV, err := readCSV(csv, schema)
	if err != nil {
		t.Fatalf("CSV: %v", err)
	}
	for name, f := range map[string]file{"CSV": inCSV, "Parquet": inParquet} {
		for _, fault := range faults(answer, f, name == "CSV") {
			t.Errorf("%s: %s", name, fault)
		}
	}
	for _, fault := range metaFaults(answer, meta) {
		t.Errorf("Parquet metadata: %s", fault)
	}
}

// faults compares the rows of a file with those of the JSON.
func faults(answer Answer, f file, isCSV bool) []string {
	if len(f.rows) != len(answer.Data) {
		return []string{fmt.Sprintf("%d rows, JSON has %d", len(f.rows), len(answer.Data))}
	}
	var out []string
	shown, own := "", slices.ContainsFunc(answer.Data, func(row map[string]any) bool { return row["attribution_statement"] != nil })
	for i, row := range answer.Data {
		want := flat(row, "")
		for name := range want {
			if isCSV {
				want[name] = breaks(want[name])
			}
		}
		got := map[string]*string{}
		for j, name := range f.columns {
			got[name] = f.rows[i][j]
		}
		counts(want, got, isCSV)
		if !own {
			shown += deref(got["attribution_statement"]) + " "
			delete(got, "attribution_statement")
		}
		out = append(out, rowFaults(i, want, got)...)
	}
	if !own {
		out = append(out, attributionFaults(answer, f, shown)...)
	}
	return out
}

// rowFaults compares one row. A column that JSON leaves out is null.
func rowFaults(row int, want, got map[string]*string) []string {
	var out []string
	for name, v := range got {
		if w, known := want[name]; deref(v) != deref(w) || (v == nil) != (w == nil) {
			out = append(out, fmt.Sprintf("row %d, %s: %q, JSON has %q (%t)", row, name, deref(v), deref(w), known))
		}
	}
	for name := range want {
		if _, there := got[name]; !there {
			out = append(out, fmt.Sprintf("row %d: there is no column %s", row, name))
		}
	}
	return out
}

// counts turns each count of the JSON into the two columns that a file has for it. Only
// CSV has the text of a small one.
func counts(want, got map[string]*string, isCSV bool) {
	for name := range got {
		base, isStatus := strings.CutSuffix(name, "_status")
		v, counted := want[base]
		if !isStatus || !counted {
			continue
		}
		status := "number"
		switch {
		case v == nil:
			status = "not_published"
		case *v == "<5":
			status = "under_5"
			if !isCSV {
				want[base] = nil
			}
		}
		want[name] = &status
	}
}

// attributionFaults: the statement of every source is shown, with each row those of
// its own source.
func attributionFaults(answer Answer, f file, shown string) []string {
	var out []string
	at := slices.Index(f.columns, "attribution_statement")
	if at < 0 {
		return []string{"no column attribution_statement"}
	}
	for _, s := range answer.Sources {
		if !strings.Contains(shown, s.AttributionStatement) {
			out = append(out, "the statement of "+s.Key+" is nowhere")
		}
		for i, row := range answer.Data {
			if row["source_key"] == s.Key && !strings.Contains(deref(f.rows[i][at]), s.AttributionStatement) {
				out = append(out, fmt.Sprintf("row %d lacks the statement of %s", i, s.Key))
			}
		}
	}
	return out
}

func metaFaults(answer Answer, meta map[string]string) []string {
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
	for name, v := range answer.Meta {
		if name != "generated" && name != "next_cursor" && !reflect.DeepEqual(said[name], v) {
			out = append(out, fmt.Sprintf("%s is %v, JSON has %v", name, said[name], v))
		}
	}
	if (said["next_cursor"] == nil) != (answer.Meta["next_cursor"] == nil) {
		out = append(out, "next_cursor")
	}
	return out
}

// flat gives the values of an object by column; the fields of an object inside have
// both names.
func flat(row map[string]any, prefix string) map[string]*string {
	out := map[string]*string{}
	for name, v := range row {
		switch v := v.(type) {
		case nil:
			out[prefix+name] = nil
		case map[string]any:
			for inner, text := range flat(v, prefix+name+"_") {
				out[inner] = text
			}
		case []any:
			texts := make([]string, len(v))
			for i := range v {
				texts[i] = fmt.Sprint(v[i])
			}
			out[prefix+name] = ptr(strings.Join(texts, ","))
		case json.Number:
			out[prefix+name] = ptr(rational(v.String()))
		default:
			out[prefix+name] = ptr(fmt.Sprint(v))
		}
	}
	return out
}

// rational is a number in one spelling: 12 for 12.0.
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
	return f, parquetio.Scan(path, f.columns, func(_ int64, values []parquetio.Value) error {
		row := make([]*string, len(values))
		for i, v := range values {
			if !v.Null {
				row[i] = ptr(parquetText(schema[i].Type, v))
			}
		}
		f.rows = append(f.rows, row)
		return nil
	})
}

func parquetText(t snapshots.Type, v parquetio.Value) string {
	switch t {
	case snapshots.Text:
		return strings.Clone(v.Text)
	case snapshots.Bool:
		return fmt.Sprint(v.Int == 1)
	case snapshots.Day:
		return time.Unix(0, 0).UTC().AddDate(0, 0, int(v.Int)).Format(time.DateOnly)
	case snapshots.Timestamp:
		return time.UnixMicro(v.Int).UTC().Format(time.RFC3339)
	case snapshots.Float64:
		return rational(strconv.FormatFloat(v.Float, 'g', -1, 64))
	}
	return fmt.Sprint(v.Int)
}

func ptr(s string) *string { return &s }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
