package pipeline

import (
	"context"
	"slices"
	"time"

	"labour/pipeline/cells"
	"labour/pipeline/coding"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/sources"
)

// job stages what may be shown of an advert that is live on the date the data
// describes. Whether it is shown is decided by the counting rules with the rest of
// its vacancy.
//
// Live is: posted, listed, and not closed. An advert without a closing day is live
// while its source holds it; a source that lists only what is live holds it when
// its newest extract does.
func (s *sink) job(ordinal int32, a *sources.Advert, coded *coding.Advert) error {
	asOf := s.build.o.AsOf
	closed := !a.Closes.IsZero() && a.Closes.Before(asOf)
	if !a.Listed || closed || a.Posted.IsZero() || asOf.Before(a.Posted) || s.info.Listing && !s.newest {
		return nil
	}
	terms, ok := s.build.shownUnder(a.Origin)
	if !ok || !s.info.Terms.Republish || !slices.Contains([]string{"job", "apprenticeship", "training"}, a.Kind) {
		return nil
	}
	j := staging.Job{Ordinal: ordinal, Precedence: s.build.precedence(s.info.Key), ID: a.Source + ":" + a.ID, Type: a.Kind,
		Title: a.Title, Employer: a.Employer, Sector: coded.Sector, SOC: coded.SOC, SalaryText: orNull(a.SalaryText),
		PostedAt: a.Posted.Time(), Link: orNull(a.Link), SourceKey: terms}
	if !a.Closes.IsZero() {
		closes := a.Closes.Time()
		j.ClosesOn = &closes
	}
	return s.build.stage.Jobs.Append(j)
}

// shownUnder is the source under whose terms an advert of that origin is shown,
// whoever delivered it: an advert that the platform has imported from an employer's
// board stays under the board's terms. ok is false where no source is configured
// whose terms permit it; "unknown licence not published".
func (b *build) shownUnder(origin sources.Origin) (key string, ok bool) {
	var kind sources.Kind
	switch origin {
	case sources.OriginPlatform:
		kind = sources.KindPlatform
	case sources.OriginEmployerBoard:
		kind = sources.KindEmployerBoards
	case sources.OriginApprenticeship:
		kind = sources.KindApprenticeships
	default:
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

// jobs writes the live adverts that may be shown, one per vacancy.
func (t *tables) jobs(ctx context.Context) error {
	file, err := t.ask(ctx, cells.Jobs)
	if err != nil {
		return err
	}
	return t.take("jobs", file)
}

// event stages an event of the platform. One that happened after the date the data
// describes is still to come.
func (s *sink) event(e *sources.Event) error {
	b := s.build
	if b.o.AsOf.Before(sources.DateOf(e.OccurredAt.UTC())) {
		return nil
	}
	return b.stage.Events.Append(snapshots.EventsRow{ID: e.ID, Type: e.Type, OccurredAt: e.OccurredAt.UTC().Truncate(time.Second),
		Partner: e.Partner, Advert: orNull(e.Advert), Borough: orNull(e.Borough), Outcome: orNull(string(e.Outcome))})
}

// events writes them in the order in which they happened.
func (t *tables) events(ctx context.Context) error {
	table, _ := snapshots.TableNamed("events")
	sorted := t.o.protected("truth", "events.parquet")
	if err := t.engine.Sort(ctx, t.o.protected("staging", "events.parquet"), sorted, table.Sort); err != nil {
		return err
	}
	return t.take("events", sorted)
}
