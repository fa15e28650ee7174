package web

import "sync"

// mostKept is how many bytes of finished pages are kept in memory.
const mostKept = 16 << 20

// kept holds the pages that were made last, by their entity tags, so that a page is made once
// for all its visitors.
type kept struct {
	mu    sync.Mutex
	pages map[string]view
	tags  []string // the oldest first
	bytes int
}

func (k *kept) get(tag string) (page view, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	page, ok = k.pages[tag]
	return page, ok
}

// put keeps a page whose body is complete, and drops the oldest ones past the bound.
func (k *kept) put(tag string, page view) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.pages[tag]; ok {
		return
	}
	if k.pages == nil {
		k.pages = map[string]view{}
	}
	k.pages[tag], k.tags, k.bytes = page, append(k.tags, tag), k.bytes+len(page.body)
	for k.bytes > mostKept {
		oldest := k.tags[0]
		k.bytes -= len(k.pages[oldest].body)
		delete(k.pages, oldest)
		k.tags = k.tags[1:]
	}
}
