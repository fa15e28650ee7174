package web

import (
	"errors"
	"io/fs"
	"net/http"
	"slices"

	"labour/snapshots"
)

func (s *Site) snapshotPages() []page {
	return []page{{"GET /snapshots", false, s.snapshots}, {"GET /snapshots/{id}", false, s.snapshot}}
}

// released are the tables that may be downloaded whole: those that the interface
// answers row by row under the scope of every key, and the lists of names. Counts
// of adverts are never published ("they serve shares and are not themselves
// published"), counts of people stand only beside adverts that may be shown, and
// the platform's own records are under scopes of their own.
func released() []string {
	return []string{"course_demand", "evidence", "levels", "occupations", "place_members", "places", "regions", "sectors", "skills", "skills_gaps", "sources"}
}

// papers are the files beside the tables that may be downloaded: those that prove
// what the tables are.
func papers() []string {
	return []string{snapshots.ManifestName, snapshots.SumsName, snapshots.SignatureName, snapshots.PackageName}
}

// snapshotEntry is a snapshot in the list.
type snapshotEntry struct {
	snapshots.Entry
	Changed []string // tables that differ from the one before; nil when that is gone
	Signed  bool
}

// snapshots is the list, the newest first.
func (s *Site) snapshots(v *visit) (view, error) {
	list, err := s.Store.List(v.ctx)
	if err != nil {
		return view{}, err
	}
	var rows []snapshotEntry
	for _, e := range slices.Backward(list) {
		if e.Err == nil {
			rows = append(rows, s.entry(e, list))
		}
	}
	return view{template: "snapshots", title: "Snapshots", section: "/snapshots", data: rows}, nil
}

// entry compares a snapshot with the one that it followed.
func (s *Site) entry(e snapshots.Entry, list []snapshots.Entry) snapshotEntry {
	out := snapshotEntry{Entry: e}
	if _, err := snapshots.HashFile(snapshots.Within(s.Store.Dir(e.ID), snapshots.SignatureName)); err == nil {
		out.Signed = true
	}
	if e.Manifest.Previous == nil {
		return out
	}
	for _, before := range list {
		if before.ID != e.Manifest.Previous.ID || before.Err != nil {
			continue
		}
		out.Changed = []string{}
		for _, t := range e.Manifest.Tables {
			if old, ok := before.Manifest.Table(t.Name); !ok || old.SHA256 != t.SHA256 {
				out.Changed = append(out.Changed, t.Name)
			}
		}
	}
	return out
}

// snapshotView is the data of the page of one snapshot.
type snapshotView struct {
	snapshotEntry
	Tables []tableView
	Papers []snapshots.File
}

// tableView is a table of a snapshot. URL is empty when it is not released.
type tableView struct {
	snapshots.TableFile
	Doc string
	URL string
}

func (s *Site) snapshot(v *visit) (view, error) {
	list, err := s.Store.List(v.ctx)
	if err != nil {
		return view{}, err
	}
	i := slices.IndexFunc(list, func(e snapshots.Entry) bool { return string(e.ID) == v.PathValue("id") && e.Err == nil })
	if i < 0 {
		return view{}, &fault{status: http.StatusNotFound, title: "There is no such snapshot", words: "It may have been pruned: old snapshots are kept for a while only.", nearest: []link{{"The snapshots that are kept", "/snapshots"}}}
	}
	d := snapshotView{snapshotEntry: s.entry(list[i], list)}
	for _, t := range list[i].Manifest.Tables {
		described, _ := snapshots.TableNamed(t.Name)
		table := tableView{TableFile: t, Doc: described.Doc}
		if slices.Contains(released(), t.Name) {
			table.URL = "/snapshots/" + string(list[i].ID) + "/files/" + snapshots.TableFileName(t.Name)
		}
		d.Tables = append(d.Tables, table)
	}
	for _, name := range papers() {
		if f, err := snapshots.HashFile(snapshots.Within(s.Store.Dir(list[i].ID), name)); err == nil {
			d.Papers = append(d.Papers, snapshots.File{Path: name, SHA256: f.SHA256, Bytes: f.Bytes})
		}
	}
	return view{template: "snapshot", title: "Snapshot " + string(list[i].ID), section: "/snapshots", data: d}, nil
}

// serveFile gives a released file of a snapshot. Anything else does not exist.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request) {
	id, err := snapshots.ParseID(r.PathValue("id"))
	name := r.PathValue("name")
	allowed := slices.Contains(papers(), name) || slices.ContainsFunc(released(), func(t string) bool { return snapshots.TableFileName(t) == name })
	if err != nil || !allowed {
		http.NotFound(w, r)
		return
	}
	if _, err := s.Store.Manifest(id); errors.Is(err, fs.ErrNotExist) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=86400") // a sealed snapshot never changes
	http.ServeFile(w, r, snapshots.Within(s.Store.Dir(id), name))
}
