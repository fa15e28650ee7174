package main

import (
	"fmt"
	"os"
	"strings"

	"labour/cmd/internal/cli"
	"labour/pipeline/secrets"
)

// checkSecretsOfRuns returns an error if a secret for pipeline runs is configured but empty or
// unreadable. A run must not continue then: it would make a new secret, and use it for figures and
// names that are never made again.
func (a *app) checkSecretsOfRuns() error {
	for _, name := range []string{secrets.RoundingSecretName, secrets.ManifestKeyName} {
		for _, variable := range []string{name, name + "_FILE"} {
			if text, set := a.getenv(variable); set && text == "" {
				return cli.NewUsageError(fmt.Errorf("%s is set but empty; give it a value, or unset it", variable))
			}
		}
		if _, err := a.readSecret(name); err != nil {
			return err
		}
	}
	return nil
}

// secret returns the value of the environment variable with the given name. If the variable is not
// set, it returns the content of the file that the variable with the suffix _FILE names. ok is
// false if there is no value. secret logs a file that cannot be read.
func (a *app) secret(name string) (value string, ok bool) {
	v, err := a.readSecret(name)
	if err != nil {
		a.log().Warn("secret file cannot be read", "name", name, "error", err)
	}
	return v, v != ""
}

// readSecret returns a secret: the value of an environment variable, or the content of the file
// whose path is in the variable with the suffix _FILE. It returns "" if neither variable is set,
// and an error for an empty or unreadable file.
func (a *app) readSecret(name string) (string, error) {
	if v, _ := a.getenv(name); v != "" {
		return v, nil
	}
	file, _ := a.getenv(name + "_FILE")
	if file == "" {
		return "", nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", cli.NewUsageError(fmt.Errorf("%s_FILE: %w", name, err))
	}
	text := strings.TrimSpace(string(b))
	if text == "" {
		return "", cli.NewUsageError(fmt.Errorf("%s_FILE: %s is empty", name, file))
	}
	return text, nil
}
