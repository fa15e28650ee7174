package crawl

import (
	"context"
	"fmt"
	"net/url"
	"slices"
)

// Neighbours are the counts of people beside skills not met, as printed.
type Neighbours struct {
	Residents, Seeking string            // all residents, and those who seek work
	By                 map[string]Counts // by borough, level and sector_sought
	Employed           Counts            // local people employed by place; "" = all
	// Below is the share of residents below a skill's level, by skill and place.
	Below map[string]Counts
}

// Counts are printed counts by value.
type Counts map[string]string

// Neighbours asks for residents, developments, and the shares of residents.
func (c *Client) Neighbours(ctx context.Context, s Space) (*Neighbours, error) {
	n := &Neighbours{By: map[string]Counts{}, Employed: Counts{}, Below: map[string]Counts{}}
	o, err := c.object(ctx, "/v1/candidates", nil)
	if err != nil {
		return nil, err
	}
	n.Residents, n.Seeking = token(o["residents"]), token(o["seeking_work"])
	for list, key := range map[string]string{"by_borough": "borough", "by_level": "level", "by_sector_sought": "sector"} {
		rows, ok := o[list].([]any)
		if !ok {
			return nil, fmt.Errorf("candidates: %s is no list", list)
		}
		n.By[key] = Counts{}
		for _, row := range rows {
			if r, ok := row.(map[string]any); ok {
				n.By[key][token(r[key])] = token(r["residents"])
			}
		}
	}
	for _, place := range s.allPlaces() {
		query := url.Values{}
		if place != "" {
			query.Set("borough", place)
		}
		if o, err = c.object(ctx, "/v1/s106", query); err != nil {
			return nil, err
		}
		n.Employed[place] = token(o["local_people_employed"])
		if err := c.below(ctx, n, place); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// below reads the shares of residents of a place off its list of skills.
func (c *Client) below(ctx context.Context, n *Neighbours, place string) error {
	query := url.Values{"window": {"24"}, "limit": {"200"}}
	if place != "" {
		query.Set("place", place)
	}
	rows, err := c.walk(ctx, skillsUnmetPath, query)
	for _, r := range rows {
		skill := token(r["skill"])
		if n.Below[skill] == nil {
			n.Below[skill] = Counts{}
		}
		n.Below[skill][place] = token(r["people_below_share_pct"])
	}
	return err
}

func (s Space) allPlaces() []string {
	places := []string{""}
	places = append(places, s.Places...)
	places = append(places, s.Others...)
	for a := range s.Areas {
		places = append(places, a)
	}
	slices.Sort(places)
	return places
}

// Rest asks what is left of the interface, for what it may say of people by the
// way: jobs, pathways, events, sources, regions, evidence, course demand, gaps. Of
// the jobs, which are adverts, it takes every page only where the space says Beyond.
func (c *Client) Rest(ctx context.Context, s Space) error {
	for _, path := range []string{"/v1/pathways", "/v1/labour/sources", "/v1/labour/regions", "/v1/labour/skills-gaps", "/v1/labour/course-demand"} {
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
	for _, place := range s.allPlaces() {
		query := url.Values{"limit": {"100"}}
		if place != "" {
			query.Set("borough", place)
		}
		jobs := func() error { _, err := c.ask(ctx, "/v1/jobs", query); return err }
		if s.Beyond {
			jobs = func() error { _, err := c.walk(ctx, "/v1/jobs", query); return err }
		}
		if err := jobs(); err != nil {
			return err
		}
	}
	return nil
}
