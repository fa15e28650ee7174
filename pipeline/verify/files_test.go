package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/signature"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// folderOf writes files with these texts.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// A file that the manifest does not have, has with other bytes or lacks is a fault; the manifest,
// the sums and the signature are not in it.
func TestFilesOfTheManifest(t *testing.T) {
	dir := folderOf(t, map[string]string{snapshots.ManifestFileName: "{}", snapshots.SumsFileName: "",
		snapshots.SignatureFileName: "",
		"same":                      "text", "a/longer": "text", "other": "text", "more": "x",
		snapshots.ReportFileName: "text"})
	if err := os.Symlink("same", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	file := func(name, text string) snapshots.File {
		return snapshots.File{Path: name, Bytes: int64(len(text)), SHA256: sumOf(text)}
	}
	m := snapshots.Manifest{Files: []snapshots.File{file("same", "text"), file("a/longer", "tex"), file("other", "tent"),
		file("gone", ""), file(snapshots.ReportFileName, "tex")}}
	s := subjectOf(m, dir)
	if err := checkFiles(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	want := []string{"files a/longer: has 4 bytes, the manifest says 3", "files gone: is missing",
		"files link: is not a plain file", "files more: is not in the manifest",
		fmt.Sprintf("files other: has SHA-256 %s, the manifest says %s", sumOf("text"), sumOf("tent")),
		"files report.json: has 4 bytes, the manifest says 3"}
	if got := slices.Sorted(slices.Values(s.texts())); !slices.Equal(got, want) || s.report.Files != 8 {
		t.Errorf("%d files: %q, want %q", s.report.Files, got, want)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := checkFiles(ended, subjectOf(m, dir)); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that has ended: %v", err)
	}
	snapshot := t.TempDir()
	id := snaptest.BuildSnapshot(t, snapshot, "2026-11-20", snaptest.Content{PlatformName: "Works"})
	whole := filepath.Join(snapshots.SnapshotsDir(snapshot), string(id))
	if _, err := VerifyDir(ended, whole, Options{}); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "verify "+whole+", files: ") {
		t.Errorf("the whole of a run that has ended: %v", err)
	}
	if err := checkSums(ended, subjectOf(m, dir)); !errors.Is(err, context.Canceled) {
		t.Errorf("the sums of a run that has ended: %v", err)
	}
}

// Each line of the sums is one file with its sum, and each file has one line.
func TestSumsOfFiles(t *testing.T) {
	one, two := sumOf("one")+"  one", sumOf("two")+"  two"
	for _, tt := range []struct {
		sums string
		want []string
	}{
		{one + "\n" + two + "\n", nil}, {one + "\n" + two, nil},
		{one + "\n", []string{"sums two: is not in SHA256SUMS"}},
		{one + "\n" + two + "\n" + sumOf("x") + "  three\n", []string{"sums three: is in SHA256SUMS, but cannot be read"}},
		{one + "\n" + sumOf("x") + "  two\n", []string{"sums two: does not match its checksum in SHA256SUMS"}},
		{one + "\n" + two + "\n" + one + "\n",
			[]string{"sums SHA256SUMS: is not a line with a checksum and a file, or repeats a file"}},
		{one + "\n" + two + "\n" + sumOf("x") + " three\n",
			[]string{"sums SHA256SUMS: is not a line with a checksum and a file, or repeats a file"}},
		{one + "\n" + two + "\n" + sumOf("x") + "  ../three\n",
			[]string{"sums SHA256SUMS: is not a line with a checksum and a file, or repeats a file"}},
	} {
		s := subjectOf(snapshots.Manifest{}, folderOf(t, map[string]string{"one": "one", "two": "two",
			snapshots.SumsFileName: tt.sums, snapshots.SignatureFileName: "x"}))
		if err := checkSums(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		got := s.texts()
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.sums, got, tt.want)
		}
		if len(got) > 0 && strings.HasPrefix(got[0], "sums SHA256SUMS: ") && s.report.Faults[0].Row != 2 {
			t.Errorf("%q: the fault is in row %d, want 2", tt.sums, s.report.Faults[0].Row)
		}
	}
	s := subjectOf(snapshots.Manifest{}, folderOf(t, map[string]string{"one": "one"}))
	if err := checkSums(t.Context(), s); err != nil || len(s.texts()) != 1 ||
		!strings.HasPrefix(s.texts()[0], "sums SHA256SUMS: cannot be read: ") {
		t.Errorf("without sums: %q, %v", s.texts(), err)
	}
}

// With a public key the signature must be there and be that of the sums and the snapshot.
func TestSignaturesOfSums(t *testing.T) {
	secret, public, err := signature.GenerateKeyPair(rand.New(rand.NewSource(1)), "")
	if err != nil {
		t.Fatal(err)
	}
	keys := folderOf(t, map[string]string{"secret": string(secret), "public": string(public)})
	signer, err := signature.ReadSigner(filepath.Join(keys, "secret"), "")
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := signature.ReadVerifier(filepath.Join(keys, "public"))
	if err != nil {
		t.Fatal(err)
	}
	const id = snapshots.ID("2026-11-20.1")
	signed, err := signer.Sign(id, []byte("sums"))
	if err != nil {
		t.Fatal(err)
	}
	whole := map[string]string{snapshots.SumsFileName: "sums", snapshots.SignatureFileName: string(signed)}
	without := func(name string) map[string]string {
		files := maps.Clone(whole)
		delete(files, name)
		return files
	}
	other := maps.Clone(whole)
	other[snapshots.SumsFileName] = "other sums"
	for _, tt := range []struct {
		name  string
		files map[string]string
		id    snapshots.ID
		key   *signature.Verifier
		want  int
	}{
		{"signed", whole, id, verifier, 0}, {"of another snapshot", whole, "2026-11-20.2", verifier, 1},
		{"of other sums", other, id, verifier, 1}, {"without a signature", without(snapshots.SignatureFileName), id,
			verifier, 1},
		{"without sums", without(snapshots.SumsFileName), id, verifier, 0}, {"without a key", other, id, nil, 0},
	} {
		s := subjectOf(snapshots.Manifest{ID: tt.id}, folderOf(t, tt.files))
		s.PublicKey = tt.key
		if err := checkSignature(t.Context(), s); err != nil || len(s.texts()) != tt.want {
			t.Errorf("%s: %q, %v; want %d faults", tt.name, s.texts(), err, tt.want)
		}
		if tt.name == "without a signature" && s.report.Faults[0].Text !=
			"is missing or cannot be read, and a signature is required" {
			t.Errorf("%s: %q", tt.name, s.texts())
		}
	}
}

// A snapshot of a store follows the one before it by its hash; one that is elsewhere is not held
// against the store.
func TestChainsOfSnapshots(t *testing.T) {
	data := t.TempDir()
	first := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.Content{PlatformName: "Works"})
	second := snaptest.BuildSnapshot(t, data, "2026-11-21", snaptest.Content{PlatformName: "Works"})
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	m, err := folder.Manifest(second)
	if err != nil || m.Previous == nil || m.Previous.ID != first {
		t.Fatalf("the snapshot follows %+v, %v", m.Previous, err)
	}
	for _, tt := range []struct {
		name   string
		change func(s *subject)
		want   string
	}{
		{"sound", func(*subject) {}, ""},
		{"without a store", func(s *subject) { s.Store, s.manifest.Previous = nil, &snapshots.PreviousSnapshot{ID: first} },
			""},
		{"elsewhere", func(s *subject) { s.dir, s.manifest.Previous = t.TempDir(), &snapshots.PreviousSnapshot{ID: first} },
			""},
		{"a previous one that is not there", func(s *subject) {
			s.manifest.Previous = &snapshots.PreviousSnapshot{ID: "2026-01-01.1"}
		}, ""},
		{"no previous one", func(s *subject) { s.manifest.Previous = nil }, ""},
		{"another manifest before", func(s *subject) {
			s.manifest.Previous = &snapshots.PreviousSnapshot{ID: first, ManifestSHA256: "5e"}
		}, "chain manifest.json: follows 2026-11-20.1 with SHA-256 5e; the one in the store has " +
			m.Previous.ManifestSHA256},
	} {
		s := subjectOf(m, folder.SnapshotDir(second))
		s.Store = folder
		tt.change(s)
		err := checkChain(t.Context(), s)
		if got := strings.Join(s.texts(), "; "); err != nil || got != tt.want {
			t.Errorf("%s: %s, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

// Of many faults of one check in one file the first are listed and the others counted; all are in order.
func TestFaultsAreListedInOrder(t *testing.T) {
	s := subjectOf(snapshots.Manifest{}, "")
	for range maxPerFile + 2 {
		s.fault("b", "many", 7, "x")
	}
	for range maxPerFile {
		s.fault("b", "as many", 7, "x")
	}
	s.fault("a", "many", 7, "x")
	s.fault("b", "a file", 2, "y")
	s.fault("b", "a file", 2, "x")
	s.fault("b", "a file", 1, "z")
	s.summarise()
	if n := len(s.report.Faults); n != 2*maxPerFile+5 {
		t.Errorf("%d faults are listed, want %d", n, 2*maxPerFile+5)
	}
	texts := s.texts()
	if want := []string{"b a file: z", "b a file: x", "b a file: y", "b as many: x"}; !slices.Equal(texts[:4], want) {
		t.Errorf("the first are %q, want %q", texts[:4], want)
	}
	if want := []string{"b many: 2 more faults of this kind", "a many: x", "b many: x"}; !slices.Equal(
		texts[3+maxPerFile:6+maxPerFile], want) {
		t.Errorf("those of many are %q, want %q", texts[3+maxPerFile:6+maxPerFile], want)
	}
	for row, want := range map[int64]string{WholeFile: "f: t (c)", 0: "f, row 0: t (c)"} {
		if got := (Fault{"c", "f", row, "t"}).String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A report and a data package that are no JSON are faults; missing ones are not faults of this check.
func TestFilesThatAreNoJSON(t *testing.T) {
	texts := map[string]string{"report.json": "hello", "datapackage.json": "{}\n"}
	s := subjectOf(snapshots.Manifest{}, folderOf(t, texts))
	if err := checkJSON(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if got := s.texts(); !slices.Equal(got, []string{"json report.json: is no JSON text"}) {
		t.Errorf("%q", got)
	}
	s = subjectOf(snapshots.Manifest{}, t.TempDir())
	if err := checkJSON(t.Context(), s); err != nil || len(s.texts()) != 0 {
		t.Errorf("%v, %q", err, s.texts())
	}
	if !slices.ContainsFunc(checks(), func(c check) bool { return c.name == "json" }) {
		t.Error("the check does not run")
	}
}
