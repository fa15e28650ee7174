package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"labour/pipeline/disclosure"
)

// PeopleSecret is the name of the secret that decides which way counts of people are rounded. Where
// the environment has none, it is in the protected zone of the data directory.
const PeopleSecret = "LABOUR_PEOPLE_SECRET"

func peopleSecretFile(data string) string { return filepath.Join(data, "protected", "people.secret") }

// readPeopleSecret returns the secret of people, or fs.ErrNotExist if there is none yet. secrets
// may be nil.
func readPeopleSecret(data string, secrets func(name string) (string, bool)) (s disclosure.Secret, err error) {
	if secrets != nil {
		if text, ok := secrets(PeopleSecret); ok {
			if s, err = disclosure.ParseSecret(strings.TrimSpace(text)); err != nil {
				err = fmt.Errorf("%s: %w; make one with: openssl rand -hex 32", PeopleSecret, err)
			}
			return s, err
		}
	}
	file := peopleSecretFile(data)
	about, err := os.Stat(file)
	if err != nil {
		return s, err
	}
	if about.Mode().Perm()&0o077 != 0 {
		return s, fmt.Errorf("others may read the secret of people; close it with: chmod 600 %s", file)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return s, fmt.Errorf("read the secret of people: %w", err)
	}
	if s, err = disclosure.ParseSecret(strings.TrimSpace(string(b))); err != nil {
		err = fmt.Errorf(
			"%s: %w; put it back from a backup, or, where there is none, remove it so that the next run makes a new one "+
				"(what is printed stays, and the next quarter is drawn anew): rm %s", file, err, file)
	}
	return s, err
}
