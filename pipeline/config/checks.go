package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"labour/pipeline/check"
	"labour/snapshots"
	"labour/sources/all"
)

// Checks are the limits past which a snapshot is not promoted, in per cent, and
// the faults that somebody has acknowledged. 0 stands for the default.
type Checks struct {
	MaxShrinkPct  int `yaml:"max_shrink_pct"`  // fewer rows of a table than before; default 50
	MaxGrowthPct  int `yaml:"max_growth_pct"`  // more rows of a table than before; default 900
	MaxRevisedPct int `yaml:"max_revised_pct"` // rows of a published table that read otherwise than before; default 50
	MaxFaultyPct  int `yaml:"max_faulty_pct"`  // a source's records that are faulty; default 25
	// Tables has limits of single tables, by name.
	Tables map[string]check.TableLimits `yaml:"tables"`
	// Exceptions acknowledge one fault each, so that the snapshot is published all the same.
	Exceptions []Exception `yaml:"exceptions"`
}

// Exception acknowledges one fault that a check finds, so that the snapshot is
// published all the same. It is listed in the report and the manifest of every
// snapshot that is built while it stands.
type Exception struct {
	Check string `yaml:"check"` // platform, min_rows, faulty, shrink, growth, revised, lost_source, records, counted, listed, coded or unknown
	Of    string `yaml:"of"`    // the table or source that it is about; empty for platform
	Who   string `yaml:"who"`   // who acknowledged it
	Why   string `yaml:"why"`   // why it is right
	Until string `yaml:"until"` // last as_of for which it stands, YYYY-MM-DD
}

func (c *Checks) setDefaults() {
	for _, d := range []struct {
		limit *int
		is    int
	}{{&c.MaxShrinkPct, 50}, {&c.MaxGrowthPct, 900}, {&c.MaxRevisedPct, 50}, {&c.MaxFaultyPct, 25}} {
		if *d.limit == 0 {
			*d.limit = d.is
		}
	}
}

// Limits are the limits as the checks take them, with the bounds of the sources.
func (c *Config) Limits() check.Limits {
	return check.Limits{MaxShrinkPct: c.Checks.MaxShrinkPct, MaxGrowthPct: c.Checks.MaxGrowthPct, MaxRevisedPct: c.Checks.MaxRevisedPct,
		MaxFaultyPct: c.Checks.MaxFaultyPct, Tables: c.Checks.Tables, Sources: c.Drift}
}

// Standing are the exceptions that stand on a date, and those that have expired, which
// excuse nothing any more.
func (c *Checks) Standing(asOf time.Time) (standing, expired []snapshots.Exception) {
	for _, e := range c.Exceptions {
		until, err := snapshots.ParseDate(e.Until)
		if err != nil {
			continue // validate refuses it
		}
		x := snapshots.Exception{Check: e.Check, Of: e.Of, Who: e.Who, Why: e.Why, Until: until}
		if until.Before(asOf) {
			expired = append(expired, x)
		} else {
			standing = append(standing, x)
		}
	}
	return standing, expired
}

func (c *Checks) validate(need func(ok bool, format string, args ...any)) {
	percent := func(name string, value, most int) {
		need(value > 0 && value <= most, "checks.%s must be 1 to %d", name, most)
	}
	percent("max_shrink_pct", c.MaxShrinkPct, 100)
	percent("max_growth_pct", c.MaxGrowthPct, 1_000_000)
	percent("max_revised_pct", c.MaxRevisedPct, 100)
	percent("max_faulty_pct", c.MaxFaultyPct, 100)
	for _, name := range slices.Sorted(maps.Keys(c.Tables)) {
		t := c.Tables[name]
		_, known := snapshots.TableNamed(name)
		need(known, "checks.tables.%s: there is no such table", name)
		need(t.MinRows >= 0 && t.MaxShrinkPct >= 0 && t.MaxShrinkPct <= 100 && t.MaxGrowthPct >= 0, "checks.tables.%s: a limit is out of its range", name)
	}
	c.validateExceptions(need)
}

func (c *Checks) validateExceptions(need func(ok bool, format string, args ...any)) {
	seen := map[[2]string]bool{}
	for i, e := range c.Exceptions {
		at := fmt.Sprintf("checks.exceptions[%d]", i)
		need(slices.Contains(check.Excusable(), e.Check), "%s: check %q cannot be excused; it must be one of %s", at, e.Check, strings.Join(check.Excusable(), ", "))
		need((e.Of == "") == (e.Check == check.Platform), "%s: of must name the table or source, and be left out for platform", at)
		if e.Of != "" && slices.Contains(check.OfTables(), e.Check) {
			_, known := snapshots.TableNamed(e.Of)
			need(known, "%s: there is no table %q", at, e.Of)
		}
		need(!seen[[2]string{e.Check, e.Of}], "%s: there is another for %s of %q", at, e.Check, e.Of)
		seen[[2]string{e.Check, e.Of}] = true
		need(strings.TrimSpace(e.Who) != "" && strings.TrimSpace(e.Why) != "", "%s: who and why must be given: they are published", at)
		_, err := snapshots.ParseDate(e.Until)
		need(err == nil, "%s: until must be a date like 2026-12-31", at)
	}
}

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
