package ingest

import (
	"slices"

	"labour/pipeline/counting"
	"labour/sources"
)

// extractHistory records what the extracts (fetches) of one source contain, while they are read
// from the newest to the oldest. Of each object and each advert, the newest version is used. Adverts
// that only an older extract of a listing has are cached.
type extractHistory struct {
	isListing bool             // true if the source lists only live adverts
	cache     *PastAdvertCache // nil = adverts are not cached
	newest    bool             // true while the newest extract is read
	oldest    bool             // true while the oldest extract is read
	isDamaged bool             // true once an extract that was read is damaged
	objects   map[string]bool  // objects (files) that were read, by name and hash
	// adverts of newer extracts, which are already staged
	adverts map[counting.TextHash]bool
	// adverts that are new in the current extract; collected only if an older one follows
	newAdverts []counting.TextHash
	// adverts of the current extract that no newer one has, to be cached; nil = not collected
	toCache   []sources.Advert
	cacheFile string // path of the cache file for the adverts in toCache
}

func newExtractHistory(isListing bool, cache *PastAdvertCache) extractHistory {
	return extractHistory{isListing: isListing, cache: cache, objects: map[string]bool{},
		adverts: map[counting.TextHash]bool{}}
}

// begin starts the next extract. newest and oldest state whether it is the first or the last to be
// read. Both are true if there is only one.
func (h *extractHistory) begin(newest, oldest bool) {
	h.newest, h.oldest = newest, oldest
	h.newAdverts, h.toCache = h.newAdverts[:0], nil
}

// end adds the adverts of the current extract to those that supersede adverts of older extracts.
func (h *extractHistory) end() {
	for _, id := range h.newAdverts {
		h.adverts[id] = true
	}
}

// isPastListing reports whether the current extract is not the newest one of a source that lists
// only live adverts.
func (h *extractHistory) isPastListing() bool { return h.isListing && !h.newest }

// newObjects returns the objects (files) that no newer extract has with the same content.
func (h *extractHistory) newObjects(all []sources.ArchivedObject) []sources.ArchivedObject {
	return slices.DeleteFunc(slices.Clone(all), func(o sources.ArchivedObject) bool {
		id := o.Name + "\x00" + o.SHA256
		known := h.objects[id]
		h.objects[id] = true
		return known
	})
}

// isSuperseded reports whether the advert is in a newer extract, which has already been read. It
// also records the advert, so that older versions are recognised. For a second advert with the same
// ID in one extract it returns false, because the counting rules handle duplicates.
func (h *extractHistory) isSuperseded(a *sources.Advert) bool {
	if h.newest && h.oldest {
		return false // there is no other extract, so nothing to record
	}
	id := counting.HashOfAdvertID(a)
	if h.adverts[id] {
		return true
	}
	if !h.oldest {
		h.newAdverts = append(h.newAdverts, id)
	}
	return false
}

// recall returns the cached adverts of a past extract of a listing, so that the extract need not be
// read. These are the adverts that no newer extract has. isCached is false if they are not in the
// cache; collect then collects them while the extract is read.
func (h *extractHistory) recall(x sources.Extract) (adverts []sources.Advert, isCached bool) {
	if h.cache == nil || !h.isPastListing() || len(x.Objects) == 0 {
		return nil, false
	}
	if h.isDamaged { // the cache leaves out adverts that the damaged extract also has
		return nil, false
	}
	h.cacheFile = h.cache.file(x)
	if adverts, isCached = h.cache.load(h.cacheFile); !isCached {
		h.toCache = []sources.Advert{}
	}
	return adverts, isCached
}

// collect collects a record for the cache if it is an advert that no newer extract has. An extract
// with any other type of record is not cached.
func (h *extractHistory) collect(r sources.Record) {
	if h.toCache == nil {
		return
	}
	a, ok := r.(sources.Advert)
	switch {
	case !ok:
		h.toCache = nil
	case !h.adverts[counting.HashOfAdvertID(&a)]:
		h.toCache = append(h.toCache, a)
	}
}

// addDamage records that the current extract is damaged. Neither this extract nor an older one is
// then cached.
func (h *extractHistory) addDamage() {
	h.isDamaged = true
	h.toCache = nil
}

// keep writes the collected adverts of the current extract to the cache, if there are any to keep.
func (h *extractHistory) keep() error {
	if h.toCache == nil {
		return nil
	}
	return h.cache.keep(h.cacheFile, h.toCache)
}
