package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/pipeline/disclosure/attackertest"
	"labour/pipeline/disclosure/synthtest"
	"labour/sources"
)

// changing are files that name the run or what it read, and not only what it found.
var changing = []string{"manifest.json", "SHA256SUMS", "report.json", "datapackage.json"}

// otherPeople publishes the world with other people wherever the rules for single cells
// print the same, and asks everything again: answers, headers, cursors and released
// tables must be the same to the byte.
func (w *attackedWorld) otherPeople(t *testing.T, p *published, before []exchange) {
	other, changed := w.other()
	t.Logf("%d of %d skills have other people: %v", len(changed), len(w.skills), changed)
	if len(changed) < 4 {
		t.Errorf("only %d skills have other people that print the same", len(changed))
	}
	q := other.publish(t, attackedDay)
	_, after := other.crawl(t, q)
	if len(before) != len(after) {
		t.Fatalf("%d answers, then %d", len(before), len(after))
	}
	different := 0
	for i := range before {
		if d := cmp.Diff(describe(before[i]), describe(after[i])); d != "" {
			if different++; different < 4 {
				t.Errorf("%s differs where only hidden people do (-before +after):\n%s", before[i].Path, d)
			}
		}
	}
	compared := 0
	err := fs.WalkDir(os.DirFS(p.snapshot()), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || slices.ContainsFunc(changing, func(s string) bool { return strings.HasPrefix(name, s) }) {
			return err
		}
		a, err := os.ReadFile(filepath.Join(p.snapshot(), name))
		if err != nil {
			return err
		}
		b, err := os.ReadFile(filepath.Join(q.snapshot(), name))
		if err != nil {
			return err
		}
		if compared++; !bytes.Equal(a, b) {
			t.Errorf("the released file %s differs where only hidden people do", name)
		}
		return nil
	})
	if err != nil || compared < 15 {
		t.Errorf("%d released files compared, %v", compared, err)
	}
}

// snapshot is the directory of the one snapshot, and table the file of one of its tables.
func (p *published) snapshot() string {
	return filepath.Join(p.data, "snapshots", sources.DateOf(attackedDay).String()+".1")
}

func (p *published) table(name string) string {
	return filepath.Join(p.snapshot(), "tables", name+".parquet")
}

func describe(e exchange) string {
	return fmt.Sprintf("%s\n%d\n%s\n%s", e.Path, e.Status, e.Header, e.Body)
}

// other is the same world but for one person of each skill, who moved to another value
// of one filter within a small group, or to another month, where that prints the same.
// One of the people employed moved too, from a borough to one that rounds the same.
func (w *attackedWorld) other() (*attackedWorld, []string) {
	o := *w
	o.skills = map[string]outcomes{}
	var changed []string
	for _, skill := range w.slugs() {
		of := w.skills[skill]
		for _, people := range w.moved(of.TurnedDownFor) {
			// Who was turned down for the skill was turned down without it too.
			all := func(people []synthtest.Person) []synthtest.Person { return slices.Concat(people, of.TurnedDownWith) }
			if maps.Equal(w.print(of.TurnedDownFor), w.print(people)) && maps.Equal(w.print(all(of.TurnedDownFor)), w.print(all(people))) {
				of.TurnedDownFor = people
				changed = append(changed, skill)
				break
			}
		}
		o.skills[skill] = of
	}
	o.employed = maps.Clone(w.employed)
	o.employed["islington"]--
	o.employed["westminster"]++
	return &o, changed
}

// moved are the same people but for one, in another place, sector, occupation or level.
func (w *attackedWorld) moved(people []synthtest.Person) (out [][]synthtest.Person) {
	seen := map[synthtest.Person]bool{}
	for i, p := range people {
		if seen[p] {
			continue
		}
		seen[p] = true
		for _, f := range []struct {
			of  []string
			set func(*synthtest.Person, string)
		}{
			{w.Sectors, func(p *synthtest.Person, v string) { p.Sector = v }}, {w.SOCs, func(p *synthtest.Person, v string) { p.SOC = v }},
			{w.Levels, func(p *synthtest.Person, v string) { p.Level = v }}, {w.Places, func(p *synthtest.Person, v string) { p.Place = v }},
		} {
			for _, v := range f.of {
				there := slices.Clone(people)
				if f.set(&there[i], v); there[i] != p {
					out = append(out, there)
				}
			}
		}
	}
	return out
}

// print returns what each cell prints: 0, "<5", a multiple of 5, and nothing below a
// cell that is "<5".
func (w *attackedWorld) print(people []synthtest.Person) map[synthtest.Cell]string {
	counts, out := w.Count(people), map[synthtest.Cell]string{}
	for _, cell := range w.Cells(w.All()) {
		if token := attackertest.Round(counts[cell]); token != "0" {
			out[cell] = token
		}
	}
	for cell := range out {
		if w.belowSmall(cell, counts) {
			delete(out, cell)
		}
	}
	return out
}

// belowSmall reports whether a cell that holds this one, with fewer filters, a wider
// place or a longer window, has 1 to 4 people.
func (w *attackedWorld) belowSmall(cell synthtest.Cell, counts map[synthtest.Cell]int64) bool {
	if cell.Dim == "month" {
		return false
	}
	places := []string{"", cell.Place}
	for area, boroughs := range w.Areas {
		inside := []string{cell.Place}
		if cell.Place == "" || !slices.Contains(boroughs, cell.Place) {
			inside = w.Areas[cell.Place]
		}
		if len(inside) > 0 && !slices.ContainsFunc(inside, func(b string) bool { return !slices.Contains(boroughs, b) }) {
			places = append(places, area)
		}
	}
	values := [][2]string{{"", ""}, {cell.Dim, cell.Value}}
	for digits := 1; cell.Dim == "soc" && digits < len(cell.Value); digits++ {
		values = append(values, [2]string{"soc", cell.Value[:digits]})
	}
	for _, place := range places {
		for _, v := range values {
			for _, window := range synthtest.Windows {
				other := synthtest.Cell{Dim: v[0], Place: place, Value: v[1], Window: window}
				if n := counts[other]; window >= cell.Window && other != cell && n >= 1 && n <= 4 {
					return true
				}
			}
		}
	}
	return false
}
