package platform

import (
	"time"

	"github.com/zeebo/xxh3"

	"labour/sources"
)

// monthsWithAdvert is the number of months after an application, or after its outcome, in which the
// feed must contain its advert. FEED.md states the rule.
const monthsWithAdvert = 15

// references finds applications whose advert or resident is missing in the feed. Without the
// advert, the application's outcome is not counted. Without the resident, the outcome is not
// counted in a borough.
type references struct {
	fetchTime time.Time // time of the fetch; zero = not known
	// fingerprints of the ids that are in the feed; nil if no file of the kind is read
	adverts, residents map[xxh3.Uint128]bool
}

// keep stores ids, a set of fingerprints of ids, if k is adverts or residents, to which applications
// refer. The caller adds the fingerprints to the set later.
func (r *references) keep(k RecordKind, ids map[xxh3.Uint128]bool) {
	switch k {
	case KindAdverts:
		r.adverts = ids
	case KindResidents:
		r.residents = ids
	}
}

// missing returns a fault if record is an application whose advert or resident is missing, and
// otherwise nil. For old applications, a missing advert is permitted.
func (r *references) missing(record sources.Record) *fault {
	a, ok := record.(sources.Application)
	if !ok {
		return nil
	}
	if r.needsAdvert(&a) && isMissing(r.adverts, a.Advert) {
		return &fault{sources.FaultUnknownReference, "the advert of the application is in no usable line of the feed's " +
			"adverts, so that its outcome is counted nowhere; export the advert"}
	}
	if isMissing(r.residents, a.Resident) {
		return &fault{sources.FaultUnknownResident, "the resident of the application is in no usable line of the feed's " +
			"residents, so that the outcome has no borough of the resident; export the resident under the same pseudonym"}
	}
	return nil
}

func isMissing(ids map[xxh3.Uint128]bool, id string) bool {
	return ids != nil && !ids[xxh3.HashString128(id)]
}

// needsAdvert reports whether the feed must contain the advert of an application. The advert of an
// old application may be missing.
func (r *references) needsAdvert(a *sources.Application) bool {
	since := r.fetchTime.AddDate(0, -monthsWithAdvert, 0)
	return r.fetchTime.IsZero() || !a.AppliedAt.Before(since) || !a.RecordedAt.Before(since)
}
