package snapshots

import (
	"encoding/json"
	"testing"
)

func TestDataPackageDescribesEveryTable(t *testing.T) {
	b, err := dataPackage(sampleManifest())
	if err != nil {
		t.Fatal(err)
	}
	var p packageJSON
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatal(err)
	}
	if p.Name != "labour-2026-11-20.1" || p.Created != "2026-11-20T06:00:00Z" || len(p.Resources) != len(Tables()) {
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
