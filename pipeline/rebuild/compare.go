package rebuild

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/store"
)

// ErrorRatesResult is the value of Result.Table for the error rates of coding, which assigns skills
// to adverts. The rates are compared like a file. The margins of shares are computed from them.
const ErrorRatesResult = snapshots.ManifestFileName + " margin"

// Result is the comparison of one rebuilt file with the sealed file. Table is the name of a table,
// "embargoed/<name>" or "partners/<file>". One more Result compares the coding error rates
// (ErrorRatesResult). TakenOver and ByHash state why a file was not rebuilt.
type Result struct {
	Table string `json:"table"`
	// value in the sealed manifest: the SHA-256 in hex; for ErrorRatesResult the two coding error
	// rates
	Was string `json:"was"`
	// SHA-256 of the rebuilt file, in hex; of the sealed file if it was not rebuilt
	Is string `json:"is"`
	// TakenOver is the snapshot from which the sealed snapshot took the table over; empty if the
	// table was made in its own run. A table that was taken over is not rebuilt: its sealed file is
	// only compared with the hash.
	TakenOver snapshots.ID `json:"taken_over_from,omitempty"`
	// ByHash is true for a table of people that was made with a secret that is not available. Such
	// a table is not rebuilt: its sealed file is only compared with the hash.
	ByHash bool `json:"by_hash,omitempty"`
	// RowsEqual is true if the files differ, but have the same columns and rows. Then only the
	// descriptions in their metadata differ: texts on the table, its columns, licence or attribution.
	RowsEqual bool `json:"rows_equal,omitempty"`
}

// Equal reports whether the rebuilt file is byte for byte the sealed one. For the coding error
// rates, it reports whether they are equal.
func (r Result) Equal() bool { return r.Was == r.Is }

// HasSealedRows reports whether the rebuilt file has every figure of the sealed one: it is equal, or
// only its descriptions differ.
func (r Result) HasSealedRows() bool { return r.Equal() || r.RowsEqual }

// Compare compares the rebuilt files in w with the sealed files. copies has the names of tables and
// datasets whose files in w are copies of the sealed ones, because they were not rebuilt. margin has
// the coding error rates of this program.
func (f *SealedInputs) Compare(w *store.Writer, copies map[string]bool,
	margin *figure.CodingErrors) (tables []Result, err error) {
	add := func(name, was, sealed, path string) *Result {
		result, compareErr := compareFile(name, was, sealed, path)
		err = errors.Join(err, compareErr)
		tables = append(tables, result)
		return &tables[len(tables)-1]
	}
	for _, table := range f.manifest.Tables {
		sealed := snapshots.TablePath(f.sealedDir, table.Name)
		f.noteNotRebuilt(add(table.Name, table.SHA256, sealed, w.TablePath(table.Name)), table.Name, copies)
	}
	// the error rates of a light snapshot belong to shares that were taken over from another snapshot
	if !f.IsLight {
		tables = append(tables, Result{Table: ErrorRatesResult, Was: errorsText(f.manifest.CodingErrors),
			Is: errorsText(margin)})
	}
	for _, h := range f.manifest.Embargoed {
		name := snapshots.EmbargoedFileName(h.Name)
		if was, ok := f.manifest.FileSum(name); ok {
			sealed := snapshots.JoinPath(f.sealedDir, name)
			result := add(snapshots.EmbargoedDirName+"/"+h.Name, was.SHA256, sealed, w.FilePath(name))
			f.noteNotRebuilt(result, h.Name, copies)
		}
	}
	// sealed files of partners' events that were not yet compared, by file name
	kept := map[string]store.PartnerFile{}
	for _, was := range f.partners {
		kept[was.File] = was
	}
	for _, p := range w.PartnerFiles() {
		was, isKept := kept[p.File]
		// otherwise the sealed files are not in this data directory
		if isKept || f.partners != nil || f.manifest.PartnersSHA256 == "" {
			add(store.PartnersDirName+"/"+p.File, was.SHA256, was.Path, p.Path)
		}
		delete(kept, p.File)
	}
	for file, was := range kept {
		tables = append(tables, Result{Table: store.PartnersDirName + "/" + file, Was: was.SHA256})
	}
	slices.SortFunc(tables, func(a, b Result) int { return strings.Compare(a.Table, b.Table) })
	return tables, err
}

// compareFile compares the rebuilt file of a table with its sealed file. name is the name of the
// table, and rebuilt and sealed are the paths of the files. was is the SHA-256 of the sealed file
// in the manifest.
func compareFile(name, was, sealed, rebuilt string) (Result, error) {
	file, err := snapshots.HashFile(rebuilt)
	r := Result{Table: name, Was: was, Is: file.SHA256}
	if err != nil || r.Equal() {
		return r, err
	}
	r.RowsEqual, err = onlyDescriptionsDiffer(was, sealed, rebuilt)
	return r, err
}

// errorsText returns the random and the systematic error rate of coding, which assigns skills to
// adverts, as text.
func errorsText(e *figure.CodingErrors) string {
	if e == nil {
		return "not stated"
	}
	return fmt.Sprintf("%g and %g", e.RandomError, e.SystematicError)
}

// noteNotRebuilt sets TakenOver or ByHash in the result of a table that was not rebuilt. name is the
// table's name. copies has the names of all tables that were not rebuilt. If name is not among
// them, noteNotRebuilt does nothing.
func (f *SealedInputs) noteNotRebuilt(table *Result, name string, copies map[string]bool) {
	if !copies[name] {
		return
	}
	switch made := f.manifest.People; {
	case !snapshots.IsPeopleTable(name) || made == nil:
		// only a light snapshot takes such a table over, from the previous snapshot
		table.TakenOver = f.manifest.Previous.ID
	case made.FirstSnapshot != f.manifest.ID:
		table.TakenOver = made.FirstSnapshot
	default:
		table.ByHash = true
	}
}
