// Package secrets reads the two secrets of a data directory, and creates them in the first run. The
// manifest key makes the keyed hashes that name the platform's files. The rounding secret decides
// how counts of people are rounded. They are in the environment, or else in files that only the
// operator can read.
package secrets

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
)

// Lookup returns the secret with a name from the environment; false if it is not set. A nil Lookup
// finds none.
type Lookup func(name string) (value string, ok bool)

// create writes a new secret of 32 bytes, in hexadecimal digits, readable only by its owner. An
// existing file is complete and is kept; the error is then fs.ErrExist.
func create(file string) (err error) {
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
