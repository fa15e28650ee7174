package pipeline

import (
	"errors"
	"slices"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/coding"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/platform"
)

// day returns the day that jobs and events are of: the date the data describes and, in a light run,
// the day on which the feed was fetched. A light snapshot keeps the date of the whole one before, and
// must show what is new all the same, also while no whole run is promoted.
func (b *build) day() (sources.Date, error) {
	if calendar.Day.DueAt(b.o.level()) {
		return b.o.AsOf, nil
	}
	known := b.basis.known
	for x, err := range b.archive.NewestFirst(platform.Key) {
		if err != nil {
			return sources.Date{}, err
		}
		if !known(x) {
			continue
		}
		if fetched := sources.DateOf(x.At); b.o.AsOf.Before(fetched) {
			return fetched, nil
		}
		break
	}
	return b.o.AsOf, nil
}

// job stages what may be shown of an advert that is live on the day of the run. Whether it
// is shown is decided by the counting rules with the rest of its vacancy.
//
// Live is: posted, listed, and not closed. An advert without a closing day is live while its source
// holds it; a source that lists only what is live holds it when its newest extract does.
func (s *stager) job(ordinal int32, a *sources.Advert, coded *coding.Advert) {
	today := s.build.reading.day
	closed := !a.Closes.IsZero() && a.Closes.Before(today)
	if !a.Listed || closed || a.Posted.IsZero() || today.Before(a.Posted) || s.info.Listing && !s.newest {
		return
	}
	terms, ok := s.build.shownUnder(a.Origin)
	if !ok || !s.info.Terms.Republish || !slices.Contains([]string{"job", "apprenticeship", "training"}, a.Kind) {
		return
	}
	j := staging.Job{Ordinal: ordinal, Precedence: s.build.precedence(s.info.Key), ID: a.Source + ":" + a.ID,
		Type:  a.Kind,
		Title: a.Title, Employer: a.Employer, Sector: coded.Sector, SOC: coded.SOC, SalaryText: snapshots.OrNull(a.SalaryText),
		PostedAt: a.Posted.Time(), FirstSeen: s.fetched.UTC().Truncate(time.Second), Link: snapshots.OrNull(a.Link),
		SourceKey: terms}
	if before, known := s.build.reading.firstSeen[j.ID]; known {
		j.FirstSeen = before
	}
	if !a.Closes.IsZero() {
		j.ClosesOn = new(a.Closes.Time())
	}
	stage(s, s.build.reading.stage.Jobs, j)
}

// readFirstSeen reads since when the current snapshot has its jobs. Without one, every job is new.
func (b *build) readFirstSeen() error {
	before, err := b.o.current()
	if errors.Is(err, ErrWholeRun) {
		return nil
	}
	if err != nil {
		return err
	}
	b.reading.firstSeen = map[string]time.Time{}
	return parquetio.Read(before.table("jobs"), func(r snapshots.JobsRow) error {
		b.reading.firstSeen[r.ID] = r.FirstSeen
		return nil
	})
}

// kindOf is the kind of source that adverts of an origin come from.
var kindOf = map[sources.Origin]sources.Kind{sources.OriginPlatform: sources.KindPlatform,
	sources.OriginEmployerBoard: sources.KindEmployerBoards, sources.OriginApprenticeship: sources.KindApprenticeships}

// shownUnder is the source under whose terms an advert of that origin is shown,
// whoever delivered it: an advert that the platform has imported from an employer's
// board stays under the board's terms. ok is false where no source is configured
// whose terms permit it; "unknown licence not published".
func (b *build) shownUnder(origin sources.Origin) (key string, ok bool) {
	kind, ok := kindOf[origin]
	if !ok {
		return "", false
	}
	for n := range b.infos {
		if i := &b.infos[n]; i.Kind == kind && i.Terms.Republish {
			return i.Key, true
		}
	}
	return "", false
}

// precedence is the place of a source in the configured order.
func (b *build) precedence(key string) int32 {
	return int32(slices.IndexFunc(b.infos, func(i sources.Info) bool { return i.Key == key }))
}

// event stages an event of the platform. One that happened after the day of the run, or after the
// feed was fetched, is still to come.
func (s *stager) event(e *sources.Event) {
	if s.build.reading.day.Before(sources.DateOf(e.OccurredAt.UTC())) || e.OccurredAt.After(s.fetched) {
		return
	}
	stage(s, s.build.reading.stage.Events,
		snapshots.EventsRow{ID: e.ID, Type: e.Type, OccurredAt: e.OccurredAt.UTC().Truncate(time.Second),
			Partner: e.Partner, Advert: snapshots.OrNull(e.Advert), Borough: snapshots.OrNull(e.Borough),
			Outcome: snapshots.OrNull(string(e.Outcome))})
}

// shared stages what the embargoed datasets demand, trends and reach count: "Counts from shareable
// sources only". An advert is shareable when both the source that delivered it and the source whose
// terms apply to it permit showing it as it is. A count of such adverts discloses nothing that may
// not be disclosed. Adverts that may only be counted serve shares, and are not in these datasets.
//
// It is live from the day on which it was posted to its closing day; without one, and where a
// listing stopped to show it before, to the last day on which it was shown: the day before at the
// latest, since a vacancy that the newest list does not show is closed on the day of that list.
func (s *stager) shared(ordinal int32, a *sources.Advert, coded *coding.Advert) {
	b := s.build
	terms, ok := b.shownUnder(a.Origin)
	if !ok || !s.info.Terms.Republish || !a.Listed || a.Posted.IsZero() || b.o.AsOf.Before(a.Posted) {
		return
	}
	until := b.o.AsOf
	if s.info.Listing && !s.newest {
		until = calendar.LastShown(s.fetched, b.o.AsOf)
		if until.Before(a.Posted) {
			return
		}
	}
	if !a.Closes.IsZero() && (a.Closes.Before(until) || !s.info.Listing || s.newest) {
		until = a.Closes
	}
	stage(s, b.reading.stage.Shared, staging.Shared{Ordinal: ordinal, Precedence: b.precedence(s.info.Key),
		SourceKey: terms, Posted: day(a.Posted), Until: day(until)})
	for _, p := range placesOf(a, coded) {
		p.Ordinal = ordinal
		stage(s, b.reading.stage.SharedPlaces, p)
	}
}

// placesOf returns the points of an advert that gives coordinates for each of its places, else the
// councils that its places were coded to. A place that is given only as anywhere or nationwide is
// none.
func placesOf(a *sources.Advert, coded *coding.Advert) (places []staging.SharedPlace) {
	pointless := false
	for _, l := range a.Locations {
		switch {
		case l.Latitude > 45 && l.Latitude < 65 && l.Longitude > -20 && l.Longitude < 10:
			places = append(places, staging.SharedPlace{Latitude: l.Latitude, Longitude: l.Longitude})
		case l.Text != "" || l.Slug != "" || l.Postcode != "":
			pointless = true
		}
	}
	if len(places) > 0 && !pointless {
		return places
	}
	places = nil
	for _, code := range coded.Place.Councils {
		places = append(places, staging.SharedPlace{Code: code})
	}
	return places
}
