package snapshots

import (
	"encoding/json"
	"slices"
	"testing"
)

// packageJSON is what these tests look at of a descriptor.
type packageJSON struct {
	Name, Created string
	Resources     []struct {
		Path   string
		Schema struct {
			PrimaryKey []string
			Fields     []struct {
				Name        string
				Constraints map[string]any
			}
		}
	}
}

func TestDataPackageDescribesEveryTable(t *testing.T) {
	b, err := DataPackage(sampleManifest(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var p packageJSON
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatal(err)
	}
	// and the changes
	if p.Name != "labour-2026-11-20.1" || p.Created != "2026-11-20T06:00:00Z" || len(p.Resources) != len(Tables())+1 {
		t.Errorf("%s, %s, %d resources", p.Name, p.Created, len(p.Resources))
	}
	for i, table := range Tables() {
		r := p.Resources[i]
		if r.Path != TableFileName(table.Name) || len(r.Schema.Fields) != len(table.Columns) {
			t.Errorf("%s: %s has %d fields", table.Name, r.Path, len(r.Schema.Fields))
		}
		for j, c := range table.Columns {
			f := r.Schema.Fields[j]
			if required := f.Constraints["required"] == true; f.Name != c.Name || required == c.Nullable {
				t.Errorf("%s: field %+v for column %+v", table.Name, f, c)
			}
			for _, key := range r.Schema.PrimaryKey {
				if key == c.Name && c.Nullable {
					t.Errorf("%s: %s may be null and is in the key", table.Name, key)
				}
			}
		}
	}
}

// An embargoed dataset is described where its file is, and only there.
func TestDataPackageDescribesEmbargoedFiles(t *testing.T) {
	m := sampleManifest()
	rows := int64(3)
	m.Files = nil // no changes either
	m.Embargoed = []EmbargoedState{{Name: "trends", Rows: &rows}, {Name: "reach"}}
	b, err := DataPackage(m, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var p packageJSON
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatal(err)
	}
	if n := len(Tables()); len(p.Resources) != n+1 || p.Resources[n].Path != "embargoed/trends.parquet" ||
		len(p.Resources[n].Schema.PrimaryKey) != 3 {
		t.Errorf("%d resources, the last is %+v", len(p.Resources), p.Resources[len(p.Resources)-1])
	}
}

func TestAnsweredNeedsEvidenceAndAFile(t *testing.T) {
	rows := int64(0)
	for _, c := range []struct {
		state EmbargoedState
		want  bool
	}{
		{EmbargoedState{}, false}, {EmbargoedState{Open: true, Evidence: "e"}, false},
		{EmbargoedState{Open: true, Rows: &rows}, false},
		{EmbargoedState{Evidence: "e", Rows: &rows}, false}, {EmbargoedState{Open: true, Evidence: "e", Rows: &rows},
			true},
	} {
		if got := c.state.MayBeServed(); got != c.want {
			t.Errorf("%+v: %v", c.state, got)
		}
	}
}

// TestDataPackageNamesEveryType holds the Table Schema type of each column type.
func TestDataPackageNamesEveryType(t *testing.T) {
	for of, want := range map[Type]string{TypeText: "string", TypeDay: "date", TypeTimestamp: "datetime",
		TypeBool: "boolean",
		TypeInt8: "integer", TypeInt16: "integer", TypeInt32: "integer", TypeInt64: "integer", TypeDecimal1: "number",
		TypeFloat64: "number"} {
		if got := packageType(of); got != want {
			t.Errorf("%s is %q, want %q", of, got, want)
		}
	}
}

// TestMissingValuesAreLabelled with what the column's description says a null is.
func TestMissingValuesAreLabelled(t *testing.T) {
	for doc, want := range map[string]string{
		"the day; null = not stated; UTC": "not stated",
		"the day; null = not stated":      "not stated",
		"the day; null when added; UTC":   "none when added",
		"the day":                         "no figure, or not stated; never zero",
		"null when added, null = open":    "open",
	} {
		if got := missingLabel(doc); got != want {
			t.Errorf("%q: %q, want %q", doc, got, want)
		}
	}
}

// TestKeysOfTheDataPackage: a table has its order as its key, unless one of its columns may be null;
// only a column that names one source refers to the table sources.
func TestKeysOfTheDataPackage(t *testing.T) {
	table := func(second Column) Table {
		return Table{Name: "x", SortColumns: []string{"a", "b"}, Columns: []Column{{Name: "a"}, second}}
	}
	if got := primaryKey(table(Column{Name: "b"})); len(got) != 2 {
		t.Errorf("the key is %q, want a and b", got)
	}
	if got := primaryKey(table(Column{Name: "b", Nullable: true})); got != nil {
		t.Errorf("the key is %q, want none: b may be null", got)
	}
	if got := primaryKey(ChangesTable()); got != nil {
		t.Errorf("the key of the changes is %q, want none", got)
	}
	for column, want := range map[string]string{"source_key": "source_key", "source": "source", "source_keys": "",
		"b": ""} {
		if got := sourceColumn(table(Column{Name: column})); got != want {
			t.Errorf("with the column %s the foreign key is %q, want %q", column, got, want)
		}
	}
}

// TestLicencesOfTheDataPackage are each there once, in the order of their names and titles.
func TestLicencesOfTheDataPackage(t *testing.T) {
	ogl := "Open Government Licence v3.0"
	got := packageLicences([]SourcesRow{{Licence: "Public domain (US)"}, {Licence: "z"}, {Licence: ogl}, {Licence: "a"},
		{Licence: ogl}})
	want := []packageLicence{
		{"OGL-UK-3.0", "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/", ogl},
		{"other-closed", "", "a"}, {"other-closed", "", "z"}, {"other-pd", "", "Public domain (US)"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestDataPackageCreditsNamedSources: with credits, a table has only the sources that its rows name;
// without, all sources of its kinds, in the order of their keys.
func TestDataPackageCreditsNamedSources(t *testing.T) {
	sources := []SourcesRow{{Key: "b", Kind: "projections"}, {Key: "a", Kind: "projections"}}
	for name, c := range map[string]struct {
		credits map[string]CreditedSourceKeys
		want    string
	}{"known": {map[string]CreditedSourceKeys{"skills_gaps": {"b": true}}, "b"}, "unknown": {nil, "ab"}} {
		b, err := DataPackage(sampleManifest(), sources, c.credits)
		if err != nil {
			t.Fatal(err)
		}
		var p struct {
			Resources []struct {
				Name    string
				Sources []struct{ Key string }
			}
		}
		if err := json.Unmarshal(b, &p); err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Resources {
			got := ""
			for _, s := range r.Sources {
				got += s.Key
			}
			if r.Name == "skills_gaps" && got != c.want {
				t.Errorf("credits %s: the sources are %q, want %q", name, got, c.want)
			}
		}
	}
	if sources[0].Key != "b" {
		t.Error("the rows that were given are in another order")
	}
}
