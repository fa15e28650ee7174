package snapshots

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ReadManifest reads the manifest of the snapshot in dir. sum is the SHA-256 of the manifest's
// bytes, in hexadecimal.
func ReadManifest(dir string) (m Manifest, sum string, err error) {
	path := filepath.Join(dir, ManifestFileName)
	b, err := os.ReadFile(path)
	if err != nil {
		return Manifest{}, "", fmt.Errorf("read manifest: %w", err)
	}
	if m, err = DecodeManifest(b); err != nil {
		return Manifest{}, "", fmt.Errorf("read %s: %w", path, err)
	}
	return m, fmt.Sprintf("%x", sha256.Sum256(b)), nil
}

// HashFile returns the size of a file and its SHA-256 in hexadecimal.
func HashFile(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, fmt.Errorf("hash: %w", err)
	}
	defer f.Close() // opened for reading only
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return File{}, fmt.Errorf("hash %s: %w", path, err)
	}
	return File{Path: path, SHA256: fmt.Sprintf("%x", h.Sum(nil)), Bytes: n}, nil
}

// ReadReport decodes the file report.json of the snapshot in dir into a value of type T. It ignores
// fields that T does not have.
func ReadReport[T any](dir string) (report T, err error) {
	b, err := os.ReadFile(JoinPath(dir, ReportFileName))
	if err != nil {
		return report, fmt.Errorf("read the report: %w", err)
	}
	if err := json.Unmarshal(b, &report); err != nil {
		return report, fmt.Errorf("read the report of %s: %w", dir, err)
	}
	return report, nil
}
