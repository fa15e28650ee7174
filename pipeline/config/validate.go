package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/sources/all"
)

// validateDrift checks the block `drift`, which has limits for each source. For each source, it
// calls require to check that the source is configured and that its limits are in range.
func (c *Config) validateDrift(require func(ok bool, format string, args ...any)) {
	if len(c.Drift) == 0 {
		return
	}
	keys, err := c.sourceKeys()
	if err != nil {
		return // every command that creates the sources reports it
	}
	for _, key := range slices.Sorted(maps.Keys(c.Drift)) {
		require(slices.Contains(keys, key), "drift.%s: no such source is configured; configured are %s", key,
			strings.Join(keys, ", "))
		err := c.Drift[key].Validate()
		require(err == nil, "drift.%s: %v", key, err)
	}
}

// sourceKeys returns the keys of the configured sources. The error lists the mistakes in their
// configuration.
func (c *Config) sourceKeys() (keys []string, err error) {
	list, err := all.ConfiguredSources(c.Sources, c.Platform)
	for _, s := range list {
		keys = append(keys, s.Info().Key)
	}
	return keys, err
}

// checkNode compares a value of a configuration file with the Go type t into which it is decoded.
// It returns an error for each YAML key in node for which t has no field; the error suggests the
// most similar known key. It also returns an error for each mistake that the decoder would accept:
// a fraction in place of a whole number, and a block of a source without a value. path is the key
// of node in the file, such as "sources.ons_geography".
func checkNode(path string, node any, t reflect.Type) (err error) {
	isPointer := t.Kind() == reflect.Pointer
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch value := node.(type) {
	case nil:
		if isPointer && t.Kind() == reflect.Struct { // absent and {} have different meanings
			return fmt.Errorf("%s has no value: write {} for its defaults, or remove the key", path)
		}
		if isNumberOrBool(t.Kind()) {
			return fmt.Errorf("%s has no value: write one, or remove the key", path)
		}
	case string:
		if strings.HasSuffix(path, "_env") && !environmentName.MatchString(value) {
			return fmt.Errorf("%s must be the name of an environment variable in capital letters, such as FAA_API_KEY; "+
				"a secret must not stand in this file", path)
		}
	case float64:
		if t.Kind() == reflect.Int || t.Kind() == reflect.Int64 {
			return fmt.Errorf("%s is %v, and must be a whole number without a decimal point", path, value)
		}
	case []any:
		for i := 0; i < len(value) && t.Kind() == reflect.Slice; i++ {
			err = errors.Join(err, checkNode(fmt.Sprintf("%s[%d]", path, i), value[i], t.Elem()))
		}
	case map[string]any:
		fields := fieldsOf(t)
		for _, key := range slices.Sorted(maps.Keys(value)) {
			at := join(path, key)
			field, known := fields[key]
			switch {
			case known:
				err = errors.Join(err, checkNode(at, value[key], field))
			case t.Kind() == reflect.Map:
				err = errors.Join(err, checkNode(at, value[key], t.Elem()))
			case t.Kind() == reflect.Struct:
				err = errors.Join(err, fmt.Errorf("unknown key %q; the nearest known one is %q", at,
					join(path, snapshots.MostSimilar(key, slices.Collect(maps.Keys(fields))))))
			}
		}
	}
	return err
}

// environmentName matches the name of an environment variable. Most secrets, put in the place of a
// name by mistake, have other characters.
var environmentName = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// isNumberOrBool reports whether values of a kind are numbers, or true and false.
func isNumberOrBool(k reflect.Kind) bool {
	return slices.Contains([]reflect.Kind{reflect.Int, reflect.Int64, reflect.Float64, reflect.Bool}, k)
}

// fieldsOf maps the YAML keys of a struct type to the types of its fields. The map is empty for
// other types.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name != "" && name != "-" {
				fields[name] = f.Type
			}
		}
	}
	return fields
}

func join(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }
