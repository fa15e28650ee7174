package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"labour/snapshots"
)

// Seal completes the snapshot. It writes the manifest m, makes the snapshot read-only and gives it
// its final name. It does not promote the snapshot. It also writes report to report.json.
//
// Before the call, the caller must write every table of snapshots.Tables. It must set these fields
// of m: people_as_of, platform_name, tool_version, created_at, inputs, embargoed, and the name and
// rows of every table. Seal sets the other fields.
//
// The writer's lock is held until Close. Thus the caller can check and promote the snapshot before
// another run begins. After an error the caller may inspect the directory.
func (w *Writer) Seal(ctx context.Context, m snapshots.Manifest, report []byte) (snapshots.ID, error) {
	if w.lock == nil || w.sealed {
		return "", fmt.Errorf("seal %s: the writer has ended", w.id)
	}
	if err := w.seal(ctx, m, report); err != nil {
		return "", fmt.Errorf("seal %s: %w", w.id, err)
	}
	w.sealed = true
	return w.id, w.store.enter(ctx, w.id)
}

// seal writes the data, then the hashes, then the manifest m. Last, it gives the snapshot its final
// name. report is the content of report.json. Because of this order, a kill after any step does no
// harm.
func (w *Writer) seal(ctx context.Context, m snapshots.Manifest, report []byte) error {
	m, err := w.complete(m)
	if err != nil {
		return err
	}
	if err := w.store.afterStep("report written", w.writeDerived(m, report)); err != nil {
		return err
	}
	files, err := hashTree(ctx, w.dir)
	if err != nil {
		return err
	}
	if m, err = fillFileLists(m, files); err != nil {
		return err
	}
	if m.PartnersSHA256, err = w.sealPartners(ctx); err != nil {
		return err
	}
	if err := w.store.afterStep("files synced", syncTree(w.dir)); err != nil {
		return err
	}
	manifest, err := w.writeLast(m, files)
	if err != nil {
		return err
	}
	return w.takeFinalName(manifest)
}

// complete returns the manifest with the fields format, id, as_of and previous set. It returns an
// error if fields that the caller must set are missing or contradict each other.
func (w *Writer) complete(m snapshots.Manifest) (snapshots.Manifest, error) {
	m.Format = snapshots.Format
	m.ID = w.id
	m.AsOf = snapshots.DateOf(w.id.Date())
	if m.CreatedAt.IsZero() || m.PlatformName == "" || m.ToolVersion == "" {
		return m, errors.New("created_at, platform_name and tool_version must be given")
	}
	for _, h := range m.Embargoed {
		if h.Rows == nil {
			continue
		}
		if _, err := os.Lstat(w.FilePath(snapshots.EmbargoedFileName(h.Name))); err != nil {
			return m, fmt.Errorf("embargoed dataset %s has rows and no file: %w", h.Name, err)
		}
	}
	if m.PeopleAsOf != nil && m.PeopleAsOf.After(m.AsOf.Time) {
		return m, fmt.Errorf("people_as_of %s is after as_of %s", m.PeopleAsOf, m.AsOf)
	}
	m.Previous = nil
	current, err := w.store.Current()
	if errors.Is(err, ErrNoCurrent) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	_, sum, err := w.store.manifest(current)
	if err != nil {
		return m, fmt.Errorf("previous snapshot: %w", err)
	}
	m.Previous = &snapshots.PreviousSnapshot{ID: current, ManifestSHA256: sum}
	return m, nil
}

// writeDerived writes report.json and datapackage.json. Before that, it removes the manifest,
// SHA256SUMS and the signature of an earlier attempt.
func (w *Writer) writeDerived(m snapshots.Manifest, report []byte) error {
	for _, name := range []string{snapshots.ManifestFileName, snapshots.SumsFileName, snapshots.SignatureFileName} {
		if err := os.Remove(w.FilePath(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.WriteFile(w.FilePath(snapshots.ReportFileName), report, openFile); err != nil {
		return err
	}
	if _, err := os.Lstat(w.FilePath(snapshots.ChangesFileName)); err == nil {
		m.Files = []snapshots.File{{Path: snapshots.ChangesFileName}} // the list itself is written later
	}
	b, err := snapshots.DataPackage(m, w.Sources, w.Credits)
	if err != nil {
		return err
	}
	return os.WriteFile(w.FilePath(snapshots.DataPackageFileName), b, openFile)
}

// hashTree returns every file under dir with its hash, sorted by path. It returns an error if dir
// contains a link or another special file, because the target of a link could change later.
func hashTree(ctx context.Context, dir string) ([]snapshots.File, error) {
	var files []snapshots.File
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		if !e.Type().IsRegular() {
			return fmt.Errorf("%s is not a plain file", rel)
		}
		f, err := snapshots.HashFile(p)
		f.Path = filepath.ToSlash(rel)
		files = append(files, f)
		return err
	})
	slices.SortFunc(files, func(a, b snapshots.File) int { return strings.Compare(a.Path, b.Path) })
	return files, err
}

// fillFileLists returns the manifest with its lists of tables and files filled in. It returns an
// error unless files has exactly the tables of the format and the manifest has the row count of
// each.
func fillFileLists(m snapshots.Manifest, files []snapshots.File) (snapshots.Manifest, error) {
	rows := map[string]int64{}
	for _, t := range m.Tables {
		if _, twice := rows[t.Name]; twice {
			return m, fmt.Errorf("table %s is given twice", t.Name)
		}
		rows[t.Name] = t.Rows
	}
	m.Tables, m.Files = nil, nil
	for _, f := range files {
		name, isTable := snapshots.TableOfFile(f.Path)
		if !isTable {
			m.Files = append(m.Files, f)
			continue
		}
		schema, known := snapshots.FindTable(name)
		n, given := rows[name]
		if !known || !given {
			return m, fmt.Errorf("%s: no such table, or its rows were not given", f.Path)
		}
		delete(rows, name)
		m.Tables = append(m.Tables, snapshots.TableFile{Name: name, Rows: n, Bytes: f.Bytes, SHA256: f.SHA256,
			SortColumns: schema.SortColumns, Columns: schema.Columns})
	}
	if len(rows) > 0 || len(m.Tables) != len(snapshots.Tables()) {
		return m, fmt.Errorf("%d of %d tables were written", len(m.Tables), len(snapshots.Tables()))
	}
	return m, nil
}

// writeLast writes SHA256SUMS, then its signature if there is one, and last the manifest.
// SHA256SUMS includes the hash of the manifest. The result is the manifest's bytes.
func (w *Writer) writeLast(m snapshots.Manifest, files []snapshots.File) ([]byte, error) {
	manifest, err := m.Encode()
	if err != nil {
		return nil, err
	}
	sums := sumsOf(manifest, files)
	if err := writeDurable(w.FilePath(snapshots.SumsFileName), sums); err != nil {
		return nil, err
	}
	if w.SignSums != nil {
		sig, err := w.SignSums(sums)
		if err != nil {
			return nil, fmt.Errorf("sign: %w", err)
		}
		if err := writeDurable(w.FilePath(snapshots.SignatureFileName), sig); err != nil {
			return nil, err
		}
	}
	if err := w.store.afterStep("sums written", nil); err != nil {
		return nil, err
	}
	return manifest, w.store.afterStep("manifest written", writeDurable(w.FilePath(snapshots.ManifestFileName), manifest))
}

// sumsOf returns the content of SHA256SUMS, in the format that `sha256sum -c` reads.
func sumsOf(manifest []byte, files []snapshots.File) []byte {
	itself := snapshots.File{Path: snapshots.ManifestFileName, SHA256: fmt.Sprintf("%x", sha256.Sum256(manifest))}
	all := append([]snapshots.File{itself}, files...)
	slices.SortFunc(all, func(a, b snapshots.File) int { return strings.Compare(a.Path, b.Path) })
	var b strings.Builder
	for _, f := range all {
		b.WriteString(f.SHA256 + "  " + f.Path + "\n")
	}
	return []byte(b.String())
}

// takeFinalName makes the directory of a snapshot read-only and gives it its final name. If a
// snapshot with that name and manifest already exists, takeFinalName removes the new directory
// instead. If its manifest differs, the error is ErrSealedManifestDiffers.
func (w *Writer) takeFinalName(manifest []byte) error {
	if err := chmodTree(w.dir, sealedFile, sealedDir); err != nil {
		return err
	}
	if err := w.store.afterStep("made read-only", syncPath(w.dir)); err != nil {
		return err
	}
	to := w.store.SnapshotDir(w.id)
	if _, err := os.Lstat(to); err == nil {
		there, err := os.ReadFile(filepath.Join(to, snapshots.ManifestFileName))
		if err != nil || string(there) != string(manifest) {
			return errors.Join(ErrSealedManifestDiffers, err)
		}
		return errors.Join(removeTree(w.dir), os.RemoveAll(w.partnersDir()))
	}
	if err := w.namePartners(); err != nil {
		return err
	}
	return w.store.afterStep("renamed", renameDurable(w.dir, to))
}
