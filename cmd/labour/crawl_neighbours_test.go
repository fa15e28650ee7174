package main

import (
	"context"
	"fmt"
	"net/url"
)

// neighbours are the printed counts of people other than skills not met.
type neighbours struct {
	Residents, Seeking string                   // all residents, and those who seek work
	By                 map[string]printedCounts // by borough, level and sector_sought
	Employed, Started  printedCounts            // local people employed and apprenticeships started by place; "" = all
}

// printedCounts are printed counts by value.
type printedCounts map[string]string

// neighbours asks for residents and developments.
func (c *crawler) neighbours(ctx context.Context, s crawlSpace) (*neighbours, error) {
	n := &neighbours{By: map[string]printedCounts{}, Employed: printedCounts{}, Started: printedCounts{}}
	o, err := c.object(ctx, "/v1/candidates", nil)
	if err != nil {
		return nil, err
	}
	n.Residents, n.Seeking = token(o["residents"]), token(o["seeking_work"])
	for list, key := range map[string]string{"by_borough": "borough", "by_level": "level",
		"by_sector_sought": "sector"} {
		rows, ok := o[list].([]any)
		if !ok {
			return nil, fmt.Errorf("candidates: %s is no list", list)
		}
		n.By[key] = printedCounts{}
		for _, row := range rows {
			if r, ok := row.(map[string]any); ok {
				n.By[key][token(r[key])] = token(r["residents"])
			}
		}
	}
	for _, place := range s.places() {
		query := url.Values{}
		if place != "" {
			query.Set("borough", place)
		}
		if o, err = c.object(ctx, "/v1/s106", query); err != nil {
			return nil, err
		}
		n.Employed[place], n.Started[place] = token(o["local_people_employed"]), token(o["apprenticeships_started"])
	}
	return n, nil
}

// rest asks what is left of the interface, for what it may say of people by the way:
// jobs, pathways, events, sources, regions, evidence, course demand, gaps.
func (c *crawler) rest(ctx context.Context, s crawlSpace) error {
	for _, path := range []string{"/v1/pathways", "/v1/labour/sources", "/v1/labour/regions", "/v1/labour/skills-gaps",
		"/v1/labour/course-demand"} {
		if _, err := c.ask(ctx, path, nil); err != nil {
			return err
		}
	}
	for _, event := range []string{"", "application.created", "outcome.recorded"} {
		query := url.Values{"limit": {"200"}}
		if event != "" {
			query.Set("type", event)
		}
		if _, err := c.ask(ctx, "/v1/events", query); err != nil {
			return err
		}
	}
	if _, err := c.walk(ctx, "/v1/labour/evidence", url.Values{"limit": {"200"}}); err != nil {
		return err
	}
	for _, place := range s.places() {
		query := url.Values{"limit": {"100"}}
		if place != "" {
			query.Set("borough", place)
		}
		if _, err := c.ask(ctx, "/v1/jobs", query); err != nil {
			return err
		}
	}
	return nil
}
