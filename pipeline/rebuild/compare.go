package rebuild

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// Margin is the name under which a rebuild compares the coding errors of the manifest, from which the
// margins of shares are calculated.
const Margin = snapshots.ManifestName + " margin"

// Result is the result of rebuilding a table, an embargoed dataset (as embargoed/<name>) or Margin, or
// the reason why it was not rebuilt.
type Result struct {
	Table string `json:"table"`
	Was   string `json:"was"` // SHA-256 in the manifest; of Margin the two errors
	Is    string `json:"is"`  // SHA-256 of what was made now; of the sealed file where nothing was made
	// TakenOver is the snapshot from which the snapshot took the table over; empty for none. Then it was
	// not made again: its sealed file was held against the hash alone.
	TakenOver snapshots.ID `json:"taken_over_from,omitempty"`
	// ByHash is true for a table of people that the snapshot made under a secret that is not here. It was
	// not made again either.
	ByHash bool `json:"by_hash,omitempty"`
}

// Equal reports whether the bytes are the same.
func (r Result) Equal() bool { return r.Was == r.Is }

// Compare compares the written files with the manifest, and the partners' events with the kept files.
// carried are the tables and embargoed datasets that were taken over, margin the errors of coding of now.
func (f *Basis) Compare(w *snapshots.Writer, carried map[string]bool,
	margin *figure.CodingErrors) (tables []Result, err error) {
	add := func(name, was, path string) *Result {
		file, hashErr := snapshots.HashFile(path)
		err = errors.Join(err, hashErr)
		tables = append(tables, Result{Table: name, Was: was, Is: file.SHA256})
		return &tables[len(tables)-1]
	}
	for _, table := range f.manifest.Tables {
		f.noteCarried(add(table.Name, table.SHA256, w.TablePath(table.Name)), table.Name, carried)
	}
	if f.Only == "" { // else they are those of the snapshot that it took its shares over from
		tables = append(tables, Result{Table: Margin, Was: errorsText(f.manifest.Margin), Is: errorsText(margin)})
	}
	for _, h := range f.manifest.Embargoed {
		name := snapshots.EmbargoedFileName(h.Name)
		if was, ok := f.manifest.Sum(name); ok {
			f.noteCarried(add(snapshots.EmbargoedName+"/"+h.Name, was.SHA256, w.FilePath(name)), h.Name, carried)
		}
	}
	kept := map[string]string{} // their sums
	for _, was := range f.partners {
		kept[was.File] = was.SHA256
	}
	for _, p := range w.Partners() {
		if kept[p.File] != "" || f.partners != nil || f.manifest.PartnersSHA256 == "" { // else they are not kept here
			add(snapshots.PartnersName+"/"+p.File, kept[p.File], p.Path)
		}
		delete(kept, p.File)
	}
	for file, was := range kept {
		tables = append(tables, Result{Table: snapshots.PartnersName + "/" + file, Was: was})
	}
	slices.SortFunc(tables, func(a, b Result) int { return strings.Compare(a.Table, b.Table) })
	return tables, err
}

// errorsText returns the random and the systematic error of coding as text.
func errorsText(e *figure.CodingErrors) string {
	if e == nil {
		return "not stated"
	}
	return fmt.Sprintf("%g and %g", e.RandomError, e.SystematicError)
}

// noteCarried records why a table was not rebuilt, if it was not: "An auditor rebuilds every other table
// from the archive byte for byte and takes people by their hash".
func (f *Basis) noteCarried(table *Result, name string, carried map[string]bool) {
	if !carried[name] {
		return
	}
	switch made := f.manifest.People; {
	case !snapshots.IsPeopleTable(name) || made == nil:
		table.TakenOver = f.manifest.Previous.ID // only a light snapshot takes those over, from the one before
	case made.MadeBy != f.manifest.ID:
		table.TakenOver = made.MadeBy
	default:
		table.ByHash = true
	}
}
