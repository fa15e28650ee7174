package onsgeography

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strings"

	"labour/sources"
)

// changesCSV lists the codes of councils that were replaced since 2016, with the year of the first
// list that has the new code. The portal has no service for this with a permanent name.
//
//go:embed changes.csv
var changesCSV string

// knownChanges returns the built-in list of code changes of councils.
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
