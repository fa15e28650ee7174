package pipeline

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"labour/snapshots"
)

// KeySecret is the name of the secret under which manifests name the platform's files.
// Where the environment has none, it is in the protected zone of the data directory.
const KeySecret = "LABOUR_MANIFEST_KEY"

// shortestKey is in characters; what is generated has 64.
const shortestKey = 32

// ManifestKey returns the operator's secret, nil if there is none yet. secrets may be nil.
func ManifestKey(data string, secrets func(name string) (string, bool)) (snapshots.Key, error) {
	if secrets != nil {
		if text, ok := secrets(KeySecret); ok {
			return checkedKey(KeySecret, text)
		}
	}
	file := keyFile(data)
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the key of manifests: %w", err)
	}
	return checkedKey(file, strings.TrimSpace(string(b)))
}

func keyFile(data string) string { return filepath.Join(data, "protected", "manifest.key") }

func checkedKey(from, text string) (snapshots.Key, error) {
	if len(text) < shortestKey {
		return nil, fmt.Errorf("%s: the key of manifests must have at least %d characters", from, shortestKey)
	}
	return snapshots.Key(text), nil
}

// key returns the operator's secret, and creates it at the first run of a data directory.
func (o *Options) key() (snapshots.Key, error) {
	k, err := ManifestKey(o.Data, o.Secrets)
	if k != nil || err != nil {
		return k, err
	}
	if err := writeSecret(keyFile(o.Data)); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make the key of manifests: %w", err)
	}
	return ManifestKey(o.Data, o.Secrets)
}

// writeSecret writes a new secret of 32 bytes, in hexadecimal digits, readable by its owner only.
// An existing file is complete and is kept.
func writeSecret(file string) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+"-") // mode 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.WriteString(hex.EncodeToString(secret) + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), file)
}
