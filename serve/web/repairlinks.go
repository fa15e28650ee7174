package web

import (
	"context"
	"net/url"
	"slices"
)

// repairLinks returns the links of the error page for the error f. It removes faulty parameters
// from the addresses of the links, so that no link leads to another error page.
func (s *Site) repairLinks(v *request, p page, f *fault) (links []link) {
	wrong := v.faultyParameters
	if p.queries && v.snapshot == nil && f.parameter != "" { // the page did not check its parameters
		wrong = s.allFaultyParameters(v, p, f.parameter)
	}
	asked := v.URL.Query()
	for _, l := range f.nearest {
		u, err := url.Parse(l.URL)
		if err != nil {
			continue
		}
		q := u.Query()
		for _, name := range wrong {
			if q.Get(name) == asked.Get(name) {
				q.Del(name)
			}
		}
		if u.RawQuery != "" {
			u.RawQuery = q.Encode()
		}
		l.URL = u.String()
		if !slices.ContainsFunc(links, func(before link) bool { return before.URL == l.URL }) {
			links = append(links, l)
		}
	}
	return links
}

// allFaultyParameters returns the names of all faulty parameters of a request whose snapshot was not
// opened. parameter is the name of the faulty parameter that is already known. To find the others,
// allFaultyParameters renders the page p from the current snapshot, without the known one.
func (s *Site) allFaultyParameters(v *request, p page, parameter string) []string {
	u := *v.URL
	q := u.Query()
	q.Del(parameter)
	u.RawQuery = q.Encode()
	r := v.Request.Clone(v.ctx)
	r.URL = &u
	current := &request{Request: r, ctx: v.ctx, at: v.at, base: v.base}
	release, err := s.acquire(current, p)
	if err != nil {
		return []string{parameter}
	}
	defer release()
	_ = s.Backend.RunQuery(v.ctx, func(ctx context.Context) error { // only the faults of the page matter
		current.ctx = ctx
		p.show(current)
		return nil
	})
	return append(current.faultyParameters, parameter)
}
