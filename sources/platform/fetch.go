package platform

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"labour/sources"
)

// IndexName is the object that lists the files of the feed.
const IndexName = "index.json"

// maxFileBytes bounds one file of the feed as it is sent: a month of a large
// platform, compressed, has room in it many times over.
const maxFileBytes = 8 << 30

// index is index.json, and what the fetcher gives for a directory.
type index struct {
	Files []string `json:"files"`
}

// Fetch takes the index and then every file that it lists, of the kinds of the Config.
func (p *Platform) Fetch(ctx context.Context, f sources.Fetcher) error {
	base := strings.TrimSuffix(p.c.Feed, "/")
	url := base
	if isHTTP(base) {
		url = base + "/" + IndexName
	}
	o, err := f.Get(ctx, sources.Request{Name: IndexName, URL: url, Accept: sources.AcceptJSON})
	if err != nil {
		return fmt.Errorf("list the feed %s: %w", p.c.Feed, err)
	}
	list, err := readIndex(f, o)
	if err != nil {
		return err
	}
	slices.Sort(list.Files)
	for _, file := range slices.Compact(list.Files) {
		if _, ok := KindOf(file); !ok {
			continue // Read names it
		}
		if !p.c.Reads(file) {
			f.Keep(file)
			continue
		}
		if _, err := f.Get(ctx, sources.Request{Name: file, URL: base + "/" + file, MaxBytes: maxFileBytes, Accept: accept}); err != nil {
			f.Failed(file, err)
		}
	}
	return ctx.Err()
}

// accept takes an empty file, which says that there is nothing, and refuses HTML.
func accept(contentType string, head []byte) error {
	if len(head) == 0 {
		return nil
	}
	return sources.AcceptData(contentType, head)
}

func readIndex(open sources.Opener, o sources.Object) (index, error) {
	b, err := open.Open(o)
	if err != nil {
		return index{}, err
	}
	defer b.Close()
	all, err := io.ReadAll(b)
	if err != nil {
		return index{}, fmt.Errorf("read the list of the feed: %w", err)
	}
	var list index
	if err := json.Unmarshal(all, &list); err != nil || list.Files == nil {
		return index{}, sources.Coded(sources.FaultNotJSON,
			fmt.Errorf(`the list of the feed is not {"files": ["adverts-2026-10.ndjson.zst", ...]}`))
	}
	return list, nil
}
