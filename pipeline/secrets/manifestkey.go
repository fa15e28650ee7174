package secrets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"labour/pipeline/protected"
	"labour/snapshots"
)

// ManifestKeyName is the name of the environment variable for the manifest key. This key is the
// secret for the keyed hashes of the platform's files in manifests.
const ManifestKeyName = "LABOUR_MANIFEST_KEY"

// shortestKey is the smallest length of a manifest key, in characters. A generated key has 64.
const shortestKey = 32

// ManifestKey returns the secret key for hashes in manifests. It takes the key from lookup or, if
// lookup has none, from the data directory. It returns nil if there is none yet.
func ManifestKey(data string, lookup Lookup) (snapshots.ManifestKey, error) {
	if lookup != nil {
		if text, ok := lookup(ManifestKeyName); ok {
			return checkedKey(ManifestKeyName, text)
		}
	}
	file := protected.ManifestKeyFile(data)
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the key of manifests: %w", err)
	}
	return checkedKey(file, strings.TrimSpace(string(b)))
}

func checkedKey(from, text string) (snapshots.ManifestKey, error) {
	if len(text) < shortestKey {
		return nil, fmt.Errorf("%s: the key of manifests must have at least %d characters", from, shortestKey)
	}
	return snapshots.ManifestKey(text), nil
}

// EnsureManifestKey returns the secret key for hashes in manifests, as ManifestKey does. If there
// is none, it creates one in the data directory.
func EnsureManifestKey(data string, lookup Lookup) (snapshots.ManifestKey, error) {
	k, err := ManifestKey(data, lookup)
	if k != nil || err != nil {
		return k, err
	}
	if err := create(protected.ManifestKeyFile(data)); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make the key of manifests: %w", err)
	}
	return ManifestKey(data, lookup)
}
