package snapshots

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ReadManifest reads the manifest in a snapshot's directory, wherever that is, and returns the
// SHA-256 of its bytes.
func ReadManifest(dir string) (m Manifest, sum string, err error) {
	path := filepath.Join(dir, ManifestName)
	b, err := os.ReadFile(path)
	if err != nil {
		return Manifest{}, "", fmt.Errorf("read manifest: %w", err)
	}
	if m, err = DecodeManifest(b); err != nil {
		return Manifest{}, "", fmt.Errorf("read %s: %w", path, err)
	}
	return m, fmt.Sprintf("%x", sha256.Sum256(b)), nil
}

// HashFile returns the size and the SHA-256 (hexadecimal) of a file.
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

// ReadReport reads the fields of T from the report of the snapshot in dir.
func ReadReport[T any](dir string) (report T, err error) {
	b, err := os.ReadFile(Within(dir, ReportName))
	if err != nil {
		return report, fmt.Errorf("read the report: %w", err)
	}
	if err := json.Unmarshal(b, &report); err != nil {
		return report, fmt.Errorf("read the report of %s: %w", dir, err)
	}
	return report, nil
}
