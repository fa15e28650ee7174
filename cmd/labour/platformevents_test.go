package main

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"labour/serve/partners/access"
	"labour/sources"
	"labour/sources/sandbox"
)

// compareEvents asks as two partners: each sees its own, and of those of none what is
// about no person.
func (p *published) compareEvents(records []sources.Record) {
	p.t.Helper()
	keys := map[string]string{"Test": p.secret}
	_, secret, err := p.service.stores.Keys.CreateKey(p.t.Context(), access.KeyRequest{Partner: sandbox.PartnerName,
		Plan: access.PlanPartner, Scopes: access.Scopes()})
	if err != nil {
		p.t.Fatal(err)
	}
	keys[sandbox.PartnerName] = secret
	defer func(own string) { p.secret = own }(p.secret)
	var totals []int
	for partner, secret := range keys {
		p.secret = secret
		var want, got []string
		since := p.options.AsOf.AddDays(-20).Time()
		for _, r := range records {
			e, ok := r.(sources.Event)
			open := e.Partner == "" && (e.Type == "click.recorded" || e.Type == "opportunity.published")
			if ok && (open || e.Partner == partner) && !e.OccurredAt.Before(since) &&
				!p.options.AsOf.Before(sources.DateOf(e.OccurredAt)) {
				want = append(want, e.OccurredAt.UTC().Format(time.RFC3339)+" "+e.ID)
			}
		}
		slices.Sort(want)
		for page := 1; ; page++ {
			answer := p.object("/v1/events", url.Values{"since": {since.Format(time.RFC3339)}, "limit": {"150"},
				"page": {fmt.Sprint(page)}})
			if total := answer["meta"].(map[string]any)["total"]; total != float64(len(want)) {
				p.t.Fatalf("%s: total %v, want %d", partner, total, len(want))
			}
			rows := answer["data"].([]any)
			if len(rows) == 0 {
				break
			}
			for _, row := range rows {
				row := row.(map[string]any)
				got = append(got, fmt.Sprint(row["occurred_at"], " ", row["id"]))
			}
		}
		if d := gocmp.Diff(want, got); d != "" {
			p.t.Errorf("%s (-want +got):\n%s", partner, d)
		}
		totals = append(totals, len(want))
	}
	if totals[0] == totals[1] {
		p.t.Errorf("both partners see %d events", totals[0])
	}
}
