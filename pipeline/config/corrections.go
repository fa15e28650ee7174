package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"

	"labour/pipeline/corrections"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/platform"
)

// correctionsFile is the content of the operator's file of corrections.
type correctionsFile struct {
	Corrections []corrections.Correction `yaml:"corrections"`
}

// loadCorrections reads the operator's file of corrections. The error joins all errors in the file.
func (c *Config) loadCorrections() error {
	if c.CorrectionsFile == "" {
		return nil
	}
	path := c.CorrectionsFile
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read corrections: %w", err)
	}
	var file correctionsFile
	if err := strict(text, &file); err != nil {
		return fmt.Errorf("corrections %s: %w", path, err)
	}
	if file.Corrections == nil { // perhaps lost, and then publishers' wrong figures would return
		return fmt.Errorf("corrections %s: the file has none; write corrections: [] if all of them have ended", path)
	}
	err = errors.Join(corrections.ValidateList(file.Corrections), c.checkCorrectedSources(file.Corrections))
	if err != nil {
		return fmt.Errorf("corrections %s: %w", path, err)
	}
	c.Corrections = file.Corrections
	return nil
}

// checkCorrectedSources returns an error for each correction whose source has an unknown key. A key
// is known if a configured source has it, or if it is a possible key of the block `sources`. The
// error suggests the most similar key.
func (c *Config) checkCorrectedSources(list []corrections.Correction) error {
	configured, err := c.sourceKeys()
	if err != nil {
		return nil // every command that creates the sources reports it
	}
	known := append(configured, platform.Key)
	known = slices.AppendSeq(known, maps.Keys(fieldsOf(reflect.TypeFor[all.Config]())))
	var errs sources.ConfigErrors
	for i, correction := range list {
		key := correction.Source
		isKnown := key == "" || slices.Contains(known, key) // ValidateList refuses an empty key
		errs.Require(isKnown, "corrections[%d]: no source has the key %q; the nearest known one is %q", i, key,
			snapshots.MostSimilar(key, known))
	}
	return errors.Join(errs...)
}

// strict decodes YAML text into target, which is a pointer. An unknown key is an error that
// suggests the most similar known key. A second YAML document is an error, too, because the decoder
// reads only the first one. An empty text changes nothing.
func strict(text []byte, target any) error {
	if err := checkBounds(text); err != nil {
		return err
	}
	if err := checkOneDocument(text); err != nil {
		return err
	}
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return fmt.Errorf("not YAML: %w", err)
	}
	if tree == nil {
		return nil
	}
	if err := checkNode("", tree, reflect.TypeOf(target)); err != nil {
		return err
	}
	if err := yaml.Unmarshal(text, target); err != nil {
		return wrongKind(err)
	}
	return nil
}

// checkOneDocument returns an error if a text is not YAML, or if a line `---` after its content
// begins another YAML document. Even an empty second document is refused, because the parser drops
// what follows it.
func checkOneDocument(text []byte) error {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return fmt.Errorf("not YAML: %w", err)
	}
	if len(file.Docs) > 1 {
		return errors.New("a line --- begins a second document, which would be ignored; remove that line")
	}
	return nil
}

// Limits for configuration files, which protect the parser.
const (
	// maxBytes is the largest size of a configuration file, in bytes.
	maxBytes = 16 << 20
	// maxDepth is the largest number of levels of nested YAML values in a configuration file. The
	// parser would need gigabytes of memory for thousands of levels.
	maxDepth = 100
)

// stackedYAML matches more than 100 levels of YAML on one line, as in "- - - a".
var stackedYAML = regexp.MustCompile(`([-?:][ \t]+){101,}`)

// checkBounds returns an error if a text is too large for a configuration file, or too deeply
// nested.
func checkBounds(text []byte) error {
	if len(text) > maxBytes {
		return fmt.Errorf("not a configuration: it has %d bytes, more than %d", len(text), maxBytes)
	}
	depth := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth > maxDepth {
			return fmt.Errorf("not a configuration: it is nested more than %d levels deep", maxDepth)
		}
	}
	if stackedYAML.Match(text) {
		return fmt.Errorf("not a configuration: it is nested more than %d levels deep", maxDepth)
	}
	return nil
}

// wrongKind rewords the error for a YAML value of the wrong type. The new error has the line, the
// value and the expected type.
func wrongKind(err error) error {
	e, ok := errors.AsType[*yaml.TypeError](err)
	if !ok || e.Token == nil || kindWords[e.DstType.Kind()] == "" {
		return fmt.Errorf("value of the wrong kind: %w", err)
	}
	return fmt.Errorf("value of the wrong kind in line %d: %q is not %s", e.Token.Position.Line, e.Token.Value,
		kindWords[e.DstType.Kind()])
}

// kindWords describes Go types in error messages, for example "a whole number" for int.
var kindWords = map[reflect.Kind]string{reflect.String: "a text", reflect.Bool: "true or false",
	reflect.Int: "a whole number", reflect.Int64: "a whole number",
	reflect.Float64: "a number", reflect.Slice: "a list", reflect.Map: "a block of keys",
	reflect.Struct: "a block of keys"}
