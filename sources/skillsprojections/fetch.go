package skillsprojections

import (
	"context"
	"fmt"

	"labour/sources"
	"labour/sources/entries"
)

// maxDownload bounds a file as it is sent. The largest workbook has about 6 MB.
const maxDownload = 64 << 20

// Fetch downloads every publication. A file that Read would refuse as a whole is
// not taken over, and the last good one of that publication stands in.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	return entries.Fetch(ctx, "publications", s.cfg.Publications, func(p Publication) error {
		r := sources.Request{Name: p.ID, URL: p.URL, MaxBytes: maxDownload, Accept: sources.AcceptData}
		err := sources.FetchWhole(ctx, f, r, func(text []byte) error {
			_, _, err := parse(text, p)
			return err
		})
		if err != nil {
			err = fmt.Errorf("publication %s: %w", p.ID, err)
			f.Failed(p.ID, err)
		}
		return err
	})
}
