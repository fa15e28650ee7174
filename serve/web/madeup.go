package web

import (
	"net/url"
	"strings"

	"labour/serve/api"
)

// inventedDomain is reserved for examples (RFC 2606): no real platform has an address under it.
const inventedDomain = ".example"

// platformKey is the key of the platform among the sources.
const platformKey = "platform"

// madeUp reports whether the data of a page are made up: the server is configured so, or the
// platform's address is one reserved for examples, as in the sandbox and in the files of `labour
// init`.
func (s *Site) madeUp(v *request) bool {
	if s.MadeUp || v.snapshot == nil {
		return s.MadeUp
	}
	if known, ok := s.invented.Load(v.snapshot.ID()); ok {
		return known.(bool)
	}
	page, err := v.snapshot.Sources(v.Context(), api.SourcesQuery{At: v.at})
	if err != nil {
		s.Log.Error("address of the platform", "error", err)
		return false
	}
	invented := false
	for _, row := range page.Rows {
		if row.Key == platformKey {
			link, err := url.Parse(row.Link)
			invented = err == nil && strings.HasSuffix(link.Hostname(), inventedDomain)
		}
	}
	s.invented.Store(v.snapshot.ID(), invented)
	return invented
}
