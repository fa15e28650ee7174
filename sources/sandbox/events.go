package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"labour/sources"
)

// Partner is the invented partner of whose events the feed has most; give a key of that
// name to see them.
const Partner = "sandbox"

// partners are those through which people apply, in turn.
var partners = []string{Partner, "north-works", Partner, "riverside-jobs"}

// eventDays is how far back the events go, and eventsEach how many applications have one.
const (
	eventDays  = 30
	eventsEach = 6
)

type eventLine struct {
	ID       string    `json:"id"`
	Type     string    `json:"type"`
	Occurred time.Time `json:"occurred_at"`
	Partner  string    `json:"partner,omitempty"`
	Advert   string    `json:"advert,omitempty"`
	Borough  string    `json:"borough,omitempty"`
	Outcome  string    `json:"outcome,omitempty"`
}

// events gathers what partners are told of.
type events struct{ list []eventLine }

// application adds the events of some of the recent applications.
func (e *events) application(w *World, v *vacancy, a *sources.Application, number int) {
	if number%eventsEach != 0 {
		return
	}
	since := w.asOf.AddDays(-eventDays).Time()
	line := eventLine{Advert: v.id, Partner: partners[number/eventsEach%len(partners)]}
	if len(v.boroughs) > 0 {
		line.Borough = w.borough(v.boroughs[0]).slug
	}
	add := func(kind string, at time.Time, outcome sources.Outcome) {
		if !at.Before(since) {
			line.Type, line.Occurred, line.Outcome = kind, at, string(outcome)
			e.list = append(e.list, line)
		}
	}
	add("click.recorded", a.AppliedAt.Add(-7*time.Minute), "")
	add("application.created", a.AppliedAt, "")
	if !a.RecordedAt.IsZero() {
		add("outcome.recorded", a.RecordedAt, a.Outcome)
	}
}

// write adds the adverts of the last days and writes all events in their order.
func (e *events) write(w *World, f *feed) error {
	since := w.asOf.AddDays(-eventDays)
	for i := range w.adverts.own {
		v := w.vacancy(i)
		if v.unlisted || !v.posted.Before(w.asOf) || v.posted.Before(since) {
			continue
		}
		line := eventLine{Type: "opportunity.published", Occurred: v.posted.Time().Add(7 * time.Hour), Advert: v.id}
		if len(v.boroughs) > 0 {
			line.Borough = w.borough(v.boroughs[0]).slug
		}
		e.list = append(e.list, line)
	}
	slices.SortStableFunc(e.list, func(a, b eventLine) int {
		return cmp.Or(a.Occurred.Compare(b.Occurred), strings.Compare(a.Advert, b.Advert), strings.Compare(a.Type, b.Type))
	})
	for i := range e.list {
		e.list[i].ID = fmt.Sprintf("ev-%06d", i+1)
		if err := f.put("events.ndjson", e.list[i]); err != nil {
			return err
		}
	}
	return nil
}
