package config

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/goccy/go-yaml"

	"labour/pipeline/corrections"
)

// correctionsFile is the file that `corrections` names.
type correctionsFile struct {
	Corrections []corrections.Correction `yaml:"corrections"`
}

// loadCorrections reads the file of corrections, which is relative to the
// configuration. All its faults are reported at once.
func (c *Config) loadCorrections(dir string) error {
	if c.CorrectionsFile == "" {
		return nil
	}
	path := c.CorrectionsFile
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read corrections: %w", err)
	}
	var file correctionsFile
	if err := strict(text, &file); err != nil {
		return fmt.Errorf("corrections %s: %w", path, err)
	}
	if err := corrections.Check(file.Corrections); err != nil {
		return fmt.Errorf("corrections %s: %w", path, err)
	}
	c.Corrections = file.Corrections
	return nil
}

// strict reads YAML into a value; an unknown key is an error that names the nearest
// known one.
func strict(text []byte, into any) error {
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return fmt.Errorf("not YAML: %w", err)
	}
	if err := unknownKeys(tree, into); err != nil {
		return err
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		return fmt.Errorf("value of the wrong kind: %w", err)
	}
	return nil
}
