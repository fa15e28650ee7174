package web

import (
	"slices"
	"strconv"

	"labour/serve/web/changed"
	"labour/snapshots"
)

const snapshotsPerPage = 50

type snapshotList struct {
	Rows         []snapshotRow
	Newer, Older string
	Next         next
}

type snapshotRow struct {
	snapshotEntry
	Open bool // whether pages can show the figures of the snapshot
}

func (s *Site) snapshots(v *request) view {
	ids, err := s.publishedIDs()
	v.fail(err)
	var d snapshotList
	from, to, _, older := v.part(len(ids), snapshotsPerPage)
	d.Older = older
	for _, id := range ids[from:to] {
		e, ok, err := s.entry(id)
		if v.fail(err); ok {
			d.Rows = append(d.Rows, snapshotRow{e, s.Snapshots.IsOpen(string(id))})
		}
	}
	d.Next = s.nextPublication(v)
	if page := pageOf(v); page > 1 {
		d.Newer = v.with("page", strconv.Itoa(page-1))
	}
	v.fail(v.ctx.Err())
	return view{template: "snapshots", title: "Snapshots", section: "/snapshots", data: d}
}

type snapshotView struct {
	snapshotEntry
	Tables  []tableView
	Papers  []snapshots.File
	Changes []changed.TableTotal // number of changed rows in each released table
	News    []string             // sentences on what is new in the snapshot
	After   snapshots.ID         // id of the snapshot that was published next; empty = none yet
	Next    next                 // when the next publication is expected
	Base    string               // public address of the service, for examples to copy
}

// tableView is a table of a snapshot with its description. URL is the address of its file, or empty
// if the table cannot be downloaded.
type tableView struct {
	snapshots.TableFile
	Doc string
	URL string
}

func (s *Site) snapshot(v *request) view {
	e := s.findSnapshot(v, v.PathValue("id"))
	d := snapshotView{snapshotEntry: e, Changes: s.changesOf(v, e).Totals, Base: v.base}
	ids, err := s.publishedIDs()
	v.fail(err)
	if i := slices.Index(ids, e.ID); i > 0 {
		d.After = ids[i-1]
	} else {
		d.Next = s.nextPublication(v)
	}
	if e.Withdrawn == nil {
		d.News = newsOf(e, d.Changes, s.manifestBefore(e))
	}
	for _, t := range e.Manifest.Tables {
		described, _ := snapshots.FindTable(t.Name)
		table := tableView{TableFile: t, Doc: described.Doc}
		if slices.Contains(downloadableTables(), t.Name) && e.Withdrawn == nil {
			table.URL = "/snapshots/" + string(e.ID) + "/files/" + snapshots.TableFileName(t.Name)
		}
		d.Tables = append(d.Tables, table)
	}
	for _, name := range papers() {
		if f, err := snapshots.HashFile(snapshots.JoinPath(s.Store.SnapshotDir(e.ID), name)); err == nil &&
			e.Withdrawn == nil {
			d.Papers = append(d.Papers, snapshots.File{Path: name, SHA256: f.SHA256, Bytes: f.Bytes})
		}
	}
	return view{template: "snapshot", title: "Snapshot " + string(e.ID), section: "/snapshots", data: d}
}
