package verify

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"labour/snapshots"
)

// hashFiles hashes all files in the snapshot's directory and sets s.hashes, unless it is set. A file
// that cannot be read is a fault and has an empty hash. A symbolic link or other special file is
// also a fault.
func (s *subject) hashFiles(ctx context.Context) error {
	if s.hashes != nil {
		return nil
	}
	s.hashes = map[string]snapshots.File{}
	return filepath.WalkDir(s.dir, func(path string, e fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(s.dir, path)
		if err := errors.Join(ctx.Err(), relErr); err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		var file snapshots.File
		switch {
		case err == nil && e.IsDir():
			return nil
		case err == nil && !e.Type().IsRegular():
			s.fault("files", name, WholeFile, "is not a plain file")
			return nil
		case err == nil:
			file, err = snapshots.HashFile(path)
		}
		if err != nil {
			s.fault("files", name, WholeFile, "cannot be read: %v", err)
		}
		s.hashes[name] = file
		return nil
	})
}

// checkFiles compares every file of the snapshot with the manifest. Changed, missing, unexpected
// and unreadable files are faults. The manifest does not list itself, SHA256SUMS and the signature.
func checkFiles(ctx context.Context, s *subject) error {
	err := s.hashFiles(ctx)
	s.report.Files = len(s.hashes)
	for name, got := range s.hashes {
		want, ok := s.manifest.FileSum(name)
		switch {
		case slices.Contains([]string{snapshots.ManifestFileName, snapshots.SumsFileName, snapshots.SignatureFileName}, name),
			got.SHA256 == "":
		case !ok:
			s.fault("files", name, WholeFile, "is not in the manifest")
		case got.Bytes != want.Bytes:
			s.fault("files", name, WholeFile, "has %d bytes, the manifest says %d", got.Bytes, want.Bytes)
		case got.SHA256 != want.SHA256:
			s.fault("files", name, WholeFile, "has SHA-256 %s, the manifest says %s", got.SHA256, want.SHA256)
		}
	}
	for _, name := range s.manifest.FileNames(false) {
		if _, ok := s.hashes[name]; !ok {
			s.fault("files", name, WholeFile, "is missing")
		}
	}
	return err
}

// checkSums compares every file of the snapshot with its hash in SHA256SUMS. The file must list all
// files except itself and the signature.
func checkSums(ctx context.Context, s *subject) error {
	const name = snapshots.SumsFileName
	if err := s.hashFiles(ctx); err != nil {
		return err
	}
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.fault("sums", name, WholeFile, "cannot be read: %v", err)
		return nil
	}
	listed := map[string]bool{snapshots.SumsFileName: true, snapshots.SignatureFileName: true}
	for i, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		sum, file, ok := strings.Cut(line, "  ")
		if !ok || !filepath.IsLocal(file) || listed[file] {
			s.fault("sums", name, int64(i), "is not a line with a checksum and a file, or repeats a file")
			continue
		}
		listed[file] = true
		switch got := s.hashes[file]; {
		case got.SHA256 == "":
			s.fault("sums", file, WholeFile, "is in %s, but cannot be read", name)
		case got.SHA256 != sum:
			s.fault("sums", file, WholeFile, "does not match its checksum in %s", name)
		}
	}
	for file := range s.hashes {
		if !listed[file] {
			s.fault("sums", file, WholeFile, "is not in %s", name)
		}
	}
	return nil
}

// checkJSON checks that report.json and datapackage.json are JSON texts. A missing file is a fault
// of the check "files".
func checkJSON(_ context.Context, s *subject) error {
	for _, name := range []string{snapshots.ReportFileName, snapshots.DataPackageFileName} {
		text, err := os.ReadFile(filepath.Join(s.dir, name))
		if err == nil && !json.Valid(text) {
			s.fault("json", name, WholeFile, "is no JSON text")
		}
	}
	return nil
}

// checkSignature verifies the signature of SHA256SUMS. Without a public key, it does nothing.
func checkSignature(_ context.Context, s *subject) error {
	const name = snapshots.SignatureFileName
	if s.PublicKey == nil {
		return nil
	}
	sums, err := os.ReadFile(filepath.Join(s.dir, snapshots.SumsFileName))
	if err != nil {
		return nil // a missing SHA256SUMS is already a fault of the sums
	}
	signed, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.fault("signature", name, WholeFile, "is missing or cannot be read, and a signature is required")
		return nil
	}
	if err := s.PublicKey.Verify(s.manifest.ID, sums, signed); err != nil {
		s.fault("signature", name, WholeFile, "%v", err)
	}
	return nil
}

// checkChain checks how the snapshot is linked with its store. The hash of the snapshot's manifest
// must be in the store's index. The hash of the previous snapshot's manifest must be in the
// snapshot's manifest. A snapshot outside the store is not checked.
func checkChain(ctx context.Context, s *subject) error {
	if s.Store == nil || filepath.Clean(s.Store.SnapshotDir(s.manifest.ID)) != filepath.Clean(s.dir) {
		return nil
	}
	if s.AllowIncompleteIndex {
		if err := s.Store.CheckAgainstIndex(s.manifest.ID); err != nil {
			s.fault("chain", snapshots.ManifestFileName, WholeFile, "%v", err)
		}
		return nil
	}
	_, links, err := s.Store.CheckChain(ctx)
	if err != nil {
		return err
	}
	for _, l := range links {
		if l.Fault && (l.ID == s.manifest.ID || l.ID == "") {
			s.fault("chain", snapshots.ManifestFileName, WholeFile, "%s", l.Text)
		}
	}
	p := s.manifest.Previous
	if p == nil {
		return nil
	}
	// The index tells whether a previous snapshot was removed or never pulled.
	if _, sum, err := snapshots.ReadManifest(s.Store.SnapshotDir(p.ID)); err == nil && sum != p.ManifestSHA256 {
		s.fault("chain", snapshots.ManifestFileName, WholeFile, "follows %s with SHA-256 %s; the one in the store has %s",
			p.ID, p.ManifestSHA256, sum)
	}
	return nil
}
