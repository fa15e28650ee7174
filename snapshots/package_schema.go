package snapshots

import (
	"slices"
	"strings"
)

// packageSchema is a Table Schema v2. MissingValues is always empty: an empty text
// is a value unless a field says otherwise.
type packageSchema struct {
	Fields        []packageField   `json:"fields"`
	PrimaryKey    []string         `json:"primaryKey,omitempty"`
	ForeignKeys   []packageForeign `json:"foreignKeys,omitempty"`
	MissingValues []packageLabel   `json:"missingValues"`
}

type packageField struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	// Unit is the project's own property, which the standard permits; empty where
	// a column measures nothing.
	Unit          string         `json:"unit,omitempty"`
	Categories    []packageLabel `json:"categories,omitempty"`
	Constraints   map[string]any `json:"constraints,omitempty"`
	MissingValues []packageLabel `json:"missingValues,omitempty"`
}

// packageLabel is a value and what it means.
type packageLabel struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

type packageForeign struct {
	Fields    []string         `json:"fields"`
	Reference packageReference `json:"reference"`
}

type packageReference struct {
	Resource string   `json:"resource"`
	Fields   []string `json:"fields"`
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

func packageSchemaOf(t Table) packageSchema {
	s := packageSchema{PrimaryKey: primaryKey(t), ForeignKeys: sourceForeignKeys(t), MissingValues: []packageLabel{}}
	for _, c := range t.Columns {
		f := packageField{Name: c.Name, Type: packageType(c.Type), Description: c.Doc, Unit: c.Unit,
			Categories: statusLabels(t, c), MissingValues: missingLabels(t, c)}
		if !c.Nullable {
			f.Constraints = map[string]any{"required": true}
		}
		s.Fields = append(s.Fields, f)
	}
	return s
}

// primaryKey is the key of a table, unless a column of it may be null: the
// standard allows none there. Of the changes, the order is no key.
func primaryKey(t Table) []string {
	if t.Name == ChangesTable().Name {
		return nil
	}
	for _, name := range t.Sort {
		if c, _ := t.Column(name); c.Nullable {
			return nil
		}
	}
	return t.Sort
}

// sourceForeignKeys: a column that names one source names a row of the table sources. The columns
// that name several are lists, which the standard has no foreign key for.
func sourceForeignKeys(t Table) []packageForeign {
	var keys []packageForeign
	for _, name := range []string{"source_key", "source"} {
		if _, has := t.Column(name); has {
			keys = append(keys, packageForeign{Fields: []string{name}, Reference: packageReference{"sources", []string{"key"}}})
		}
	}
	return keys
}

// statusLabels says what the statuses of a printed count of people mean.
func statusLabels(t Table, c Column) []packageLabel {
	if !slices.ContainsFunc(t.PeopleColumns(), func(p PeopleColumn) bool { return p.Status == c.Name }) {
		return nil
	}
	value := strings.TrimSuffix(c.Name, statusSuffix)
	return []packageLabel{
		{"number", value + " is the count: 0, or at least 5"},
		{"under_5", "a count from 1 to 4, shown as \"<5\"; " + value + " is null"},
		{"", "not published; " + value + " is null and makes no claim about zero"},
	}
}

// missingLabels says what a null means. A file made of answers prints a count from
// 1 to 4 as "<5"; in the snapshot itself it is a null with a status.
func missingLabels(t Table, c Column) []packageLabel {
	if !c.Nullable {
		return nil
	}
	for _, p := range t.PeopleColumns() {
		if p.Value == c.Name {
			return []packageLabel{
				{"", "no number: not published, or a count from 1 to 4 where " + p.Status + " is under_5; never zero"},
				{"<5", "a count from 1 to 4 as it is shown; in this file a null, with under_5 in " + p.Status},
			}
		}
	}
	label := "no figure, or not stated; never zero"
	if _, after, ok := strings.Cut(c.Doc, "null = "); ok {
		label, _, _ = strings.Cut(after, ";")
	} else if strings.Contains(c.Doc, "null when ") {
		_, after, _ := strings.Cut(c.Doc, "null when ")
		after, _, _ = strings.Cut(after, ";")
		label = "none when " + after
	}
	return []packageLabel{{"", label}}
}
