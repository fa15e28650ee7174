package snapshots

import (
	"encoding/json"
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
		if got := c.state.Servable(); got != c.want {
			t.Errorf("%+v: %v", c.state, got)
		}
	}
}

// TestDataPackageNamesEveryType holds the Table Schema type of each column type.
func TestDataPackageNamesEveryType(t *testing.T) {
	for of, want := range map[Type]string{Text: "string", Day: "date", Timestamp: "datetime", Bool: "boolean",
		Int8: "integer", Int16: "integer", Int32: "integer", Int64: "integer", Decimal1: "number", Float64: "number"} {
		if got := packageType(of); got != want {
			t.Errorf("%s is %q, want %q", of, got, want)
		}
	}
}
