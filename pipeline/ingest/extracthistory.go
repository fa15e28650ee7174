package ingest

import (
	"slices"

	"labour/pipeline/counting"
	"labour/sources"
)

// extractHistory records what was already read from the extracts of one source. An extract is one
// fetch. The newest extract is read first, so that an older version of an advert or a file is
// ignored. Adverts that are no longer listed are cached.
//
// An older version is not ignored if it was posted in an earlier month than all newer ones. The
// publisher has then advertised the vacancy again under the same ID, and its count in the earlier
// month stays.
type extractHistory struct {
	isListing bool             // true if the source lists only live adverts
	cache     *PastAdvertCache // nil = adverts are not cached
	newest    bool             // true while the newest extract is read
	oldest    bool             // true while the oldest extract is read
	isDamaged bool             // true once an extract that was read is damaged
	objects   map[string]bool  // objects (files) that were read, by name and hash
	// earliest month of posting among the versions of each advert in newer extracts, which are
	// already in the intermediate files; the key is the hash of the advert's ID
	adverts   map[counting.TextHash]postingMonth
	headlines map[headlineVersion]bool // headlines that were read
	// adverts of the current extract to be added to the field adverts; collected only if an older
	// extract follows
	newAdverts []stagedAdvert
	// adverts of the current extract that are in no newer extract, to be written to the cache; nil
	// = adverts are not collected
	toCache   []sources.Advert
	cacheFile string // path of the cache file for the adverts in toCache
}

// postingMonth is a month in which an advert was posted, as the number of months since the year 0. It
// is 0 if the advert has no day of posting.
type postingMonth int32

func postingMonthOf(a *sources.Advert) postingMonth {
	if a.Posted.IsZero() {
		return 0
	}
	return postingMonth(a.Posted.Year*12 + int(a.Posted.Month))
}

// headlineVersion identifies a headline. A headline with another date is another version of it.
type headlineVersion struct {
	id        string
	published sources.Date
}

// stagedAdvert is a staged version of an advert.
type stagedAdvert struct {
	id     counting.TextHash
	posted postingMonth
}

func newExtractHistory(isListing bool, cache *PastAdvertCache) extractHistory {
	return extractHistory{isListing: isListing, cache: cache, objects: map[string]bool{},
		adverts: map[counting.TextHash]postingMonth{}, headlines: map[headlineVersion]bool{}}
}

// begin starts the next extract (one fetch of a source). newest is true for the first extract that
// is read, and oldest is true for the last one.
func (h *extractHistory) begin(newest, oldest bool) {
	h.newest, h.oldest = newest, oldest
	h.newAdverts, h.toCache = h.newAdverts[:0], nil
}

// end finishes the current extract. Older versions of its adverts are ignored from then on.
func (h *extractHistory) end() {
	for _, one := range h.newAdverts {
		if earliest, known := h.adverts[one.id]; !known || one.posted < earliest {
			h.adverts[one.id] = one.posted
		}
	}
}

// isPastListing reports whether the current extract is an older one of a source that lists only
// live adverts.
func (h *extractHistory) isPastListing() bool { return h.isListing && !h.newest }

// newObjects returns the archived files whose content was not in a newer fetch of the source.
func (h *extractHistory) newObjects(all []sources.ArchivedObject) []sources.ArchivedObject {
	return slices.DeleteFunc(slices.Clone(all), func(o sources.ArchivedObject) bool {
		id := o.Name + "\x00" + o.SHA256
		known := h.objects[id]
		h.objects[id] = true
		return known
	})
}

// isSuperseded reports whether a newer extract has the record. It only knows adverts and headlines,
// which a source lists for a time, and returns false for others.
func (h *extractHistory) isSuperseded(r sources.Record) bool {
	if h.newest && h.oldest {
		return false // there is no other extract, so nothing to record
	}
	switch r := r.(type) {
	case sources.Advert:
		return h.isSupersededAdvert(&r)
	case sources.Headline:
		version := headlineVersion{r.ID, r.Published}
		isKnown := h.headlines[version]
		h.headlines[version] = true
		return isKnown
	}
	return false
}

// isSupersededAdvert reports whether a newer extract has the advert, posted in the same month or
// earlier. If not, it records the advert, so that older versions are ignored. If one extract has two
// adverts with the same ID, it returns false for both. The counting rules handle such duplicates.
func (h *extractHistory) isSupersededAdvert(a *sources.Advert) bool {
	if h.hasNewer(a) {
		return true
	}
	if !h.oldest {
		h.newAdverts = append(h.newAdverts, stagedAdvert{counting.HashOfAdvertID(a), postingMonthOf(a)})
	}
	return false
}

// hasNewer reports whether a newer extract has the advert, posted in the same month or earlier. An
// advert without a day of posting needs no earlier version.
func (h *extractHistory) hasNewer(a *sources.Advert) bool {
	earliest, known := h.adverts[counting.HashOfAdvertID(a)]
	posted := postingMonthOf(a)
	return known && (posted == 0 || earliest <= posted)
}

// recall returns the cached adverts of a past extract (one fetch), so that it need not be read
// again. Only adverts that no newer extract has are cached. If isCached is false, the extract must
// be read, and collect prepares its adverts for the cache.
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

// collect prepares an advert for the cache, unless a newer extract (one fetch) has it. If the
// current extract has another type of record, it is not cached.
func (h *extractHistory) collect(r sources.Record) {
	if h.toCache == nil {
		return
	}
	a, ok := r.(sources.Advert)
	switch {
	case !ok:
		h.toCache = nil
	case !h.hasNewer(&a):
		h.toCache = append(h.toCache, a)
	}
}

// addDamage records that the current extract (one fetch) is damaged. This extract and all older
// ones are then not cached.
func (h *extractHistory) addDamage() {
	h.isDamaged = true
	h.toCache = nil
}

// keep writes the adverts that were collected from the current extract to the cache.
func (h *extractHistory) keep() error {
	if h.toCache == nil {
		return nil
	}
	return h.cache.keep(h.cacheFile, h.toCache)
}
