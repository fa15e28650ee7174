package web

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"slices"

	"labour/serve/web/changed"
	"labour/snapshots"
)

func (s *Site) snapshotPages() []page {
	return []page{{"GET /snapshots", false, s.snapshots}, {"GET /snapshots/{id}", false, s.snapshot},
		{"GET /snapshots/{id}/changes", true, s.differences}}
}

// released are the tables that may be downloaded whole: those that the interface
// answers row by row under the scope of every key, and the lists of names. Counts
// of adverts are never published ("they serve shares and are not themselves
// published"), counts of people stand only beside adverts that may be shown, and
// the platform's own records are under scopes of their own.
func released() []string {
	return []string{"course_demand", "evidence", "levels", "occupations", "outlines", "place_members", "places", "regions", "sectors", "skills", "skills_gaps", "sources"}
}

// papers are the files beside the tables that may be downloaded: those that prove
// what the tables are.
func papers() []string {
	return []string{snapshots.ManifestName, snapshots.SumsName, snapshots.SignatureName, snapshots.PackageName}
}

// snapshotEntry is a snapshot in the list.
type snapshotEntry struct {
	snapshots.Entry
	Withdrawn *snapshots.Withdrawal // nil = not withdrawn
	Signed    bool
}

// published lists the snapshots that are kept and were ever the current one, the
// oldest first: what was only sealed may have been refused by a check.
func (s *Site) published(ctx context.Context) ([]snapshotEntry, error) {
	list, err := s.Store.List(ctx)
	if err != nil {
		return nil, err
	}
	index, err := s.Store.Index()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	withdrawn, err := s.Store.Withdrawals()
	if err != nil {
		return nil, err
	}
	var out []snapshotEntry
	for _, e := range list {
		known, _ := index.Entry(e.ID)
		if e.Err != nil || !e.Current && !known.Published() {
			continue
		}
		one := snapshotEntry{Entry: e, Signed: s.isSigned(e.ID)}
		if w, ok := withdrawn[e.ID]; ok {
			one.Withdrawn = &w
		}
		out = append(out, one)
	}
	return out, nil
}

// find is the published snapshot of an id; ok is false when there is none.
func (s *Site) find(ctx context.Context, id string) (e snapshotEntry, ok bool, err error) {
	list, err := s.published(ctx)
	i := slices.IndexFunc(list, func(e snapshotEntry) bool { return string(e.ID) == id })
	if err != nil || i < 0 {
		return e, false, err
	}
	return list[i], true, nil
}

// snapshots is the list, the newest first.
func (s *Site) snapshots(v *visit) (view, error) {
	rows, err := s.published(v.ctx)
	if err != nil {
		return view{}, err
	}
	slices.Reverse(rows)
	return view{template: "snapshots", title: "Snapshots", section: "/snapshots", data: rows}, nil
}

// isSigned says whether a snapshot has a signature.
func (s *Site) isSigned(id snapshots.ID) bool {
	_, err := snapshots.HashFile(snapshots.Within(s.Store.Dir(id), snapshots.SignatureName))
	return err == nil
}

// snapshotView is the data of the page of one snapshot.
type snapshotView struct {
	snapshotEntry
	Tables  []tableView
	Papers  []snapshots.File
	Changes []changed.Total // of the released tables
	Base    string          // address of the service, for the lines to copy
}

// tableView is a table of a snapshot. URL is empty when it is not released.
type tableView struct {
	snapshots.TableFile
	Doc string
	URL string
}

func (s *Site) snapshot(v *visit) (view, error) {
	e, err := s.sought(v)
	if err != nil {
		return view{}, err
	}
	list, err := s.changesOf(e)
	if err != nil {
		return view{}, err
	}
	d := snapshotView{snapshotEntry: e, Changes: list.Totals, Base: v.base}
	for _, t := range e.Manifest.Tables {
		described, _ := snapshots.TableNamed(t.Name)
		table := tableView{TableFile: t, Doc: described.Doc}
		if slices.Contains(released(), t.Name) && e.Withdrawn == nil {
			table.URL = "/snapshots/" + string(e.ID) + "/files/" + snapshots.TableFileName(t.Name)
		}
		d.Tables = append(d.Tables, table)
	}
	for _, name := range papers() {
		if f, err := snapshots.HashFile(snapshots.Within(s.Store.Dir(e.ID), name)); err == nil && e.Withdrawn == nil {
			d.Papers = append(d.Papers, snapshots.File{Path: name, SHA256: f.SHA256, Bytes: f.Bytes})
		}
	}
	return view{template: "snapshot", title: "Snapshot " + string(e.ID), section: "/snapshots", data: d}, nil
}

// serveFile gives a released file of a published snapshot that was not withdrawn.
// Anything else does not exist.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	allowed := slices.Contains(papers(), name) || slices.ContainsFunc(released(), func(t string) bool { return snapshots.TableFileName(t) == name })
	e, ok, err := s.find(r.Context(), r.PathValue("id"))
	if err != nil {
		s.Log.Error("file of a snapshot", "error", err)
	}
	if !allowed || !ok || e.Withdrawn != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "private, no-cache") // it may be withdrawn
	http.ServeFile(w, r, snapshots.Within(s.Store.Dir(e.ID), name))
}
