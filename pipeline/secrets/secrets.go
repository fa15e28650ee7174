// Package secrets reads the two secrets of a data directory, and creates them in the first run.
// The manifest key makes the keyed hashes that name the platform's files. The rounding secret
// decides how counts of people are rounded. They are read from the environment, or else from files
// that only the operator can read.
package secrets

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
)

// Lookup returns the value of a secret by its name, such as an environment variable. ok is false if
// it is not set. If a Lookup is nil, no secret is set.
type Lookup func(name string) (value string, ok bool)

// create writes a new random secret of 64 hexadecimal digits to a file. Only the file's owner can
// read it. If the file exists, create keeps it and returns an error that wraps fs.ErrExist.
func create(file string) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	secret := make([]byte, 32)
	rand.Read(secret)                                                    // it never fails
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
