package skillsprojections

import (
	"context"
	"errors"
	"fmt"

	"labour/sources"
)

// maxDownload bounds a file as it is sent. The largest workbook has about 6 MB.
const maxDownload = 64 << 20

// Fetch downloads every publication. A file that Read would refuse as a whole is
// not taken over, and the last good one of that publication stands in.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error {
	var errs []error
	for _, p := range s.cfg.Publications {
		if err := s.fetch(ctx, f, p); err != nil {
			f.Failed(p.ID, err)
			errs = append(errs, err)
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("fetch publications: %w", err)
		}
	}
	if len(errs) == len(s.cfg.Publications) {
		return fmt.Errorf("no publication could be had: %w", errors.Join(errs...))
	}
	return nil
}

func (s *Source) fetch(ctx context.Context, f sources.Fetcher, p Publication) error {
	o, err := f.Get(ctx, sources.Request{Name: p.ID, URL: p.URL, MaxBytes: maxDownload, Accept: sources.AcceptData})
	if err != nil {
		return fmt.Errorf("publication %s: %w", p.ID, err)
	}
	text, err := sources.ReadWhole(f, o)
	if err != nil {
		return fmt.Errorf("publication %s: %w", p.ID, err)
	}
	if _, _, err := parse(text, p); err != nil {
		return fmt.Errorf("publication %s: %w", p.ID, err)
	}
	return nil
}
