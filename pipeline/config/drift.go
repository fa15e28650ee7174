package config

import (
	"maps"
	"slices"
	"strings"

	"labour/sources/all"
)

// validateDrift refuses bounds out of their range, and bounds of a source that is not
// configured: a misspelt key would bound nothing.
func (c *Config) validateDrift(need func(ok bool, format string, args ...any)) {
	if len(c.Drift) == 0 {
		return
	}
	list, err := all.List(c.Sources, all.Platform{Name: c.Platform.Name, Link: c.Platform.Link, Feed: c.Platform.Feed})
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
