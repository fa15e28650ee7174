package web

import (
	"context"
	"encoding/csv"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"labour/serve"
	"labour/serve/formats"
	"labour/serve/web/changed"
	"labour/serve/web/words"
	"labour/snapshots"
)

const maxCachedChanges = 4

// changeLists caches the summaries of changed rows for recently viewed snapshots, by snapshot ID.
// An entry is a function that reads the summary at its first call. Thus a visitor waits only for
// the snapshot that the page shows.
type changeLists = lru.Cache[snapshots.ID, func() (*changed.Summary, error)]

// changesOf returns the summary of changed rows of a published snapshot. The summary is empty if
// the snapshot was withdrawn or its changes cannot be read.
func (s *Site) changesOf(v *request, e snapshotEntry) *changed.Summary {
	if v.err != nil || e.Withdrawn != nil {
		return &changed.Summary{}
	}
	list, err := listOf(s.changeLists, e.ID,
		func() (*changed.Summary, error) {
			return changed.ReadSummary(s.Store.SnapshotDir(e.ID), downloadableTables())
		})
	if v.fail(err); err != nil {
		return &changed.Summary{}
	}
	return list
}

// listOf returns a snapshot's summary of changed rows from the cache kept. If the summary is not
// there, listOf calls read and caches the result. It does not cache an error.
func listOf(kept *changeLists, id snapshots.ID, read func() (*changed.Summary, error)) (*changed.Summary, error) {
	read = sync.OnceValues(read)
	if before, ok, _ := kept.PeekOrAdd(id, read); ok {
		kept.Get(id) // marks it as recently used
		read = before
	}
	list, err := read()
	if err != nil {
		kept.Remove(id)
	}
	return list, err
}

func (s *Site) findSnapshot(v *request, id string) snapshotEntry {
	e, ok, err := s.find(id)
	v.fail(err)
	if !ok {
		v.fail(&fault{status: http.StatusNotFound, title: "There is no such snapshot",
			words:   "It may have been pruned: old snapshots are kept for a while only.",
			nearest: []link{{"The snapshots that are kept", "/snapshots"}}})
	}
	return e
}

func changeFilter(v *request) changed.Filter {
	q := v.URL.Query()
	v.checkExists("table", "table", q.Get("table"), slices.Contains(downloadableTables(), q.Get("table")))
	v.checkExists("kind", "kind of change", q.Get("kind"), words.DisplayName("change", q.Get("kind")) != "")
	return changed.Filter{Table: q.Get("table"), Kind: snapshots.ChangeKind(q.Get("kind"))}
}

func sourcesOfChanges(list *changed.Summary, rows []snapshots.ChangesRow) []snapshots.SourcesRow {
	var out []snapshots.SourcesRow
	for _, r := range rows {
		for key := range strings.SplitSeq(r.SourceKeys, ",") {
			source, ok := list.Sources[key]
			if ok && !slices.ContainsFunc(out, func(s snapshots.SourcesRow) bool { return s.Key == key }) {
				out = append(out, source)
			}
		}
	}
	slices.SortFunc(out, func(a, b snapshots.SourcesRow) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// changesCSV sends the changed rows of a snapshot's public tables as CSV, without holding them in
// memory. The parameters table and kind in the address select rows by table and kind of change.
func (s *Site) changesCSV(w http.ResponseWriter, r *http.Request) {
	v := &request{Request: r, ctx: r.Context(), at: s.Now().UTC(), base: s.baseOf(r)}
	var e snapshotEntry
	var f changed.Filter
	var list *changed.Summary
	err := s.Backend.RunQuery(r.Context(), func(context.Context) error {
		e, f = s.findSnapshot(v, r.PathValue("id")), changeFilter(v)
		list = s.changesOf(v, e)
		return v.err
	})
	if err != nil {
		s.send(w, v, s.errorPage(v, page{}, err))
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="changes-`+string(e.ID)+`.csv"`)
	w.Header().Set("Cache-Control", "no-cache") // the snapshot may be withdrawn later
	serve.StreamResponse(w)
	out := csv.NewWriter(w)
	err = out.Write([]string{"table", "key", "change", "old", "new", "reason", "source_keys", "keys",
		"attribution_statement"})
	if e.Withdrawn == nil && err == nil {
		err = changed.EachRow(s.Store.SnapshotDir(e.ID), downloadableTables(), f, func(r snapshots.ChangesRow) error {
			return errors.Join(out.Write(csvLine(list, r)), v.ctx.Err())
		})
	}
	out.Flush()
	if err := errors.Join(err, out.Error()); err != nil {
		if v.Context().Err() == nil { // otherwise the client has disconnected
			s.Log.Error("what changed, as CSV", "snapshot", e.ID, "error", err)
		}
		panic(http.ErrAbortHandler) // a partial list must not look complete
	}
}

// csvLine returns a changed row as the fields of a CSV line. The key, the old values and the new
// values are JSON objects, or empty if the row has none. The last field has the attribution
// statements of the row's sources.
func csvLine(list *changed.Summary, r snapshots.ChangesRow) []string {
	var statements []string
	for _, source := range sourcesOfChanges(list, []snapshots.ChangesRow{r}) {
		statements = append(statements, source.AttributionStatement)
	}
	object := func(text *string) string {
		if text == nil {
			return ""
		}
		return *text
	}
	return []string{r.Table, object(r.Key), string(r.Change), object(r.Old), object(r.New), string(r.Reason),
		r.SourceKeys, strconv.FormatInt(r.Keys, 10),
		formats.EscapeFormula(strings.Join(statements, " "))}
}
