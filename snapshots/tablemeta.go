package snapshots

import (
	"slices"
	"strconv"
	"strings"
)

// The keys of a table file's Parquet metadata, so that a file that was copied
// away still says what it is and under which terms.
const (
	MetaFormat      = "labour.format_version"
	MetaTable       = "labour.table"
	MetaSnapshot    = "labour.snapshot"
	MetaDescription = "labour.description"
	MetaLicence     = "labour.licence"     // one per line, sorted
	MetaAttribution = "labour.attribution" // statements, one per line, sorted
	MetaColumn      = "labour.column."     // + column name: meaning, unit and range
)

// TableMetadata is the key-value metadata of a table's file. sources are the
// sources that the rows of the table come from.
func TableMetadata(t Table, id ID, sources []SourcesRow) map[string]string {
	var licences, statements []string
	for _, s := range sources {
		licences, statements = append(licences, s.Licence), append(statements, s.AttributionStatement)
	}
	meta := map[string]string{
		MetaFormat: strconv.Itoa(FormatVersion), MetaTable: t.Name, MetaSnapshot: string(id), MetaDescription: t.Doc,
		MetaLicence: lines(licences), MetaAttribution: lines(statements),
	}
	for _, c := range t.Columns {
		meta[MetaColumn+c.Name] = c.Doc
	}
	return meta
}

// lines joins the different texts, sorted.
func lines(texts []string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "\n")
}
