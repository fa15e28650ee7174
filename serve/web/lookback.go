package web

import (
	"errors"
	"net/http"

	"labour/serve/api"
)

// lookBack opens the snapshot with the given ID for a page. It returns a function that releases the
// snapshot. If the snapshot is not in memory, it returns an error, because loading one takes
// seconds.
func (s *Site) lookBack(v *request, id string) (release func(), err error) {
	v.snapshot, release, err = s.Snapshots.AcquireByID(v.Context(), id, false)
	if errors.Is(err, api.ErrSnapshotGone) {
		return nil, s.notLoaded(v, id)
	}
	if err != nil {
		return nil, err
	}
	s.markPast(v)
	return release, nil
}

// markPast sets v.past if the page shows an earlier snapshot than the current one.
func (s *Site) markPast(v *request) {
	current, done, err := s.Snapshots.Acquire()
	if err != nil {
		return
	}
	defer done()
	if id := v.snapshot.ID(); current.ID() != id {
		q := v.URL.Query()
		q.Del("snapshot")
		q.Del("cursor") // it belongs to the list of the earlier snapshot
		v.past = &past{AsOf: v.snapshot.AsOf(), ID: id, Now: address(v.URL.Path, q)}
	}
}

// notLoaded returns the error for a snapshot that is not in memory. The error page links to the
// files of the snapshot if they are still stored, or to the reason if it was withdrawn. People cite
// addresses with a snapshot's ID on paper, so these must stay useful.
func (s *Site) notLoaded(v *request, id string) error {
	e, kept, err := s.find(id)
	if err != nil {
		return err
	}
	f := &fault{status: http.StatusNotFound, parameter: "snapshot", title: "There is no publication with this number",
		words: "It was removed, or the address is mistyped."}
	switch {
	case !kept:
	case e.Withdrawn != nil:
		f.title, f.words = "Publication "+id+" was withdrawn", "Its figures are no longer shown."
		f.nearest = []link{{"Why publication " + id + " was withdrawn", "/snapshots/" + id}}
	default:
		f.title = "Publication " + id + " is kept as files"
		f.words = "Pages show the figures of the newest publications only. The figures of this one are in its files. " +
			"A call of the API with a key reads it too: give it the parameter snapshot."
		f.nearest = []link{{"The files of publication " + id, "/snapshots/" + id}}
	}
	f.nearest = append(f.nearest, link{"The publications that are kept", "/snapshots"},
		link{"The same page with today's figures", v.with("snapshot", "")})
	return f
}
