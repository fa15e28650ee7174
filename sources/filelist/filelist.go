// Package filelist is what connectors share that read a configured list of files, feeds
// or data sets: how the list is checked, and how each entry is fetched and read by itself,
// so that one that fails leaves the others as they are.
package filelist

import (
	"context"
	"errors"
	"fmt"
)

// Check checks a configured list: it may not be empty, no entry is named twice, and
// each is right by itself. complete may fill in an entry's defaults. The error names
// every fault with the field of the configuration and the position in it.
func Check[T any](field string, list []T, name func(T) string, complete func(*T) error) error {
	if len(list) == 0 {
		return fmt.Errorf("%s is empty: name at least one", field)
	}
	var errs []error
	seen := map[string]bool{}
	for i := range list {
		e := &list[i]
		if n := name(*e); seen[n] {
			errs = append(errs, fmt.Errorf("%s[%d]: %s is named twice; put all that it holds into one entry", field, i, n))
		}
		seen[name(*e)] = true
		if err := complete(e); err != nil {
			errs = append(errs, fmt.Errorf("%s[%d]: %w", field, i, err))
		}
	}
	return errors.Join(errs...)
}

// Fetch fetches each entry. fetch marks as failed what it could not have, and its
// last good answer stands in. The error says that ctx ended, or that no entry could
// be had at all.
func Fetch[T any](ctx context.Context, field string, list []T, fetch func(T) error) error {
	var errs []error
	for _, e := range list {
		if err := fetch(e); err != nil {
			errs = append(errs, err)
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("fetch %s: %w", field, err)
		}
	}
	if len(errs) == len(list) {
		return fmt.Errorf("none of %s could be had: %w", field, errors.Join(errs...))
	}
	return nil
}
