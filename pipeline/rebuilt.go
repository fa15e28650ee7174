package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/pipeline/calendar"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// RebuiltMargin is the name under which a rebuild compares the coding errors of the manifest, from
// which the margins of shares are calculated.
const RebuiltMargin = snapshots.ManifestName + " margin"

// Rebuilt is the result of rebuilding a table, an embargoed dataset (as embargoed/<name>) or RebuiltMargin, or
// the reason why it was not rebuilt.
type Rebuilt struct {
	Table string `json:"table"`
	Was   string `json:"was"` // SHA-256 in the manifest; of RebuiltMargin the two errors
	Is    string `json:"is"`  // SHA-256 of what was made now; of the sealed file where nothing was made
	// TakenOver is the snapshot from which the snapshot took the table over; empty for none. Then it was
	// not made again: its sealed file was held against the hash alone.
	TakenOver snapshots.ID `json:"taken_over_from,omitempty"`
	// ByHash is true for a table of people that the snapshot made under a secret that is not here. It was
	// not made again either.
	ByHash bool `json:"by_hash,omitempty"`
}

// Equal reports whether the bytes are the same.
func (r Rebuilt) Equal() bool { return r.Was == r.Is }

// compare compares the written files with the manifest, and the partners' events with the kept
// files.
func (f *archived) compare(t *tables) (err error) {
	w := t.writer
	hold := func(table, was, path string) {
		file, hashErr := snapshots.HashFile(path)
		err = errors.Join(err, hashErr)
		f.tables = append(f.tables, Rebuilt{Table: table, Was: was, Is: file.SHA256})
	}
	for _, table := range f.manifest.Tables {
		hold(table.Name, table.SHA256, w.TablePath(table.Name))
		f.noteCarried(t, table.Name)
	}
	if calendar.Day.DueAt(t.level) { // else they are those of the snapshot that it took its shares over from
		f.tables = append(f.tables, Rebuilt{Table: RebuiltMargin, Was: errorsText(f.manifest.Margin),
			Is: errorsText(codingErrors())})
	}
	for _, h := range f.manifest.Embargoed {
		name := snapshots.EmbargoedFileName(h.Name)
		if was, ok := f.manifest.Sum(name); ok {
			hold(snapshots.EmbargoedName+"/"+h.Name, was.SHA256, w.FilePath(name))
			f.noteCarried(t, h.Name)
		}
	}
	kept := map[string]string{} // their sums
	for _, was := range f.partners {
		kept[was.File] = was.SHA256
	}
	for _, p := range w.Partners() {
		if kept[p.File] != "" || f.partners != nil || f.manifest.PartnersSHA256 == "" { // else they are not kept here
			hold(snapshots.PartnersName+"/"+p.File, kept[p.File], p.Path)
		}
		delete(kept, p.File)
	}
	for file, was := range kept {
		f.tables = append(f.tables, Rebuilt{Table: snapshots.PartnersName + "/" + file, Was: was})
	}
	slices.SortFunc(f.tables, func(a, b Rebuilt) int { return strings.Compare(a.Table, b.Table) })
	return err
}

// errorsText returns the random and the systematic error of coding as text.
func errorsText(e *figure.CodingErrors) string {
	if e == nil {
		return "not stated"
	}
	return fmt.Sprintf("%g and %g", e.RandomError, e.SystematicError)
}

// noteCarried records why the table compared last was not rebuilt, if it was not: "An auditor
// rebuilds every other table from the archive byte for byte and takes people by their hash".
func (f *archived) noteCarried(t *tables, name string) {
	if !t.carried[name] {
		return
	}
	last := &f.tables[len(f.tables)-1]
	switch made := f.manifest.People; {
	case !snapshots.IsPeopleTable(name) || made == nil:
		last.TakenOver = f.manifest.Previous.ID // only a light snapshot takes those over, from the one before
	case made.MadeBy != f.manifest.ID:
		last.TakenOver = made.MadeBy
	default:
		last.ByHash = true
	}
}
