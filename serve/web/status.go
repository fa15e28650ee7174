package web

import (
	"time"

	"labour/serve/api"
	"labour/snapshots"
)

// statusView is what is published and which sources are late.
type statusView struct {
	Published time.Time // zero = not known
	Sources   int
	Late      []api.SourcesRow
}

// status says in words how fresh the figures are.
func (s *Site) status(v *request) view {
	shown := view{template: "status", title: "Status", section: "/status"}
	if v.snapshot == nil {
		return shown
	}
	p := ask(v, api.Snapshot.Sources, api.SourcesQuery{})
	d := statusView{Sources: len(p.Rows)}
	for _, r := range p.Rows {
		if r.StaleAt(v.at) {
			d.Late = append(d.Late, r)
		}
	}
	e, ok, err := s.entry(snapshots.ID(v.snapshot.ID()))
	if v.fail(err); ok {
		d.Published = e.Manifest.CreatedAt
	}
	v.calls("The sources", sourcesPath, nil)
	v.stamp.People = true
	shown.data = d
	return shown
}
