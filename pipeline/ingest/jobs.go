package ingest

import (
	"slices"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/coding"
	"labour/pipeline/previous"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/boundaries"
	"labour/sources/platform"
)

// LightSnapshotDay returns the day that the jobs and events of a light snapshot describe. A light
// snapshot updates only the platform's data. The result is the day of the newest fetch of the
// platform's feed, or asOf if asOf is later. mayRead reports whether a fetch may be read.
func LightSnapshotDay(a *archive.Archive, mayRead func(sources.Extract) bool, asOf sources.Date) (sources.Date, error) {
	for x, err := range a.ExtractsNewestFirst(platform.Key) {
		if err != nil {
			return sources.Date{}, err
		}
		if !mayRead(x) {
			continue
		}
		if fetched := sources.DateOf(x.FetchedAt); asOf.Before(fetched) {
			return fetched, nil
		}
		break
	}
	return asOf, nil
}

// isListedBy reports whether an advert is open to everyone (Listed) and was posted on or before
// day.
func isListedBy(a *sources.Advert, day sources.Date) bool {
	return a.Listed && !a.Posted.IsZero() && !day.Before(a.Posted)
}

// job writes a live advert to the intermediate file of the table jobs, if the terms of its source
// permit it. The counting rules later decide whether the vacancy is published.
//
// An advert is live if it was posted, is listed and is not closed. Without a closing day, it is
// live while its source has it. For a source that lists only live adverts, the newest fetch must
// have it.
func (s *stager) job(ordinal int32, a *sources.Advert, codes *coding.CodedAdvert) {
	today := s.reader.options.JobsDay
	closed := !a.Closes.IsZero() && a.Closes.Before(today)
	if !isListedBy(a, today) || closed || s.history.isPastListing() {
		return
	}
	terms, ok := s.reader.shownUnder(a.Origin)
	if !ok || !s.info.Terms.MayRepublish || !slices.Contains([]string{"job", "apprenticeship", "training"}, a.Kind) {
		return
	}
	j := staging.Job{Ordinal: ordinal, Precedence: s.reader.precedence(s.info.Key), ID: a.Source + ":" + a.ID,
		Type:  a.Kind,
		Title: a.Title, Employer: a.Employer, Sector: codes.Sector, SOC: codes.SOC,
		SalaryText: snapshots.NullIfEmpty(a.SalaryText),
		PostedAt:   a.Posted.Time(), FirstSeen: s.fetchTime.UTC().Truncate(time.Second), Link: snapshots.NullIfEmpty(a.Link),
		SourceKey: terms}
	if before, known := s.reader.options.JobsFirstSeen[j.ID]; known {
		j.FirstSeen = before
	}
	if !a.Closes.IsZero() {
		j.ClosesOn = new(a.Closes.Time())
	}
	appendRow(s, s.reader.files.Jobs, j)
}

// ReadJobsFirstSeen returns when each job of the current snapshot was first seen, by the job's ID.
// The map is nil if there is no current snapshot (current is nil).
func ReadJobsFirstSeen(current *previous.Snapshot) (map[string]time.Time, error) {
	if current == nil {
		return nil, nil
	}
	seen := map[string]time.Time{}
	return seen, parquetio.ForEachRow(current.TablePath("jobs"), func(r snapshots.JobsRow) error {
		seen[r.ID] = r.FirstSeen
		return nil
	})
}

// kindOf maps the origin of an advert, such as an employer's board, to the kind of source that
// publishes it.
var kindOf = map[sources.Origin]sources.Kind{sources.OriginPlatform: sources.KindPlatform,
	sources.OriginEmployerBoard: sources.KindEmployerBoards, sources.OriginApprenticeship: sources.KindApprenticeships}

// shownUnder returns the key of the source whose terms apply to adverts of an origin. An advert
// that the platform imported from an employer's board keeps the terms of employers' boards. ok is
// false if no configured source of that kind permits publication.
func (r *reader) shownUnder(origin sources.Origin) (key string, ok bool) {
	kind, ok := kindOf[origin]
	if !ok {
		return "", false
	}
	for n := range r.options.SourceInfos {
		if i := &r.options.SourceInfos[n]; i.Kind == kind && i.Terms.MayRepublish {
			return i.Key, true
		}
	}
	return "", false
}

// precedence returns the position of a source in the configured order, from 0. It returns -1 if the
// source is not configured.
func (r *reader) precedence(key string) int32 {
	return int32(slices.IndexFunc(r.options.SourceInfos, func(i sources.Info) bool { return i.Key == key }))
}

// event writes an event of the platform's feed to the intermediate file of events. It ignores an
// event that is later than the fetch, or later than the day that the jobs and events describe.
func (s *stager) event(e *sources.Event) {
	if s.reader.options.JobsDay.Before(sources.DateOf(e.OccurredAt.UTC())) || e.OccurredAt.After(s.fetchTime) {
		return
	}
	appendRow(s, s.reader.files.Events,
		snapshots.EventsRow{ID: e.ID, Type: e.Type, OccurredAt: e.OccurredAt.UTC().Truncate(time.Second),
			Partner: e.Partner, Advert: snapshots.NullIfEmpty(e.Advert), Borough: snapshots.NullIfEmpty(e.Borough),
			Outcome: snapshots.NullIfEmpty(string(e.Outcome))})
}

// shareable writes an advert to the intermediate files for the embargoed datasets demand, trends
// and reach, if it is shareable. The specification says: "Counts from shareable sources only". An
// advert is shareable if two sources permit publishing it unchanged. One is the source that
// delivered it. The other is the source whose terms apply to it.
//
// An advert is live from its day of posting to its closing day. Without a closing day, it is live
// to the date of the data. A source that lists only live adverts may have removed it earlier, even
// before its closing day. It is then live to the day of the last fetch that had it.
func (s *stager) shareable(ordinal int32, a *sources.Advert, codes *coding.CodedAdvert) {
	terms, ok := s.reader.shownUnder(a.Origin)
	if !ok || !s.info.Terms.MayRepublish || !isListedBy(a, s.reader.options.AsOf) {
		return
	}
	until := s.reader.options.AsOf
	if s.history.isPastListing() {
		until = calendar.LastListedDay(s.fetchTime, s.reader.options.AsOf)
		if until.Before(a.Posted) {
			return
		}
	}
	if !a.Closes.IsZero() && (a.Closes.Before(until) || !s.history.isPastListing()) {
		until = a.Closes
	}
	appendRow(s, s.reader.files.ShareableAdverts, staging.ShareableAdvert{Ordinal: ordinal,
		Precedence: s.reader.precedence(s.info.Key), SourceKey: terms, Posted: a.Posted.Time(),
		LiveUntil: until.Time()})
	for _, p := range placesOf(a, codes) {
		p.Ordinal = ordinal
		appendRow(s, s.reader.files.ShareablePlaces, p)
	}
}

// placesOf returns the coordinates of an advert's places of work. If a place has no coordinates, it
// returns the councils in codes, the coding of the advert. "Anywhere" and "nationwide" do not count
// as places.
func placesOf(a *sources.Advert, codes *coding.CodedAdvert) (places []staging.ShareablePlace) {
	pointless := false
	for _, l := range a.Locations {
		switch {
		case boundaries.IsNearUK(l.Latitude, l.Longitude):
			places = append(places, staging.ShareablePlace{Latitude: l.Latitude, Longitude: l.Longitude})
		case l.Text != "" || l.Slug != "" || l.Postcode != "":
			pointless = true
		}
	}
	if len(places) > 0 && !pointless {
		return places
	}
	places = nil
	for _, code := range codes.Place.Councils {
		places = append(places, staging.ShareablePlace{CouncilCode: code})
	}
	return places
}
