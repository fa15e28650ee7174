package onsoccupations

import (
	"context"

	"labour/sources"
	"labour/sources/filelist"
)

// maxDownload bounds a file as it is sent. The coding index has about 4 MB.
const maxDownload = 64 << 20

func (s *Source) files() filelist.Files[File] {
	return filelist.Files[File]{Source: Key, Field: "files", Entries: s.cfg.Files, Parse: parse, Request: func(f File) sources.Request {
		return sources.Request{Name: f.ID, URL: f.URL, MaxBytes: maxDownload, Accept: sources.AcceptData}
	}}
}

// Fetch downloads every file.
func (s *Source) Fetch(ctx context.Context, f sources.Fetcher) error { return s.files().Fetch(ctx, f) }
