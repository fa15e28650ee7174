package snapshots_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/store"
)

var update = flag.Bool("update", false, "write the generated part of FORMAT.md again")

const (
	formatFile  = "FORMAT.md"
	tablesBegin = "<!-- tables: written by go test ./snapshots -run Format -update -->\n"
	tablesEnd   = "<!-- end of tables -->\n"
)

// formatTables is the part of FORMAT.md that is made from the schemas.
func formatTables() string {
	var b strings.Builder
	for _, t := range append(append(snapshots.Tables(), snapshots.EmbargoedTables()...), snapshots.ChangesTable()) {
		file := snapshots.TableFileName(t.Name)
		if t.Name == snapshots.ChangesTable().Name {
			file = snapshots.ChangesFileName
		}
		if _, embargoed := snapshots.FindEmbargoedDataset(t.Name); embargoed {
			file = snapshots.EmbargoedFileName(t.Name)
		}
		fmt.Fprintf(&b, "\n### `%s`\n\n%s\n\nOrder: `%s`.\n\n", file, t.Doc, strings.Join(t.SortColumns, "`, `"))
		b.WriteString("| Column | Type | Null | Meaning, unit and range |\n|---|---|---|---|\n")
		for _, c := range t.Columns {
			null := "never"
			if c.Nullable {
				null = "no figure, or not stated"
			}
			fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", c.Name, c.Type, null, c.Doc)
		}
	}
	b.WriteString("\n")
	return b.String()
}

func TestFormatDocumentListsTheTables(t *testing.T) {
	b, err := os.ReadFile(formatFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), tablesBegin)
	got, after, ok2 := strings.Cut(rest, tablesEnd)
	if !ok || !ok2 {
		t.Fatalf("%s has no marks around its tables", formatFile)
	}
	if got == formatTables() {
		return
	}
	if !*update {
		t.Fatalf("%s is not as the schemas are; run go test ./snapshots -run Format -update", formatFile)
	}
	if err := os.WriteFile(formatFile, []byte(before+tablesBegin+formatTables()+tablesEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// jsonFields lists the fields of the manifest and of everything in it.
func jsonFields(of reflect.Type) []string {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for i := range of.NumField() {
		f := of.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			names = append(append(names, name), jsonFields(f.Type)...)
		}
	}
	return names
}

func TestFormatDocumentNamesEverything(t *testing.T) {
	b, err := os.ReadFile(formatFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(b), tablesBegin)
	_, after, _ := strings.Cut(rest, tablesEnd)
	prose := before + after
	want := append(jsonFields(reflect.TypeFor[snapshots.Manifest]()), jsonFields(reflect.TypeFor[store.Index]())...)
	want = append(want, snapshots.ManifestFileName, snapshots.SumsFileName, snapshots.SignatureFileName,
		snapshots.ReportFileName,
		snapshots.DataPackageFileName, snapshots.ChangesFileName, snapshots.CurrentFileName, snapshots.IndexFileName,
		snapshots.WithdrawnFileName(""),
		snapshots.MetaFormat, snapshots.MetaTable, snapshots.MetaSnapshot, snapshots.MetaDescription,
		snapshots.MetaLicence, snapshots.MetaAttribution, snapshots.MetaColumnPrefix, snapshots.MetaPreviousID,
		snapshots.MetaPreviousManifest, snapshots.MetaPeopleWithdrawn,
		"`"+snapshots.Format+"`")
	for _, h := range snapshots.EmbargoedDatasets() {
		want = append(want, snapshots.EmbargoedFileName(h.Name), h.Condition)
	}
	for _, c := range []snapshots.Type{snapshots.TypeText, snapshots.TypeDay, snapshots.TypeTimestamp, snapshots.TypeBool,
		snapshots.TypeInt8, snapshots.TypeInt16, snapshots.TypeInt32, snapshots.TypeInt64, snapshots.TypeDecimal1} {
		want = append(want, "| `"+string(c)+"` |")
	}
	for _, w := range want {
		if !strings.Contains(prose, w) {
			t.Errorf("%s says nothing of %q", formatFile, w)
		}
	}
}
