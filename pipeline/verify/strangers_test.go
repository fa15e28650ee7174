package verify_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/snaptest"
)

// stranger is what a reader that is not ours found in a file.
type stranger struct {
	Rows    int64                    `json:"rows"`
	Columns map[string]strangeColumn `json:"columns"`
}

type strangeColumn struct {
	Type  string `json:"type"`
	Nulls int64  `json:"nulls"`
	Sum   int64  `json:"sum"`
}

// python is an interpreter that has the readers, as .ci/run installs it.
func python(t *testing.T) string {
	t.Helper()
	for _, file := range []string{filepath.Join("..", "..", "bin", "venv", "bin", "python3"), "python3"} {
		path, err := exec.LookPath(file)
		if err != nil {
			continue
		}
		if err := exec.CommandContext(t.Context(), path, "-c", "import duckdb, pandas, pyarrow").Run(); err == nil {
			return path
		}
	}
	t.Skip("no python3 with duckdb, pandas and pyarrow; .ci/run installs them into bin/venv")
	return ""
}

// documentedTypes is the type as which DuckDB reads each of ours, as FORMAT.md says.
func documentedTypes(t *testing.T) map[snapshots.Type]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "snapshots", "FORMAT.md"))
	if err != nil {
		t.Fatal(err)
	}
	types := map[snapshots.Type]string{}
	for _, m := range regexp.MustCompile(
		"(?m)^\\| `([a-z0-9(),]+)` \\| (?:BYTE_ARRAY|INT32|INT64|BOOLEAN)[^|]*\\| ([^|]+) \\|").FindAllSubmatch(b, -1) {
		types[snapshots.Type(m[1])] = string(m[2])
	}
	if len(types) != 9 {
		t.Fatalf("FORMAT.md has %d types: %v", len(types), types)
	}
	return types
}

// arrowTypes are the same types as Arrow and pandas name them.
func arrowTypes() map[snapshots.Type]string {
	return map[snapshots.Type]string{snapshots.TypeText: "string", snapshots.TypeDay: "date32[day]",
		snapshots.TypeTimestamp: "timestamp[us, tz=UTC]",
		snapshots.TypeBool:      "bool", snapshots.TypeInt8: "int8", snapshots.TypeInt16: "int16",
		snapshots.TypeInt32:    "int32",
		snapshots.TypeInt64:    "int64",
		snapshots.TypeDecimal1: "decimal128(6, 1)"}
}

// ours is what the reader of verify finds in a file, with the types of the reader named.
func ours(t *testing.T, path string, types map[snapshots.Type]string) stranger {
	t.Helper()
	about, err := parquetio.ReadFooter(path)
	if err != nil {
		t.Fatal(err)
	}
	found := stranger{Columns: map[string]strangeColumn{}}
	var names []string
	columns := about.Columns
	for _, c := range columns {
		names = append(names, c.Name)
	}
	sums := make([]strangeColumn, len(columns))
	for values, err := range parquetio.ScanColumns(path, names) {
		if err != nil {
			t.Fatal(err)
		}
		found.Rows++
		for i, v := range values {
			if v.IsNull {
				sums[i].Nulls++
			}
			sums[i].Sum += v.Int + int64(len(v.Text)) // one of them is 0
		}
	}
	for i, c := range columns {
		sums[i].Type = types[c.Type]
		found.Columns[c.Name] = sums[i]
	}
	return found
}

// TestStrangersReadTheSame: Arrow, pandas and DuckDB's own client read every file
// of a snapshot with the documented types, the same rows and the same sums.
func TestStrangersReadTheSame(t *testing.T) {
	interpreter := python(t)
	root := t.TempDir()
	dir := dirOf(t, root, snaptest.BuildSnapshot(t, root, day, snaptest.DefaultContent(t, day)))
	var out, said bytes.Buffer
	c := exec.CommandContext(t.Context(), interpreter, filepath.Join("testdata", "strangers.py"), dir)
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	var files map[string]map[string]stranger
	if err := json.Unmarshal(out.Bytes(), &files); err != nil {
		t.Fatal(err)
	}
	if want := len(snapshots.Tables()) + len(snapshots.EmbargoedTables()) + 1; len(files) != want {
		t.Errorf("%d files were read, not %d", len(files), want)
	}
	duckdb := documentedTypes(t)
	for name, readers := range files {
		for reader, types := range map[string]map[snapshots.Type]string{"arrow": arrowTypes(), "pandas": arrowTypes(),
			"duckdb": duckdb} {
			compareStranger(t, name+" by "+reader, readers[reader], ours(t, snapshots.JoinPath(dir, name), types))
		}
	}
}

func compareStranger(t *testing.T, what string, got, want stranger) {
	t.Helper()
	if got.Rows != want.Rows || len(got.Columns) != len(want.Columns) {
		t.Errorf("%s: %d rows of %d columns, ours %d of %d", what, got.Rows, len(got.Columns), want.Rows,
			len(want.Columns))
	}
	for column, w := range want.Columns {
		if g := got.Columns[column]; g != w {
			t.Errorf("%s, %s: %+v, ours %+v", what, column, g, w)
		}
	}
}
