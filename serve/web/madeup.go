package web

import (
	"net/url"
	"slices"
	"strings"

	"labour/serve"
	"labour/serve/api"
)

// inventedDomain is the top-level domain .example, which RFC 2606 reserves for examples. No real
// platform has an address in it.
const inventedDomain = ".example"

// madeUp reports whether the data of a page are made up. That is so if Options.MadeUp is set, or if
// the platform or one of its newest live adverts has a web address under .example. For a page
// without a snapshot, madeUp checks the current snapshot.
func (s *Site) madeUp(v *request) bool {
	if s.MadeUp || v.snapshot != nil {
		return s.MadeUp || s.isInvented(v, v.snapshot)
	}
	current, release, err := s.Snapshots.Acquire()
	if err != nil {
		return false
	}
	defer release()
	return s.isInvented(v, current)
}

func (s *Site) isInvented(v *request, snapshot api.Snapshot) bool {
	if known, ok := s.madeUpCache.Load(snapshot.ID()); ok {
		return known.(bool)
	}
	addresses, err := addressesOf(v, snapshot)
	if err != nil {
		s.Log.Error("address of the platform", "error", err)
		return false
	}
	invented := slices.ContainsFunc(addresses, isExample)
	s.madeUpCache.Store(snapshot.ID(), invented)
	return invented
}

// addressesOf returns the web addresses of the platform and of its newest live adverts.
func addressesOf(v *request, snapshot api.Snapshot) (addresses []string, err error) {
	sources, err := snapshot.Sources(v.Context(), api.SourcesQuery{At: v.at})
	if err != nil {
		return nil, err
	}
	for _, row := range sources.Rows {
		if row.Key == api.PlatformKey {
			addresses = append(addresses, row.Link)
		}
	}
	jobs, err := snapshot.Jobs(v.Context(), api.JobsQuery{Limit: serve.MaxPageRows})
	for _, row := range jobs.Rows {
		if row.SourceKey == api.PlatformKey && row.Link != nil {
			addresses = append(addresses, *row.Link)
		}
	}
	return addresses, err
}

func isExample(address string) bool {
	link, err := url.Parse(address)
	return err == nil && strings.HasSuffix(link.Hostname(), inventedDomain)
}
