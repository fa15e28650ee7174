package skillsprojections

import (
	"context"

	"labour/sources"
	"labour/sources/filelist"
)

// maxDownload bounds a file as it is sent. The largest workbook has about 6 MB.
const maxDownload = 64 << 20

func (s *Source) files() filelist.Files[Publication] {
	return filelist.Files[Publication]{Source: s.key, Field: "publications", Entries: s.cfg.Publications,
		Request: func(p Publication) sources.Request {
			return sources.Request{Name: p.ID, URL: p.URL, MaxBytes: maxDownload, Accept: sources.AcceptData}
		},
		Parse: func(ctx context.Context, text []byte, p Publication) (filelist.Parsed, error) {
			rows, faults, err := parse(ctx, text, p)
			parsed := filelist.Parsed{Faults: faults}
			for _, r := range rows {
				if e, ok := r.evidence(s.evidence(p), p); ok {
					parsed.Records = append(parsed.Records, e)
				}
			}
			return parsed, err
		}}
}

// Fetch downloads every publication.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error { return s.files().Fetch(ctx, f) }
