package verify

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"labour/snapshots"
)

// expected is what the manifest says of a file.
type expected struct {
	sum   string
	bytes int64
}

// checkFiles hashes every file and compares it with the manifest: changed,
// missing and strange files are faults.
func checkFiles(ctx context.Context, s *subject) error {
	want := map[string]expected{}
	for _, t := range s.manifest.Tables {
		want[snapshots.TableFileName(t.Name)] = expected{t.SHA256, t.Bytes}
	}
	for _, f := range s.manifest.Files {
		want[f.Path] = expected{f.SHA256, f.Bytes}
	}
	found := map[string]bool{}
	err := walk(ctx, s, "files", func(name, path string) {
		found[name] = true
		s.report.Files++
		if !named(name) {
			s.compare(name, path, want)
		}
	})
	for name := range want {
		if !found[name] {
			s.fault("files", name, WholeFile, "is missing")
		}
	}
	if !found[snapshots.SumsName] {
		s.fault("files", snapshots.SumsName, WholeFile, "is missing")
	}
	return err
}

// named says whether a file belongs to a snapshot without being in its manifest.
func named(name string) bool {
	return name == snapshots.ManifestName || name == snapshots.SumsName || name == snapshots.SignatureName
}

func (s *subject) compare(name, path string, want map[string]expected) {
	w, ok := want[name]
	if !ok {
		s.fault("files", name, WholeFile, "is not in the manifest")
		return
	}
	got, err := snapshots.HashFile(path)
	switch {
	case err != nil:
		s.fault("files", name, WholeFile, "cannot be read: %v", err)
	case got.Bytes != w.bytes:
		s.fault("files", name, WholeFile, "has %d bytes, the manifest says %d", got.Bytes, w.bytes)
	case got.SHA256 != w.sum:
		s.fault("files", name, WholeFile, "has SHA-256 %s, the manifest says %s", got.SHA256, w.sum)
	}
}

// walk visits every plain file; anything else but a directory is a fault.
func walk(ctx context.Context, s *subject, check string, visit func(name, path string)) error {
	return filepath.WalkDir(s.dir, func(path string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(s.dir, path)
		if relErr != nil {
			return relErr
		}
		name := filepath.ToSlash(rel)
		switch {
		case err != nil:
			s.fault(check, name, WholeFile, "cannot be read: %v", err)
		case e.IsDir():
		case !e.Type().IsRegular():
			s.fault(check, name, WholeFile, "is not a plain file")
		default:
			visit(name, path)
		}
		return nil
	})
}

// checkSums compares SHA256SUMS, which covers every file and the manifest, with what is there.
func checkSums(ctx context.Context, s *subject) error {
	const name = snapshots.SumsName
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.fault("sums", name, WholeFile, "cannot be read: %v", err)
		return nil
	}
	listed := map[string]bool{snapshots.SumsName: true, snapshots.SignatureName: true}
	for i, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		sum, file, ok := strings.Cut(line, "  ")
		if !ok || !filepath.IsLocal(file) || listed[file] {
			s.fault("sums", name, int64(i), "is not a line of a sum and a file, or one that is there twice")
			continue
		}
		listed[file] = true
		got, err := snapshots.HashFile(snapshots.Within(s.dir, file))
		switch {
		case err != nil:
			s.fault("sums", file, WholeFile, "is in %s, but cannot be read", name)
		case got.SHA256 != sum:
			s.fault("sums", file, WholeFile, "is not the file that %s has the sum of", name)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return walk(ctx, s, "sums", func(file, _ string) {
		if !listed[file] {
			s.fault("sums", file, WholeFile, "is not in %s", name)
		}
	})
}

// checkSignature holds SHA256SUMS against its signature, where a key was given.
// That the sums are those of the files is the check of the sums.
func checkSignature(_ context.Context, s *subject) error {
	const name = snapshots.SignatureName
	if s.key == nil {
		return nil
	}
	sums, err := os.ReadFile(filepath.Join(s.dir, snapshots.SumsName))
	if err != nil {
		return nil // a fault of the sums already
	}
	signed, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.fault("signature", name, WholeFile, "is missing or cannot be read, and a signature is asked for")
		return nil
	}
	if err := s.key.Check(s.manifest.ID, sums, signed); err != nil {
		s.fault("signature", name, WholeFile, "%v", err)
	}
	return nil
}

// In says that the snapshot lies in a store, and makes it a fault when the store's
// index or the chain of the manifests says otherwise than the snapshot does.
func In(store *snapshots.Store) Option { return func(s *subject) { s.store = store } }

// checkChain takes from the chain of the store what concerns this snapshot: its
// manifest is the one that was sealed, and the one before it is the one that it
// names. Gaps elsewhere are for `labour snapshot list`.
func checkChain(ctx context.Context, s *subject) error {
	if s.store == nil || filepath.Clean(s.store.Dir(s.manifest.ID)) != filepath.Clean(s.dir) {
		return nil
	}
	_, links, err := s.store.Chain(ctx)
	if err != nil {
		return err
	}
	for _, l := range links {
		if l.Fault && (l.ID == s.manifest.ID || l.ID == "") {
			s.fault("chain", snapshots.ManifestName, WholeFile, "%s", l.What)
		}
	}
	p := s.manifest.Previous
	if p == nil {
		return nil
	}
	// A previous snapshot that was removed or never pulled is said by the index.
	if _, sum, err := snapshots.ReadManifest(s.store.Dir(p.ID)); err == nil && sum != p.ManifestSHA256 {
		s.fault("chain", snapshots.ManifestName, WholeFile, "follows %s with SHA-256 %s; the one in the store has %s", p.ID, p.ManifestSHA256, sum)
	}
	return nil
}
