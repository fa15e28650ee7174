package secrets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"labour/pipeline/disclosure"
	"labour/pipeline/protected"
)

// RoundingSecretName is the name of the environment variable for the rounding secret. The secret
// decides whether a count of people is rounded up or down.
const RoundingSecretName = "LABOUR_PEOPLE_SECRET"

// RoundingSecret returns the secret for rounding counts of people. It takes the secret from lookup
// or, if lookup has none, from the data directory. If there is none, the error wraps
// fs.ErrNotExist. It is also an error if the secret is not 64 hexadecimal digits, or if other users
// may read its file.
func RoundingSecret(data string, lookup Lookup) (s disclosure.RoundingSecret, err error) {
	if lookup != nil {
		if text, ok := lookup(RoundingSecretName); ok {
			if s, err = disclosure.ParseSecret(strings.TrimSpace(text)); err != nil {
				err = fmt.Errorf("%s: %w; make one with: openssl rand -hex 32", RoundingSecretName, err)
			}
			return s, err
		}
	}
	file := protected.RoundingSecretFile(data)
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

// EnsureRoundingSecret returns the secret for rounding counts of people, as RoundingSecret does. If
// there is none, it creates one in the data directory.
func EnsureRoundingSecret(data string, lookup Lookup) (s disclosure.RoundingSecret, err error) {
	s, err = RoundingSecret(data, lookup)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	if err := create(protected.RoundingSecretFile(data)); err != nil && !errors.Is(err, fs.ErrExist) {
		return s, fmt.Errorf("make the secret of people: %w", err)
	}
	return RoundingSecret(data, lookup)
}
