package place

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"labour/sources"
)

// towns.tsv: towns and London neighbourhoods as adverts name them, with the
// council that they lie in by its official name, written for this project.
//
//go:embed towns.tsv
var townsTSV string

// addTowns adds the towns whose council is in the list. A town whose council the
// list does not hold is left out: the list may cover one city only.
func (g *Gazetteer) addTowns(councils []sources.Area) error {
	codes := map[string]string{}
	for _, c := range councils {
		codes[normalise(c.Name)] = c.Code
	}
	var errs []error
	for n, line := range strings.Split(strings.TrimRight(townsTSV, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		council, towns, ok := strings.Cut(line, "\t")
		if !ok || council == "" || towns == "" {
			errs = append(errs, fmt.Errorf("towns.tsv line %d: want council, tab, towns", n+1))
			continue
		}
		code, known := codes[normalise(council)]
		if !known {
			continue
		}
		for _, town := range strings.Split(towns, "|") {
			g.addName(town, code)
		}
	}
	return errors.Join(errs...)
}
