package pipeline

import (
	"labour/pipeline/coding"
	"labour/pipeline/staging"
	"labour/sources"
)

// shared stages what the held datasets demand, trends and reach count: "Counts from shareable
// sources only". An advert is shareable when both who delivered it and the source under whose terms
// it stands permit that it is shown as it is: a count of such adverts tells nothing that anybody
// may not be told. What may only be counted serves shares, and is not in these datasets.
//
// It is live from the day on which it was posted to its closing day; without one, and where a
// listing stopped to show it before, to the last day on which it was shown: the day before at the
// latest, since a vacancy that the newest list does not show is closed on the day of that list.
func (s *stager) shared(ordinal int32, a *sources.Advert, coded *coding.Advert) error {
	b := s.build
	terms, ok := b.shownUnder(a.Origin)
	if !ok || !s.info.Terms.Republish || !a.Listed || a.Posted.IsZero() || b.o.AsOf.Before(a.Posted) {
		return nil
	}
	until := b.o.AsOf
	if s.info.Listing && !s.newest {
		until = s.received
		if eve := sources.DateOf(b.o.AsOf.Time().AddDate(0, 0, -1)); eve.Before(until) {
			until = eve
		}
		if until.Before(a.Posted) {
			return nil
		}
	}
	if !a.Closes.IsZero() && (a.Closes.Before(until) || !s.info.Listing || s.newest) {
		until = a.Closes
	}
	err := b.reading.stage.Shared.Append(staging.Shared{Ordinal: ordinal, Precedence: b.precedence(s.info.Key), SourceKey: terms, Posted: day(a.Posted), Until: day(until)})
	for _, p := range placesOf(a, coded) {
		if err == nil {
			p.Ordinal = ordinal
			err = b.reading.stage.SharedPlaces.Append(p)
		}
	}
	return err
}

// placesOf are the points of an advert that gives coordinates for each of its places,
// else the councils that its places were coded to. A place that is given only as
// anywhere or nationwide is none.
func placesOf(a *sources.Advert, coded *coding.Advert) []staging.SharedPlace {
	var points []staging.SharedPlace
	for _, l := range a.Locations {
		switch {
		case l.Latitude > 45 && l.Latitude < 65 && l.Longitude > -20 && l.Longitude < 10:
			points = append(points, staging.SharedPlace{Latitude: l.Latitude, Longitude: l.Longitude})
		case l.Text != "" || l.Slug != "" || l.Postcode != "":
			return councilsOf(coded)
		}
	}
	if len(points) == 0 {
		return councilsOf(coded)
	}
	return points
}

func councilsOf(coded *coding.Advert) []staging.SharedPlace {
	var places []staging.SharedPlace
	for _, code := range coded.Place.Councils {
		places = append(places, staging.SharedPlace{Code: code})
	}
	return places
}
