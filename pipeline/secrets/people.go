package secrets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"labour/pipeline/disclosure"
)

// RoundingSecretName is the environment variable for the rounding secret, which decides whether a
// count of people is rounded up or down.
const RoundingSecretName = "LABOUR_PEOPLE_SECRET"

// RoundingSecretFile returns the path, in a data directory, of the file with the secret for
// rounding counts of people.
func RoundingSecretFile(data string) string { return filepath.Join(data, "protected", "people.secret") }

// RoundingSecret returns the secret for rounding counts of people, from the environment or the data
// directory. The error wraps fs.ErrNotExist if there is none yet. A secret that is not 64
// hexadecimal digits, or a file that other users may read, is also an error.
func RoundingSecret(data string, lookup Lookup) (s disclosure.RoundingSecret, err error) {
	if lookup != nil {
		if text, ok := lookup(RoundingSecretName); ok {
			if s, err = disclosure.ParseSecret(strings.TrimSpace(text)); err != nil {
				err = fmt.Errorf("%s: %w; make one with: openssl rand -hex 32", RoundingSecretName, err)
			}
			return s, err
		}
	}
	file := RoundingSecretFile(data)
	about, err := os.Stat(file)
	if err != nil {
		return s, err
	}
	if about.IsDir() {
		return s, fmt.Errorf("%s is a directory, but must be the file with the secret of people; move it away and put "+
			"the file back from a backup, or, if there is none, let the next run make a new secret", file)
	}
	if about.Mode().Perm()&0o077 != 0 {
		return s, fmt.Errorf("other users may read the secret of people; restrict it with: chmod 600 %s", file)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return s, fmt.Errorf("read the secret of people: %w", err)
	}
	if s, err = disclosure.ParseSecret(strings.TrimSpace(string(b))); err != nil {
		err = fmt.Errorf(
			"%s: %w; put it back from a backup, or, if there is none, remove it, and the next run makes a new one "+
				"(published figures stay, and those of the next quarter are rounded with the new one): rm %s", file, err, file)
	}
	return s, err
}

// EnsureRoundingSecret returns the data directory's secret for rounding counts of people. It
// creates the secret if there is none.
func EnsureRoundingSecret(data string, lookup Lookup) (s disclosure.RoundingSecret, err error) {
	s, err = RoundingSecret(data, lookup)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	if err := create(RoundingSecretFile(data)); err != nil && !errors.Is(err, fs.ErrExist) {
		return s, fmt.Errorf("make the secret of people: %w", err)
	}
	return RoundingSecret(data, lookup)
}
