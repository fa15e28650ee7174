package web

import (
	"bytes"
	"maps"
	"net/http"
	"net/url"
	"path"
	"strings"

	"labour/serve"
	"labour/serve/formats"
	"labour/snapshots"
)

// workbookRoot is the path prefix of Excel workbooks. The path of a page follows it.
const workbookRoot = "/workbook"

// sendWorkbook sends the tables of a page as one Excel workbook, each on its own sheet. If the page
// is an error page or has no tables, sendWorkbook sends the page itself.
func (s *Site) sendWorkbook(w http.ResponseWriter, v *request, shown view) {
	if shown.status != 0 || len(v.stamp.Calls) == 0 {
		s.send(w, v, shown)
		return
	}
	if !serve.ChargeExtraRequests(w, v.Request, len(v.stamp.Calls)) { // each table costs about as much as a page
		return
	}
	var sheets []formats.Sheet
	for _, c := range v.stamp.Calls {
		answer, table := s.tableOfPage(v, c)
		if answer.status != http.StatusOK {
			maps.Copy(w.Header(), answer.header)
			w.WriteHeader(answer.status)
			_, _ = w.Write(answer.body.Bytes()) // the client may have disconnected
			return
		}
		sheets = append(sheets, formats.Sheet{Title: c.What, RequestURL: c.URL, Table: table})
	}
	var b bytes.Buffer
	if err := formats.WriteWorkbookOfSheets(&b, sheets, s.aboutWorkbook(v)); err != nil {
		s.Log.Error("workbook", "route", v.Pattern, "error", err)
		http.Error(w, "The workbook could not be made. Please try again.", http.StatusInternalServerError)
		return
	}
	v.tag = "" // the tag of the page does not apply
	s.send(w, v, view{body: b.Bytes(), kind: formats.WorkbookType, name: workbookName(v)})
}

// tableOfPage repeats an API request of a page, for the same snapshot, and returns the rows as a
// table. answer has the status 200, or the HTTP status of the error.
func (s *Site) tableOfPage(v *request, c call) (answer *response, table formats.Table) {
	dataset, query, _ := strings.Cut(c.Path, "?")
	q, err := url.ParseQuery(query)
	if err != nil {
		q = url.Values{}
	}
	if _, isEmbargoed := snapshots.FindEmbargoedDataset(dataset); !isEmbargoed { // those have no earlier snapshots
		q.Set("snapshot", v.snapshot.ID()) // the same snapshot for all, even if a newer one is published meanwhile
	}
	r := v.Request.Clone(v.Context())
	r.Header.Del("If-None-Match")
	answer = &response{header: http.Header{}, status: http.StatusOK}
	s.Backend.SendDownload(answer, r, serve.Download{Dataset: dataset, Format: "xlsx", PagePath: v.URL.Path, URL: c.URL,
		Table: &table}, q)
	return answer, table
}

// aboutWorkbook returns the lines below the list of sheets in a workbook. They state what the
// figures are about, how to read them, and which attribution statements to show with them.
func (s *Site) aboutWorkbook(v *request) [][]any {
	lines := [][]any{{"Page", v.base + v.with("snapshot", v.snapshot.ID())},
		{"Data as of", v.snapshot.AsOf().Format("2006-01-02")}, {"Snapshot", v.snapshot.ID()},
		{"Reading", formats.ReadingNote}}
	if s.madeUp(v) {
		lines = append([][]any{{"Made-up data", "Every figure is invented."}}, lines...)
	}
	return append(lines, formats.AttributionLines(pageNotice, v.stamp.Sources)...)
}

// workbookName returns the file name of a page's workbook. It is made of the path, the place and
// the snapshot of the page.
func workbookName(v *request) string {
	name := strings.Trim(strings.ReplaceAll(path.Clean(v.URL.Path), "/", "-"), "-")
	if v.place != "" && !strings.Contains(name, v.place) {
		name += "-" + v.place
	}
	return strings.Trim(name+"-"+v.snapshot.ID(), "-") + ".xlsx"
}
