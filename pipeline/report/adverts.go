package report

import (
	"strings"

	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/counting"
	"labour/sources"
	"labour/sources/archive"
)

// AdvertCounts counts the adverts of a source: those that were read, counted, excluded, and coded,
// which means that their place, occupation, sector or skills are known.
type AdvertCounts struct {
	Read int64 `json:"read"`
	// number of adverts in the newest fetch; for a source that lists only live adverts, all live
	// ones
	Listed int64 `json:"listed"`
	// number of adverts in the newest fetch, by part of the source, such as a job board
	Parts    map[string]int64                   `json:"listed_parts,omitempty"`
	Counted  int64                              `json:"counted"`
	Excluded map[counting.ExclusionReason]int64 `json:"excluded"`
	// number of adverts read that are in the United Kingdom; Placed, OnlyInArea, WithSOC,
	// WithSector, WithSkill and NoText count only these adverts
	InUK   int64 `json:"in_uk"`
	Placed int64 `json:"placed"` // adverts in the United Kingdom with at least one council
	// number of adverts in the United Kingdom whose council is not known, but a larger area is
	OnlyInArea int64 `json:"in_area"`
	WithSOC    int64 `json:"with_soc"`
	WithSector int64 `json:"with_sector"`
	WithSkill  int64 `json:"with_skill"` // adverts in the United Kingdom with at least one skill
	// number of adverts in the United Kingdom with neither text nor a list of skills; they are left
	// out of shares of adverts with a skill
	NoText int64 `json:"no_text"`
}

// Readable returns the number of adverts in the United Kingdom that have a text or a list of skills.
// WithSkill is a share of these.
func (c AdvertCounts) Readable() int64 { return c.InUK - c.NoText }

// adverts returns the advert counts of the source. If there are none, it adds counts of 0.
func (s *SourceEntry) adverts() *AdvertCounts {
	if s.Adverts == nil {
		s.Adverts = &AdvertCounts{Excluded: map[counting.ExclusionReason]int64{}}
	}
	return s.Adverts
}

// AddAdvert counts an advert that was read. codes is the coding of the advert. For an advert in the
// United Kingdom, AddAdvert also counts whether its place, occupation, sector and skills could be
// coded.
func (s *SourceEntry) AddAdvert(codes *coding.CodedAdvert) {
	a := s.adverts()
	a.Read++
	if codes.Place.Country != place.CountryUK {
		return
	}
	a.InUK++
	for _, c := range []struct {
		is bool
		n  *int64
	}{{len(codes.Place.Councils) > 0, &a.Placed}, {codes.Place.Precision == place.PrecisionArea, &a.OnlyInArea},
		{codes.SOC != "", &a.WithSOC},
		{codes.Sector != "", &a.WithSector}, {len(codes.Skills) > 0, &a.WithSkill}, {!codes.Readable, &a.NoText}} {
		if c.is {
			*c.n++
		}
	}
}

// AddListedAdvert counts an advert in the newest fetch of the source. It also counts the advert for
// its part of the source, such as a job board, if the source lists only live adverts.
func (s *SourceEntry) AddListedAdvert(info *sources.Info, a *sources.Advert) {
	r := s.adverts()
	r.Listed++
	part := archive.PartOfObject(a.ID)
	if info.ListsLiveOnly && strings.HasPrefix(a.ID, part+"/") && strings.Contains(part, "/") {
		if r.Parts == nil {
			r.Parts = map[string]int64{}
		}
		r.Parts[part]++
	}
}

// AddParts adds the configured parts of a source, such as job boards, to the report. Parts that
// have no adverts are thus listed with the number 0.
func (s *SourceEntry) AddParts(names []string) {
	r := s.adverts()
	if r.Parts == nil {
		r.Parts = map[string]int64{}
	}
	for _, name := range names {
		r.Parts[name] += 0
	}
}

// AddVerdict counts one advert of a source: as counted, or as excluded for the reason in v.
func (r *Report) AddVerdict(source string, v counting.Verdict) {
	a := r.EnsureSource(source).adverts()
	if v.Reason == counting.ReasonCounted {
		a.Counted++
	} else {
		a.Excluded[v.Reason]++
	}
}
