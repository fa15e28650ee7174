package onsgeography

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"

	"labour/sources"
)

// changesCSV lists the council codes that were replaced since 2016, with the new code and its first
// year. It is built in, because the portal has no table of changes with a permanent name.
//
//go:embed changes.csv
var changesCSV string

// knownChanges returns the built-in list of changes of council codes.
func knownChanges() ([]sources.AreaCodeChange, error) {
	rows, err := csv.NewReader(strings.NewReader(changesCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read the changes of code: %w", err)
	}
	var changes []sources.AreaCodeChange
	for _, r := range rows[1:] {
		changes = append(changes, sources.AreaCodeChange{Source: Key, Kind: KindCouncil, From: r[0], To: r[1], Edition: r[2]})
	}
	return changes, nil
}
