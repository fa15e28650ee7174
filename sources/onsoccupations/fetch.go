package onsoccupations

import (
	"context"
	"fmt"

	"labour/sources"
	"labour/sources/entries"
)

// maxDownload bounds a file as it is sent. The coding index has about 4 MB.
const maxDownload = 64 << 20

// Fetch downloads every file. One that Read would refuse as a whole is not taken
// over, and the last good one of that id stands in.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	return entries.Fetch(ctx, "files", s.cfg.Files, func(file File) error {
		r := sources.Request{Name: file.ID, URL: file.URL, MaxBytes: maxDownload, Accept: sources.AcceptData}
		err := sources.FetchWhole(ctx, f, r, func(text []byte) error {
			_, err := parse(text, file)
			return err
		})
		if err != nil {
			err = fmt.Errorf("file %s: %w", file.ID, err)
			f.Failed(file.ID, err)
		}
		return err
	})
}
