package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/formats"
	"labour/snapshots/figure"
)

// TestFilesAreOfTheirDataset: a path with the dataset has one page of it, and one below whole/ every row, which has
// neither pages nor a limit.
func TestFilesAreOfTheirDataset(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	sent := ""
	s.Backend.SendDownload = func(_ http.ResponseWriter, _ *http.Request, d serve.Download, q url.Values) {
		sent = fmt.Sprintf("%s %s %v %s %s with %s", d.Dataset, d.Format, d.AllRows, d.PagePath, d.URL, q.Encode())
	}
	for _, c := range []struct {
		target, dataset, format string
		want                    string
		status                  int
	}{
		{"/csv/skills-unmet?limit=5&cursor=x", "skills-unmet", "csv",
			"skills-unmet csv false /csv/skills-unmet https://labour.example/csv/skills-unmet?limit=5&cursor=x with " +
				"cursor=x&limit=5", 200},
		{"/xlsx/whole/skills-unmet?limit=5&soc=6", "", "xlsx", "skills-unmet xlsx true /xlsx/whole/skills-unmet " +
			"https://labour.example/xlsx/whole/skills-unmet?limit=5&soc=6 with soc=6", 200},
		{"/csv/whole/skills-unmet?cursor=x", "", "csv", "", 400},
		{"/csv/whole/skills-unmet?cursor=", "", "csv", "", 400},
	} {
		sent = ""
		r, w := httptest.NewRequest(http.MethodGet, c.target, nil), httptest.NewRecorder()
		r.SetPathValue("dataset", c.dataset)
		s.download(c.format)(w, r)
		if sent != c.want || w.Code != c.status ||
			c.status == 400 && w.Body.String() != "The whole list has no pages. Leave out cursor.\n" {
			t.Errorf("%s: %d %s, sent %q, want %q", c.target, w.Code, w.Body, sent, c.want)
		}
	}
}

// TestListsOfEachPlace: only places can be listed each, and no single one. A snapshot that is not loaded is refused.
func TestListsOfEachPlace(t *testing.T) {
	l := &loaded{snapshot: planSnapshot()}
	s, _ := siteFor(t, l)
	var asked []string
	s.Backend.SendDownload = func(w http.ResponseWriter, r *http.Request, d serve.Download, q url.Values) {
		asked = append(asked, q.Encode())
		if r.Header.Get("If-None-Match") != "" {
			t.Error("one place is asked for with the tag of all")
		}
		for _, name := range []string{"Content-Type", "Content-Disposition", "Cache-Control", "X-Snapshot", "X-As-Of",
			"X-People-As-Of", "X-People", "X-Attribution-Notice", "Etag", "X-Other"} {
			w.Header().Set(name, "the "+name)
		}
		fmt.Fprint(w, "rank,skill\n1,sql\n")
	}
	for _, c := range []struct {
		query, asked, body string
		status             int
	}{
		{"?soc=6", "soc=6", "rank,skill\n1,sql\n", 200},
		{"?each=place&soc=6&limit=3", "place=camden&snapshot=2026-11-20.1&soc=6",
			"place,place_code,rank,skill\ncamden,E09000007,1,sql\n", 200},
		{"?each=place&snapshot=2026-11-20.1", "place=camden&snapshot=2026-11-20.1",
			"place,place_code,rank,skill\ncamden,E09000007,1,sql\n", 200},
		{"?each=sector", "", "each can only be place: each=place sends the lists of every place.\n", 400},
		{"?each=", "", "each can only be place: each=place sends the lists of every place.\n", 400},
		{"?each=place&each=place", "", "each can only be place: each=place sends the lists of every place.\n", 400},
		{"?each=place&place=", "", "each=place sends the lists of every place. Leave out place, or leave out each.\n", 400},
	} {
		asked = nil
		r, w := httptest.NewRequest(http.MethodGet, "/csv/whole/skills-unmet"+c.query, nil), httptest.NewRecorder()
		if c.asked != "soc=6" {
			r.Header.Set("If-None-Match", "*")
		}
		s.wholeList(w, r)
		if w.Code != c.status || w.Body.String() != c.body || strings.Join(asked, " ") != c.asked || l.used != 0 {
			t.Errorf("%s: %d %q, asked for %q, %d snapshots in use", c.query, w.Code, w.Body, asked, l.used)
		}
		if h := w.Header(); strings.HasPrefix(c.body, "place,") && (len(h) != 8 || h.Get("X-People") != "the X-People") {
			t.Errorf("%s has the headers %v", c.query, h)
		}
	}
	l.err = api.ErrSnapshotGone
	w := httptest.NewRecorder()
	s.wholeList(w, httptest.NewRequest(http.MethodGet, "/csv/whole/skills-unmet?each=place&snapshot=2020-01-01.1", nil))
	if w.Code != 400 || !strings.HasPrefix(w.Body.String(), "There are no figures of this snapshot") || l.used != 0 {
		t.Errorf("a snapshot that is gone: %d %s, %d in use", w.Code, w.Body, l.used)
	}
}

// TestAWorkbookHasASheetForEachCall of its page, and the page itself is sent if it has none or is an error.
func TestAWorkbookHasASheetForEachCall(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	s.MadeUp = true
	var asked []string
	s.Backend.SendDownload = func(_ http.ResponseWriter, r *http.Request, d serve.Download, q url.Values) {
		asked = append(asked, fmt.Sprintf("%s %s %v %s %s %s", d.Dataset, d.Format, d.AllRows, d.PagePath, d.URL, q.Encode()))
		if r.Header.Get("If-None-Match") != "" {
			t.Error("a table is asked for with the tag of the page")
		}
		*d.Table = formats.Table{}
	}
	v := visit(planSnapshot(), "/plan")
	v.Header.Set("If-None-Match", "W/\"page\"")
	v.tag = "W/\"page\""
	v.stamp.Calls = []call{{"The plan", "https://u", "skills-unmet?soc=6"}, {"Gaps", "https://v", "skills-gaps"}}
	w := httptest.NewRecorder()
	s.sendWorkbook(w, v, view{template: "partner/keys"})
	want := []string{"skills-unmet xlsx false /plan https://u snapshot=2026-11-20.1&soc=6",
		"skills-gaps xlsx false /plan https://v snapshot=2026-11-20.1"}
	if w.Code != 200 || w.Header().Get("Content-Type") != formats.WorkbookType || !slices.Equal(asked, want) ||
		w.Header().Get("Content-Disposition") != `attachment; filename="plan-2026-11-20.1.xlsx"` ||
		w.Header().Get("ETag") == "W/\"page\"" || !strings.HasPrefix(w.Body.String(), "PK") {
		t.Errorf("%d %v, asked for %q", w.Code, w.Header(), asked)
	}
	asked = nil
	for _, c := range []struct {
		calls  []call
		status int
	}{{nil, 0}, {v.stamp.Calls, 404}} {
		v := visit(planSnapshot(), "/plan")
		v.stamp.Calls = c.calls
		w := httptest.NewRecorder()
		s.sendWorkbook(w, v, view{template: "partner/keys", title: "Keys", status: c.status, data: "k"})
		if w.Body.String() != "Keys|Example Works|k" || asked != nil {
			t.Errorf("%d calls and status %d: %d %s", len(c.calls), c.status, w.Code, w.Body)
		}
	}
}

// withPast is a site whose snapshots are the current one and that of the day before.
type withPast struct{ *loaded }

func (l withPast) AcquireByID(_ context.Context, id string, _ bool) (api.Snapshot, func(), error) {
	current, release, err := l.Acquire()
	if id == "2026-11-19.1" {
		current = otherEdition{&fixed{asOf: dayOf("2026-11-19")}}
	}
	return current, release, err
}

// TestAPastSnapshotLeadsToTheCurrentPage: without the cursor, which belongs to the list of the past one. That of
// today is not marked as past. A missing one has advice.
func TestAPastSnapshotLeadsToTheCurrentPage(t *testing.T) {
	l := &loaded{snapshot: &fixed{asOf: dayOf("2026-11-20")}}
	s, _ := siteFor(t, l)
	s.Snapshots = withPast{l}
	list := page{queries: true, cursor: func(_ *Site, token string) (string, any, error) { return token, nil, nil }}
	yesterday := &past{AsOf: dayOf("2026-11-19"), ID: "2026-11-19.1", Now: "/skills?soc=6"}
	for query, want := range map[string]*past{"": nil, "&snapshot=2026-11-20.1": nil, "&snapshot=2026-11-19.1": yesterday,
		"&cursor=2026-11-20.1": nil, "&cursor=2026-11-19.1": yesterday, "&snapshot=x&cursor=2026-11-19.1": yesterday} {
		v := visit(nil, "/skills?soc=6"+query)
		release, err := s.acquire(v, list)
		if err != nil || fmt.Sprintf("%+v", v.past) != fmt.Sprintf("%+v", want) || v.snapshot == nil {
			t.Fatalf("%s: %v, %+v", query, err, v.past)
		}
		if release(); l.used != 0 {
			t.Errorf("%s: %d snapshots are in use", query, l.used)
		}
	}
	s.Snapshots = l
	l.err = api.ErrSnapshotGone
	var f *fault
	_, err := s.acquire(visit(nil, "/skills?soc=6&snapshot=2020-01-01.1"), page{queries: true})
	if !errors.As(err, &f) || f.status != 404 || f.parameter != "snapshot" ||
		f.title != "There is no publication with this number" || f.words != "It was removed, or the address is mistyped." ||
		!slices.Equal(f.nearest, []link{{"The publications that are kept", "/snapshots"},
			{"The same page with today's figures", "/skills?soc=6"}}) {
		t.Errorf("%+v", err)
	}
}

// TestTheErrorPageOfAMissingSnapshotChecksTheOtherParameters: its links leave out all that are faulty.
func TestTheErrorPageOfAMissingSnapshotChecksTheOtherParameters(t *testing.T) {
	l := &loaded{snapshot: filtered()}
	s, _ := siteFor(t, l)
	s.Backend.RunQuery = func(ctx context.Context, query func(context.Context) error) error { return query(ctx) }
	p := page{queries: true, show: func(v *request) view {
		filterOf(v)
		if v.ctx == nil || v.base != "https://labour.example" {
			t.Errorf("the page is made with %+v", v)
		}
		return view{}
	}}
	v := visit(nil, "/skills?place=x&soc=6&snapshot=2020-01-01.1")
	links := s.repairLinks(v, p, &fault{parameter: "snapshot", nearest: []link{{"The same page", v.with("snapshot", "")},
		{"A similar place", "/skills?place=camden&snapshot=2020-01-01.1"}, {"Without filters", "/skills"}}})
	want := []link{{"The same page", "/skills?soc=6"}, {"A similar place", "/skills?place=camden"}, {"Without filters",
		"/skills"}}
	if !slices.Equal(links, want) || l.used != 0 {
		t.Errorf("%v, want %v; %d snapshots in use", links, want, l.used)
	}
	v.snapshot, v.faultyParameters = l.snapshot, []string{"place"}
	links = s.repairLinks(v, p, &fault{parameter: "place", nearest: []link{{"The same page", "/skills?place=x&soc=6"}}})
	if !slices.Equal(links, []link{{"The same page", "/skills?soc=6"}}) {
		t.Errorf("with a snapshot: %v", links)
	}
}

// TestMonthsOfALine: the months from the first row to the day of the data, and the last may not be over.
func TestMonthsOfALine(t *testing.T) {
	month := func(bucket string) bucketRow {
		r := boroughRow(bucket, 30, 100, 0)
		return r
	}
	for _, c := range []struct {
		rows []bucketRow
		asOf string
		want string
	}{
		{[]bucketRow{month("2025-12"), month("2026-02")}, "2026-02-27",
			"December 2025 true , January 2026 false , February 2026 true to 27 Feb"},
		{[]bucketRow{month("2026-02")}, "2026-02-28", "February 2026 true to 28 Feb"},
		{[]bucketRow{month("2026-02")}, "2026-03-01", "February 2026 true , March 2026 false to 1 Mar"},
		{[]bucketRow{month("2026-03")}, "2026-02-28", ""}, {[]bucketRow{month("camden")}, "2026-02-28", ""},
		{nil, "2026-02-28", ""},
	} {
		var said []string
		for _, m := range monthsOf(c.rows, dayOf(c.asOf), dayOf(c.asOf)) {
			said = append(said, fmt.Sprintf("%s %v %s", m.Name(), m.Row != nil, m.SoFar))
		}
		if got := strings.Join(said, ", "); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestAQuartersMarginIsOfItsShareInTenths, which is then rounded once.
func TestAQuartersMarginIsOfItsShareInTenths(t *testing.T) {
	errors := figure.CodingErrors{RandomError: 0.46, SystematicError: 0.05}
	quarters := []api.Quarter{{From: dayOf("2026-01-01"), Adverts: 2000, AdvertsBySkill: map[string]int64{"sql": 289}}}
	points := quarterPoints(quarters, "sql", errors, dayOf("2026-03-31"))
	if len(points) != 1 || points[0].Margin != errors.Margin(145, figure.BaseOf(2000)) || *points[0].Value != 144 {
		t.Errorf("%+v", points)
	}
	if points := quarterPoints(nil, "sql", errors, dayOf("2026-03-31")); points != nil {
		t.Errorf("without quarters: %+v", points)
	}
}
