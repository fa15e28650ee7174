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
		wrong = s.wrongBeside(v, p, f.parameter)
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

// wrongBeside returns the names of all faulty parameters of a request if the faulty parameter named
// parameter prevents that its snapshot is opened. It renders the page p without this parameter,
// from the current snapshot, to find the other faulty parameters.
func (s *Site) wrongBeside(v *request, p page, parameter string) []string {
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
