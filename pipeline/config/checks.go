package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/sources/all"
)

// validateDrift refuses bounds out of their range, and bounds of a source that is not
// configured: a misspelt key would bound nothing.
func (c *Config) validateDrift(need func(ok bool, format string, args ...any)) {
	if len(c.Drift) == 0 {
		return
	}
	list, err := all.List(c.Sources, c.Platform)
	if err != nil {
		return // every command that makes the sources says so
	}
	var keys []string
	for _, s := range list {
		keys = append(keys, s.Info().Key)
	}
	for _, key := range slices.Sorted(maps.Keys(c.Drift)) {
		need(slices.Contains(keys, key), "drift.%s: no such source is configured; configured are %s", key, strings.Join(keys, ", "))
		err := c.Drift[key].Validate()
		need(err == nil, "drift.%s: %v", key, err)
	}
}

// unknownKeys compares the keys of a YAML tree with the fields of into and names,
// for each key that is no field, the nearest that is.
func unknownKeys(tree any, into any) error {
	return errors.Join(walkKeys("", tree, reflect.TypeOf(into))...)
}

func walkKeys(path string, node any, t reflect.Type) []error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var errs []error
	switch value := node.(type) {
	case []any:
		if t.Kind() == reflect.Slice {
			for i, item := range value {
				errs = append(errs, walkKeys(fmt.Sprintf("%s[%d]", path, i), item, t.Elem())...)
			}
		}
	case map[string]any:
		switch t.Kind() {
		case reflect.Map:
			for _, key := range slices.Sorted(maps.Keys(value)) {
				errs = append(errs, walkKeys(join(path, key), value[key], t.Elem())...)
			}
		case reflect.Struct:
			errs = append(errs, walkStruct(path, value, t)...)
		}
	}
	return errs
}

func walkStruct(path string, value map[string]any, t reflect.Type) []error {
	fields := map[string]reflect.Type{}
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name != "" && name != "-" {
			fields[name] = f.Type
		}
	}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(value)) {
		field, known := fields[key]
		if !known {
			errs = append(errs, fmt.Errorf("unknown key %q; the nearest known one is %q", join(path, key), join(path, snapshots.Nearest(key, slices.Collect(maps.Keys(fields))))))
			continue
		}
		errs = append(errs, walkKeys(join(path, key), value[key], field)...)
	}
	return errs
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
