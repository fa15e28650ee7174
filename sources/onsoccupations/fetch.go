package onsoccupations

import (
	"context"
	"errors"
	"fmt"

	"labour/sources"
)

// maxDownload bounds a file as it is sent. The coding index has about 4 MB.
const maxDownload = 64 << 20

// Fetch downloads every file. One that Read would refuse as a whole is not taken
// over, and the last good one of that id stands in.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	var errs []error
	for _, file := range s.cfg.Files {
		if err := fetch(ctx, f, file); err != nil {
			err = fmt.Errorf("file %s: %w", file.ID, err)
			f.Failed(file.ID, err)
			errs = append(errs, err)
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("fetch the classification: %w", err)
		}
	}
	if len(errs) == len(s.cfg.Files) {
		return fmt.Errorf("no file could be had: %w", errors.Join(errs...))
	}
	return nil
}

func fetch(ctx context.Context, f sources.Fetcher, file File) error {
	o, err := f.Get(ctx, sources.Request{Name: file.ID, URL: file.URL, MaxBytes: maxDownload, Accept: sources.AcceptData})
	if err != nil {
		return err
	}
	text, err := sources.ReadWhole(f, o)
	if err != nil {
		return err
	}
	_, err = parse(text, file)
	return err
}
