package secrets

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/protected"
)

// environment has one variable.
func environment(name, value string) Lookup {
	return func(asked string) (string, bool) { return value, asked == name }
}

// A secret is made once, is private, and leaves no other file. It is read from the environment
// before the file.
func TestSecretsAreMadeOnce(t *testing.T) {
	data := t.TempDir()
	if k, err := ManifestKey(data, nil); k != nil || err != nil {
		t.Errorf("before the first run the key is %v, %v; want none", k, err)
	}
	if _, err := RoundingSecret(data, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before the first run the secret gives %v, want that it does not exist", err)
	}
	key, err := EnsureManifestKey(data, nil)
	if err != nil || len(key) != 64 {
		t.Fatalf("the key has %d characters, %v; want 64", len(key), err)
	}
	secret, err := EnsureRoundingSecret(data, nil)
	if err != nil || secret == (disclosure.RoundingSecret{}) {
		t.Fatalf("the secret is %v, %v", secret, err)
	}
	if again, err := EnsureManifestKey(data, environment("OTHER", "x")); err != nil || string(again) != string(key) {
		t.Errorf("the second run has another key, %v", err)
	}
	if again, err := EnsureRoundingSecret(data, environment("OTHER", "x")); err != nil || again != secret {
		t.Errorf("the second run has another secret, %v", err)
	}
	for _, file := range []string{protected.ManifestKeyFile(data), protected.RoundingSecretFile(data)} {
		if about, err := os.Stat(file); err != nil || about.Mode().Perm() != 0o600 {
			t.Errorf("%s is not private: %v, %v", file, about, err)
		}
		if err := create(file); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a file that exists gives %v", err)
		}
	}
	all, err := os.ReadDir(filepath.Join(data, "protected"))
	if err != nil || len(all) != 2 {
		t.Errorf("the folder has %v, %v; want two files", all, err)
	}
	if about, err := os.Stat(filepath.Join(data, "protected")); err != nil || about.Mode().Perm() != 0o700 {
		t.Errorf("the folder is not private: %v, %v", about, err)
	}
	mine := strings.Repeat("k", 32)
	if k, err := EnsureManifestKey(data, environment(ManifestKeyName, mine)); err != nil || string(k) != mine {
		t.Errorf("the key of the environment is %q, %v; want %q", k, err, mine)
	}
	hex := strings.Repeat("5e", 32)
	want, err := disclosure.ParseSecret(hex)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := EnsureRoundingSecret(data, environment(RoundingSecretName, " "+hex+"\n")); err != nil || s != want {
		t.Errorf("the secret of the environment is %v, %v; want %v", s, err, want)
	}
}

// TestSecretsOfTheEnvironmentAreNotStored, fit or not: no file is made.
func TestSecretsOfTheEnvironmentAreNotStored(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	for _, text := range []string{strings.Repeat("5e", 32), "short"} {
		_, keyErr := EnsureManifestKey(data, environment(ManifestKeyName, text))
		_, err := EnsureRoundingSecret(data, environment(RoundingSecretName, text))
		if isFit := text != "short"; isFit != (keyErr == nil) || isFit != (err == nil) {
			t.Errorf("%q: %v, %v", text, keyErr, err)
		}
		if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: a file was made: %v", text, err)
		}
	}
}

// A key has at least 32 characters, wherever it is read from.
func TestShortKeysAreRefused(t *testing.T) {
	data := t.TempDir()
	for n, ok := range map[int]bool{0: false, 31: false, 32: true} {
		text := strings.Repeat("k", n)
		if _, err := ManifestKey(data, environment(ManifestKeyName, text)); (err == nil) != ok ||
			!ok && !strings.Contains(err.Error(), ManifestKeyName+": the key of manifests must have at least 32") {
			t.Errorf("%d characters in the environment: %v", n, err)
		}
		write(t, protected.ManifestKeyFile(data), " "+text+"\n", 0o600)
		k, err := EnsureManifestKey(data, nil)
		if (err == nil) != ok || ok && string(k) != text {
			t.Errorf("%d characters in the file: %q, %v", n, k, err)
		}
	}
}

func write(t *testing.T, file, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, mode); err != nil {
		t.Fatal(err)
	}
}

// The error for an unfit secret has advice, and no new secret replaces the unfit one.
func TestUnfitSecretsAreErrors(t *testing.T) {
	hex := strings.Repeat("5e", 32)
	for name, c := range map[string]struct {
		make func(data string)
		has  string
	}{
		"readable by the group": {func(data string) { write(t, protected.RoundingSecretFile(data), hex, 0o640) },
			"restrict it with: chmod 600"},
		"readable by others": {func(data string) { write(t, protected.RoundingSecretFile(data), hex, 0o604) },
			"restrict it with: chmod 600"},
		"no secret": {func(data string) { write(t, protected.RoundingSecretFile(data), "short", 0o600) },
			"put it back from a backup"},
		"a directory": {func(data string) {
			if err := os.MkdirAll(protected.RoundingSecretFile(data), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "is a directory, but must be the file"},
		"no folder": {func(data string) { write(t, filepath.Join(data, "protected"), "", 0o600) }, ""},
	} {
		data := t.TempDir()
		c.make(data)
		if _, err := EnsureRoundingSecret(data, nil); err == nil || !strings.Contains(err.Error(), c.has) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.has)
		}
	}
	_, err := EnsureRoundingSecret(t.TempDir(), environment(RoundingSecretName, "short"))
	if err == nil || !strings.Contains(err.Error(), "openssl rand -hex 32") {
		t.Errorf("a short secret in the environment: %v", err)
	}
	data := t.TempDir()
	if err := os.MkdirAll(protected.ManifestKeyFile(data), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := EnsureManifestKey(data, nil); err == nil || !strings.Contains(err.Error(), "read the key of manifests") {
		t.Errorf("a directory in the place of the key: %v", err)
	}
	data = t.TempDir()
	write(t, filepath.Join(data, "protected"), "", 0o600)
	if _, err := EnsureManifestKey(data, nil); err == nil {
		t.Error("a key that cannot be written is no error")
	}
	if err := create(filepath.Join(data, "protected", "x")); err == nil {
		t.Error("a folder that cannot be made is no error")
	}
}

// A folder in which nothing can be made is an error that names what was to be made.
func TestSecretsThatCannotBeMade(t *testing.T) {
	const nowhere = "/proc/nowhere" // nothing is there, and nobody may make it
	if k, err := EnsureManifestKey(nowhere, nil); k != nil || err == nil ||
		!strings.HasPrefix(err.Error(), "make the key of manifests: ") {
		t.Errorf("the key is %q, %v", k, err)
	}
	if s, err := EnsureRoundingSecret(nowhere, nil); s != (disclosure.RoundingSecret{}) || err == nil ||
		!strings.HasPrefix(err.Error(), "make the secret of people: ") {
		t.Errorf("the secret is %v, %v", s, err)
	}
}
