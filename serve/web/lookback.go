package web

import (
	"errors"
	"net/http"

	"labour/serve/api"
)

// lookBack opens an earlier snapshot for a page. No page loads one: that takes seconds.
func (s *Site) lookBack(v *request, id string) (release func(), err error) {
	v.snapshot, release, err = s.Live.AcquireID(v.Context(), id, false)
	if errors.Is(err, api.ErrSnapshotGone) {
		return nil, s.notLoaded(v, id)
	}
	if err != nil {
		return nil, err
	}
	if current, done, err := s.Live.Acquire(); err == nil {
		defer done()
		if current.ID() != id {
			v.past = &past{AsOf: v.snapshot.AsOf(), ID: id, Now: v.with("snapshot", "")}
		}
	}
	return release, nil
}

// notLoaded is the answer to an address of a snapshot that is not loaded. Addresses are cited on paper:
// while its files are kept, the address leads to them.
func (s *Site) notLoaded(v *request, id string) error {
	e, kept, err := s.find(id)
	if err != nil {
		return err
	}
	f := &fault{status: http.StatusNotFound, title: "There is no publication with this number",
		words: "It was removed, or the address is mistyped.",
		nearest: []link{{"The publications that are kept", "/snapshots"},
			{"The same page with today's figures", v.with("snapshot", "")}}}
	if kept && e.Withdrawn == nil {
		f.title = "Publication " + id + " is kept as files"
		f.words = "Pages show the figures of the newest publications only. The figures of this one are in its files. " +
			"A call of the API with a key reads it too: give it the parameter snapshot."
		f.nearest = append([]link{{"The files of publication " + id, "/snapshots/" + id}}, f.nearest...)
	}
	return f
}
