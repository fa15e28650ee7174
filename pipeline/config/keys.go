package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"labour/snapshots"
)

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
