package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"labour/snapshots"
)

// PartnersDirName is the name of the folder, in a data directory, with the events that only one
// partner may see. The folder belongs to no snapshot, and is not copied or published with one.
const PartnersDirName = "partners"

const (
	partnersIndexName = "index.json"
	partnersExt       = ".parquet"

	ownerDir  fs.FileMode = 0o700
	ownerFile fs.FileMode = 0o600
)

// ErrNoPartnerFiles is the error of PartnerFiles if the files are missing or may not be read. A
// downloaded snapshot has no such files.
var ErrNoPartnerFiles = errors.New("the events of partners are not in this data directory")

// PartnerFile is a file with the events of one partner, in the columns of the table events. File is
// the file's name, and Path is its full path.
type PartnerFile struct {
	Partner string `json:"partner"`
	File    string `json:"file"`
	SHA256  string `json:"sha256"`
	Path    string `json:"-"`
}

// partnersIndex lists the files with partners' events of one snapshot, also if there are none. The
// manifest has the hash of this list. The salt prevents a reader of the manifest from guessing the
// list, and from seeing whether it is empty.
type partnersIndex struct {
	Snapshot snapshots.ID  `json:"snapshot"`
	Salt     string        `json:"salt"`
	Files    []PartnerFile `json:"files"` // files of partners' events, sorted by partner
}

// partnersRoot returns the path of the folder with the partners' events of all snapshots.
func (s *Store) partnersRoot() string { return filepath.Join(filepath.Dir(s.root), PartnersDirName) }

// partnersDir returns the path of the folder with the partners' events of one snapshot, whether or
// not the folder exists.
func (s *Store) partnersDir(id snapshots.ID) string {
	return filepath.Join(s.partnersRoot(), string(id))
}

// PartnerFiles returns the files with partners' events for the snapshot in dir, sorted by partner.
// It returns nil if the manifest has no hash of their list, as in some snapshots of earlier versions
// of this program. The error is ErrNoPartnerFiles if the list or a file is missing or may not be
// read.
//
// PartnerFiles verifies the index of the files against the hash in the manifest, and the files
// against the index.
func PartnerFiles(dir string, m snapshots.Manifest) (files []PartnerFile, err error) {
	defer snapshots.WrapError(&err, "read the events of partners of %s", m.ID)
	if m.PartnersSHA256 == "" {
		return nil, nil
	}
	data := filepath.Dir(filepath.Dir(filepath.Clean(dir)))
	files, err = partnerFiles(filepath.Join(data, PartnersDirName, string(m.ID)), m)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		err = errors.Join(ErrNoPartnerFiles, err)
	}
	return files, err
}

func partnerFiles(dir string, m snapshots.Manifest) ([]PartnerFile, error) {
	b, err := os.ReadFile(filepath.Join(dir, partnersIndexName))
	if err != nil {
		return nil, err
	}
	if fmt.Sprintf("%x", sha256.Sum256(b)) != m.PartnersSHA256 {
		return nil, fmt.Errorf("%s is not the one that was sealed", partnersIndexName)
	}
	var x partnersIndex
	if err := json.Unmarshal(b, &x); err != nil {
		return nil, err
	}
	for i := range x.Files {
		f := &x.Files[i]
		f.Path = filepath.Join(dir, f.File)
		got, err := snapshots.HashFile(f.Path)
		if err != nil {
			return nil, err
		}
		if got.SHA256 != f.SHA256 {
			return nil, fmt.Errorf("%s is not the file that was sealed", f.File)
		}
	}
	return x.Files, nil
}

// AddPartnerFile returns the path at which the caller must write the events of a partner. The file
// then belongs to the snapshot. Call AddPartnerFile once for each partner.
func (w *Writer) AddPartnerFile(partner string) (string, error) {
	dir := w.partnersDir()
	if err := os.MkdirAll(dir, ownerDir); err != nil {
		return "", err
	}
	file := fmt.Sprintf("%.16x", sha256.Sum256([]byte(partner))) + partnersExt
	path := filepath.Join(dir, file)
	w.partners = append(w.partners, PartnerFile{Partner: partner, File: file, Path: path})
	return path, nil
}

// PartnerFiles returns the files with partners' events that were added so far, without their
// hashes.
func (w *Writer) PartnerFiles() []PartnerFile { return slices.Clone(w.partners) }

// partnersDir returns the path of the hidden directory with partners' events, for a snapshot that
// is not sealed yet.
func (w *Writer) partnersDir() string {
	return filepath.Join(w.store.partnersRoot(), hiddenPrefix+string(w.id))
}

// sealPartners writes the list of the files with partners' events, also if there are none. It
// returns the SHA-256 of the list.
func (w *Writer) sealPartners(ctx context.Context) (sum string, err error) {
	if len(w.ManifestKey) == 0 {
		return "", errors.New("the list of the events of partners needs the operator's key")
	}
	if err := os.MkdirAll(w.partnersDir(), ownerDir); err != nil {
		return "", err
	}
	x := partnersIndex{Snapshot: w.id, Salt: w.ManifestKey.HMAC("partners of " + string(w.id)),
		Files: append([]PartnerFile{}, w.partners...)}
	slices.SortFunc(x.Files, func(a, b PartnerFile) int { return cmp.Compare(a.Partner, b.Partner) })
	for i, f := range x.Files {
		hashed, err := snapshots.HashFile(f.Path)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return "", err
		}
		x.Files[i].SHA256 = hashed.SHA256
	}
	b, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return "", err
	}
	b = append(b, '\n')
	if err := writeDurable(filepath.Join(w.partnersDir(), partnersIndexName), b); err != nil {
		return "", err
	}
	err = errors.Join(chmodTree(w.partnersDir(), ownerFile, ownerDir), syncTree(w.partnersDir()))
	return fmt.Sprintf("%x", sha256.Sum256(b)), w.store.afterStep("partners listed", err)
}

// namePartners gives the directory with partners' events its final name. It is called before the
// snapshot gets its own final name. Thus a visible snapshot always has its partners' events.
func (w *Writer) namePartners() error {
	err := renameDurable(w.partnersDir(), w.store.partnersDir(w.id))
	return w.store.afterStep("partners named", errors.Join(err, syncPath(filepath.Dir(w.store.partnersRoot()))))
}

func (s *Store) removePartners(id snapshots.ID) error {
	if err := os.RemoveAll(s.partnersDir(id)); err != nil {
		return fmt.Errorf("remove the events of partners of %s: %w", id, err)
	}
	return s.afterStep("partners removed", nil)
}

// sweepPartners removes the partners' events of unfinished, missing and withdrawn snapshots. The
// caller holds the writer's lock.
func (s *Store) sweepPartners() error {
	entries, err := os.ReadDir(s.partnersRoot())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		id, err := snapshots.ParseID(e.Name())
		if err != nil && !strings.HasPrefix(e.Name(), hiddenPrefix) {
			continue
		}
		if _, gone := os.Lstat(s.SnapshotDir(id)); err == nil && gone == nil && !s.IsWithdrawn(id) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(s.partnersRoot(), e.Name())); err != nil {
			return fmt.Errorf("sweep the events of partners of %s: %w", e.Name(), err)
		}
	}
	return nil
}

// AccessibleToOthers reports whether the file modes give users other than the owner access to a
// file. The result is false if the file or its directory has no permissions for group and others.
func AccessibleToOthers(file string) (bool, error) {
	for _, p := range []string{file, filepath.Dir(file)} {
		info, err := os.Stat(p)
		if err != nil {
			return false, err
		}
		if info.Mode().Perm()&0o077 == 0 {
			return false, nil
		}
	}
	return true, nil
}
