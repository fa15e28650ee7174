package snapshots

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The Frictionless Data Package v2 view of a snapshot, for stock tools. It holds
// no hashes, since the manifest's are the ones that count, and nothing that the
// manifest does not hold.

type packageJSON struct {
	Schema    string            `json:"$schema"`
	Name      string            `json:"name"`
	Title     string            `json:"title"`
	Version   string            `json:"version"`
	Created   string            `json:"created"`
	Resources []packageResource `json:"resources"`
}

type packageResource struct {
	Name        string        `json:"name"`
	Path        string        `json:"path"`
	Format      string        `json:"format"`
	Mediatype   string        `json:"mediatype"`
	Description string        `json:"description"`
	Schema      packageSchema `json:"schema"`
}

type packageSchema struct {
	Fields     []packageField `json:"fields"`
	PrimaryKey []string       `json:"primaryKey,omitempty"`
}

type packageField struct {
	Name        string         `json:"name"`
	Type        string         `json:"type"`
	Description string         `json:"description"`
	Constraints map[string]any `json:"constraints,omitempty"`
}

// packageType is the Table Schema type of a column type.
func packageType(t Type) string {
	switch t {
	case Day:
		return "date"
	case Timestamp:
		return "datetime"
	case Bool:
		return "boolean"
	case Int8, Int16, Int32, Int64:
		return "integer"
	case Decimal1, Float64:
		return "number"
	}
	return "string"
}

func dataPackage(m Manifest) ([]byte, error) {
	p := packageJSON{
		Schema: "https://datapackage.org/profiles/2.0/datapackage.json",
		Name:   "labour-" + string(m.ID), Title: "Labour market data of " + m.PlatformName + ", " + m.AsOf.String(),
		Version: string(m.ID), Created: m.normalised().CreatedAt.Format("2006-01-02T15:04:05Z"),
	}
	for _, t := range Tables() {
		p.Resources = append(p.Resources, packageTable(t, TableFileName(t.Name)))
	}
	for _, t := range HeldTables() {
		if m.HeldNamed(t.Name).Rows != nil {
			p.Resources = append(p.Resources, packageTable(t, HeldFileName(t.Name)))
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(p); err != nil {
		return nil, fmt.Errorf("encode %s: %w", PackageName, err)
	}
	return b.Bytes(), nil
}

func packageTable(t Table, path string) packageResource {
	r := packageResource{Name: t.Name, Path: path, Format: "parquet",
		Mediatype: "application/vnd.apache.parquet", Description: t.Doc,
		Schema: packageSchema{PrimaryKey: primaryKey(t)}}
	for _, c := range t.Columns {
		f := packageField{Name: c.Name, Type: packageType(c.Type), Description: c.Doc}
		if !c.Nullable {
			f.Constraints = map[string]any{"required": true}
		}
		r.Schema.Fields = append(r.Schema.Fields, f)
	}
	return r
}

// primaryKey is the key of a table, unless a column of it may be null: the
// standard allows none there.
func primaryKey(t Table) []string {
	for _, name := range t.Sort {
		if c, _ := t.Column(name); c.Nullable {
			return nil
		}
	}
	return t.Sort
}
