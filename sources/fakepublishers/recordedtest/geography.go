// Package recordedtest provides real lists of areas for tests. They are files from the ONS geography
// portal, stored outside the repository. If they are missing, RecordedDir returns an error and the
// tests that need them are skipped.
package recordedtest

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"labour/sources/fakepublishers"
)

// RecordedDir returns the directory of the recorded data: ../shared/data from the project's root.
// It returns an error if the directory does not exist.
func RecordedDir() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the recorded data: %w", err)
	}
	for ; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			dir := filepath.Join(filepath.Dir(at), "shared", "data")
			if _, err := os.Stat(dir); err != nil {
				return "", errors.New("the recorded data is not there (../shared/data from the project's root)")
			}
			return dir, nil
		}
	}
	return "", errors.New(
		"the recorded data is looked for next to the root of the project, which is not above the working directory")
}

// list describes one recorded list of areas, in the CSV file named file. service is the key of the
// table that GeographyTables makes from it. Only rows with value in column are used, or all rows if
// column is "". columns lists the columns to keep; "old>NEW" renames a column.
type list struct {
	service, file, column, value string
	columns                      []string
}

var lists = []list{
	{"CTRY", "geo-lookups-ctry_all_codes.csv", "", "", []string{"CTRYCD>CTRY25CD", "CTRYNM>CTRY25NM"}},
	{"LAD", "geo-lookups-la_all_codes.csv", "Current", "TRUE",
		[]string{"LADCD>LAD25CD", "LADNM>LAD25NM", "RGNCD>RGN25CD", "RGNNM>RGN25NM"}},
	{"TTWA", "TTWA11-codes-names.csv", "", "", []string{"TTWA>TTWA11CD", "TTWAn>TTWA11NM"}},
	{"ITL1", "ITL1_codes_names.csv", "", "", []string{"ITL1CD>ITL125CD", "ITL1NM>ITL125NM"}},
	{"ITL2", "ITL2-2025_codes_names.csv", "", "", []string{"ITL225CD", "ITL225NM"}},
	{"ITL3", "ITL3-2021_to_ITL3-2025_lookup.csv", "", "", []string{"ITL321CD", "ITL321NM", "ITL325CD", "ITL325NM"}},
	{"LSIP", "dfe-lsip_lad_hierarchy.csv", "most_recent_year_included", "2025",
		[]string{"lad_code>LAD25CD", "lad_name>LAD25NM", "lsip_code>LSIP25CD", "lsip_name>LSIP25NM"}},
}

// GeographyTables returns tables for a simulated geography portal, by service name. They contain the
// recorded lists of areas and, under the key "EDGES", the boundaries of councils. dir is the
// directory of the recorded data (RecordedDir).
func GeographyTables(dir string) (map[string]fakepublishers.ArcGISTable, error) {
	tables := map[string]fakepublishers.ArcGISTable{}
	for _, l := range lists {
		table, err := l.read(dir)
		if err != nil {
			return nil, fmt.Errorf("recorded list %s: %w", l.file, err)
		}
		tables[l.service] = table
	}
	edges, err := outlines(filepath.Join(dir, "LAD24_boundaries_simplified.geojson.json"))
	if err != nil {
		return nil, fmt.Errorf("recorded boundaries: %w", err)
	}
	tables["EDGES"] = edges
	return tables, nil
}

func (l list) read(dir string) (table fakepublishers.ArcGISTable, err error) {
	f, err := os.Open(filepath.Join(dir, l.file))
	if err != nil {
		return table, err
	}
	defer f.Close() // opened for reading only
	rows, err := ReadCSVTable(f)
	for _, r := range rows {
		if l.column != "" && r[l.column] != l.value {
			continue
		}
		named := map[string]any{}
		for _, c := range l.columns {
			from, to, renamed := strings.Cut(c, ">")
			if !renamed {
				to = from
			}
			named[to] = r[from]
		}
		table.Rows = append(table.Rows, named)
	}
	return table, err
}

func outlines(file string) (fakepublishers.ArcGISTable, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return fakepublishers.ArcGISTable{}, err
	}
	var collection struct {
		Features []struct {
			Properties map[string]any
			Geometry   json.RawMessage
		}
	}
	if err := json.Unmarshal(b, &collection); err != nil {
		return fakepublishers.ArcGISTable{}, err
	}
	table := fakepublishers.ArcGISTable{ObjectIDField: "FID", MaxRecordCount: 50}
	for _, f := range collection.Features {
		table.Rows = append(table.Rows, f.Properties)
		table.Geometry = append(table.Geometry, f.Geometry)
	}
	return table, nil
}

// ReadCSVTable reads a CSV table with a header. It returns one map per row, from column name to
// value. All values are strings.
func ReadCSVTable(r io.Reader) ([]map[string]any, error) {
	lines, err := csv.NewReader(r).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, fmt.Errorf("read a table of %d lines: %w", len(lines), cmp.Or(err, io.ErrUnexpectedEOF))
	}
	lines[0][0] = strings.TrimPrefix(lines[0][0], "\ufeff")
	var rows []map[string]any
	for _, line := range lines[1:] {
		row := map[string]any{}
		for i, column := range lines[0] {
			row[column] = line[i]
		}
		rows = append(rows, row)
	}
	return rows, nil
}
