package snapshots

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/template"
)

// packageTemplate is the template of a snapshot's datapackage.json, a Frictionless Data Package v2
// that standard tools read. It has no hashes, since those in the manifest are authoritative.
//
// This project adds the property `unit` of a field and some properties of a source. The standard
// permits that. An empty text is a value unless the field states otherwise. A count of people from
// 1 to 4 is a null with a status, while the API prints "<5".
//
//go:embed datapackage.json.tmpl
var packageTemplate string

// packageResource describes one Parquet file in the data package descriptor, with its table and the
// sources that it credits.
type packageResource struct {
	Table
	Path    string
	Sources []SourcesRow
}

// DataPackage returns the Frictionless Data Package descriptor of a snapshot, as JSON. sources are
// the rows of the snapshot's table sources. credits maps each table to the keys of the sources that
// its rows name. A table that is not in credits credits all sources of its kinds. The changes
// credit all sources, as they have figures of all tables.
func DataPackage(m Manifest, sources []SourcesRow, credits map[string]CreditedSourceKeys) ([]byte, error) {
	sources = slices.Clone(sources)
	slices.SortFunc(sources, func(a, b SourcesRow) int { return strings.Compare(a.Key, b.Key) })
	creditsOf := func(t Table) []SourcesRow {
		if named, known := credits[t.Name]; known {
			return t.CreditedSources(named, sources)
		}
		return SourcesOfTable(t.Name, sources)
	}
	var resources []packageResource
	for _, t := range Tables() {
		resources = append(resources, packageResource{t, TableFileName(t.Name), creditsOf(t)})
	}
	for _, t := range EmbargoedTables() {
		if m.EmbargoedNamed(t.Name).Rows != nil {
			resources = append(resources, packageResource{t, EmbargoedFileName(t.Name), creditsOf(t)})
		}
	}
	if m.HasFile(ChangesFileName) {
		resources = append(resources, packageResource{ChangesTable(), ChangesFileName, sources})
	}
	text := template.New(DataPackageFileName).Funcs(template.FuncMap{"type": packageType, "licences": packageLicences,
		"key":     primaryKey,
		"foreign": sourceColumn, "missing": missingLabel,
		"json": func(v any) (string, error) { b, err := EncodeDocument(v); return string(b), err }})
	var filled, out bytes.Buffer
	if _, err := text.Parse(packageTemplate); err != nil {
		return nil, fmt.Errorf("encode %s: %w", DataPackageFileName, err)
	}
	err := text.Execute(&filled, struct {
		Manifest
		Sources   []SourcesRow
		Resources []packageResource
	}{m.normalise(), sources, resources})
	if err == nil {
		err = json.Indent(&out, bytes.TrimSpace(filled.Bytes()), "", "  ")
	}
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", DataPackageFileName, err)
	}
	return append(out.Bytes(), '\n'), nil
}

// packageLicence is a licence in the data package descriptor. Name is its Open Definition
// identifier. Title is the name that the publisher uses for it.
type packageLicence struct {
	Name  string `json:"name"`
	Path  string `json:"path,omitempty"`
	Title string `json:"title"`
}

// packageLicences returns the distinct licences of the sources, sorted by name and title. Only the
// Open Government Licence and the public domain count as open.
func packageLicences(rows []SourcesRow) []packageLicence {
	var out []packageLicence
	for _, s := range rows {
		l := packageLicence{Name: "other-closed", Title: s.Licence}
		switch {
		case strings.HasPrefix(l.Title, "Open Government Licence v3.0"):
			l.Name, l.Path = "OGL-UK-3.0", "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/"
		case strings.HasPrefix(l.Title, "Public domain"):
			l.Name = "other-pd"
		}
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b packageLicence) int {
		return strings.Compare(a.Name+"\x00"+a.Title, b.Name+"\x00"+b.Title)
	})
	return slices.Compact(out)
}

// packageType returns the Frictionless Table Schema type for a column type.
func packageType(t Type) string {
	switch t {
	case TypeDay:
		return "date"
	case TypeTimestamp:
		return "datetime"
	case TypeBool:
		return "boolean"
	case TypeInt8, TypeInt16, TypeInt32, TypeInt64:
		return "integer"
	case TypeDecimal1, TypeFloat64:
		return "number"
	}
	return "string"
}

// primaryKey returns the key columns of a table, for the data package descriptor. The result is
// empty if a key column may be null, because the standard does not allow that. It is also empty for
// the table of changes, whose sort order is not a key.
func primaryKey(t Table) []string {
	nullable := func(name string) bool {
		c, _ := t.Column(name)
		return c.Nullable
	}
	if t.Name == ChangesTable().Name || slices.ContainsFunc(t.SortColumns, nullable) {
		return nil
	}
	return t.SortColumns
}

// sourceColumn returns the name of the table's column that contains the key of one source, or "" if
// there is none. It ignores columns with several keys, because the standard has no foreign keys for
// lists.
func sourceColumn(t Table) string {
	for _, c := range t.Columns {
		if c.Name == "source_key" || c.Name == "source" {
			return c.Name
		}
	}
	return ""
}

// missingLabel returns the meaning of a null in a column. It takes the meaning from the column's
// description doc. It is not used for counts of people.
func missingLabel(doc string) string {
	if _, after, ok := strings.Cut(doc, "null = "); ok {
		label, _, _ := strings.Cut(after, ";")
		return label
	}
	if _, after, ok := strings.Cut(doc, "null when "); ok {
		when, _, _ := strings.Cut(after, ";")
		return "none when " + when
	}
	return "no figure, or not stated; never zero"
}
