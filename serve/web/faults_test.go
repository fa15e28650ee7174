package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/cursor"
	"labour/serve/partners/dashboard"
	"labour/serve/web/changed"
	"labour/snapshots"
	"labour/snapshots/store"
)

// nowOf is the time of each visit.
func nowOf() time.Time { return dayOf("2026-11-20") }

// siteFor returns a site of a loaded snapshot, whose pages show their title, platform and data, and
// its log.
func siteFor(t *testing.T, l *loaded) (*Site, *bytes.Buffer) {
	t.Helper()
	folder, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	log := &bytes.Buffer{}
	page := template.Must(template.New("").Parse("{{.Title}}|{{.Platform}}|{{.Data}}"))
	broken := template.Must(template.New("").Parse("half of a page {{.Data.None}}"))
	return &Site{Options: Options{Store: folder, Snapshots: l, Log: slog.New(slog.NewTextHandler(log, nil)), Now: nowOf,
		PublicURL: "https://labour.example"},
		templates: map[string]*template.Template{"partner/keys": page, "broken": broken}}, log
}

// A fault of the service has words for the visitor, and its cause is only in the log.
func TestFaultsHaveTheirPages(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		title  string
		logged bool
	}{
		{&fault{status: 418, title: "A teapot"}, 418, "A teapot", false},
		{api.ErrNoSnapshot, 503, "No data yet", false},
		{api.ErrSnapshotGone, 400, "This page of the list is gone", false},
		{cursor.ErrInvalid, 400, "This page of the list is gone", false},
		{serve.ErrBusy, 503, "Too busy at this moment", false},
		{context.DeadlineExceeded, 503, "Too busy at this moment", false},
		{context.Canceled, 503, "Too busy at this moment", false},
		{errors.New("a broken file"), 500, "Something went wrong", true},
	} {
		s, log := siteFor(t, &loaded{})
		v := visit(nil, "/skills?cursor=x")
		v.stamp.Notice = "a page that is not shown"
		shown := s.errorPage(v, page{}, fmt.Errorf("page: %w", c.err))
		if shown.status != c.status || shown.title != c.title || shown.template != "error" || v.stamp.Notice != "" ||
			strings.Contains(log.String(), "a broken file") != c.logged {
			t.Errorf("%v: %d %q, and the log says %q", c.err, shown.status, shown.title, log)
		}
	}
}

// A page whose template fails is an error, and not half a page.
func TestAFailingTemplateSendsNoPartOfAPage(t *testing.T) {
	s, log := siteFor(t, &loaded{snapshot: &fixed{}})
	w := httptest.NewRecorder()
	s.send(w, visit(&fixed{}, "/skills"), view{template: "broken", data: 1})
	if w.Code != http.StatusInternalServerError || w.Body.String() != "The page could not be made. Please try again.\n" ||
		!strings.Contains(log.String(), "msg=page") {
		t.Errorf("%d %q, and the log says %q", w.Code, w.Body, log)
	}
}

// The pages of partners are in the frame of the site, with and without data, and are never kept.
func TestPagesOfPartnersAreInTheFrame(t *testing.T) {
	for platform, l := range map[string]*loaded{"Example Works": {snapshot: &fixed{}}, "": {}} {
		s, _ := siteFor(t, l)
		w := httptest.NewRecorder()
		s.showPartner(w, httptest.NewRequest(http.MethodGet, "/partner", nil),
			dashboard.Page{Template: "keys", Title: "Keys", Status: http.StatusConflict, Data: "k1"})
		if w.Code != http.StatusConflict || w.Body.String() != "Keys|"+platform+"|k1" || l.used != 0 ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%d %s %v with %d snapshots in use", w.Code, w.Body, w.Header(), l.used)
		}
	}
	handler, err := New(Options{Snapshots: &loaded{}, Now: nowOf, Log: slog.New(slog.DiscardHandler),
		Dashboard: &dashboard.Options{Now: nowOf, Log: slog.New(slog.DiscardHandler)}})
	if err != nil {
		t.Fatal(err)
	}
	for path, status := range map[string]int{"/partner": http.StatusOK, "/partner/none": http.StatusNotFound} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != status || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v, want %d from the pages of partners", path, w.Code, w.Header(), status)
		}
	}
}

// Data are not marked as made up because their sources cannot be read, which is logged and tried again.
func TestUnreadableSourcesAreNotMadeUp(t *testing.T) {
	broken := &fixed{err: errors.New("broken sources")}
	s, log := siteFor(t, &loaded{})
	v := visit(broken, "/skills")
	if s.madeUp(v) || !strings.Contains(log.String(), "broken sources") {
		t.Errorf("the log says %q", log)
	}
	if _, known := s.madeUpCache.Load(broken.ID()); known {
		t.Error("the failed look-up is kept")
	}
	if s.madeUp(visit(nil, "/docs")) {
		t.Error("a page without data is made up")
	}
	if s.MadeUp = true; !s.madeUp(visit(nil, "/docs")) || !s.madeUp(v) {
		t.Error("the option MadeUp is ignored")
	}
}

func TestASnapshotThatCannotBeOpenedIsAFault(t *testing.T) {
	broken := errors.New("a broken snapshot")
	s, _ := siteFor(t, &loaded{err: broken})
	v := visit(nil, "/skills?snapshot=2026-11-20.1")
	if _, err := s.acquire(v, page{queries: true}); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
	s, _ = siteFor(t, &loaded{err: api.ErrSnapshotGone})
	if err := os.MkdirAll(filepath.Join(s.Store.RootDir(), snapshots.CurrentFileName), 0o755); err != nil {
		t.Fatal(err)
	}
	var f *fault
	if _, err := s.acquire(v, page{queries: true}); err == nil || errors.As(err, &f) {
		t.Errorf("with a broken list of snapshots: %v", err)
	}
	if ids, err := s.publishedIDs(); err == nil {
		t.Errorf("with a broken list of snapshots %v are published", ids)
	}
	if _, ok, err := s.entry("2026-11-20.1"); ok || err == nil {
		t.Errorf("with a broken list of snapshots one is found: %v, %v", ok, err)
	}
}

func TestTheEditionBeforeMayBePruned(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	e := snapshotEntry{}
	if s.manifestBefore(e) != nil {
		t.Error("the first edition has one before")
	}
	e.Manifest.Previous = &snapshots.PreviousSnapshot{ID: "2026-11-19.1"}
	if s.manifestBefore(e) != nil {
		t.Error("a pruned edition is found")
	}
}

// A fault in a query leaves a list empty, and the page tells of the fault.
func TestAFaultInAQueryIsKept(t *testing.T) {
	broken := &fixed{err: errors.New("broken"), asOf: dayOf("2026-11-20")}
	v := visit(broken, "/changes")
	if moversOf(v, filter{Window: 12}) != nil || v.err == nil {
		t.Errorf("changes after the fault %v", v.err)
	}
	if moversOf(v, filter{Window: 12}) != nil {
		t.Error("changes after an earlier fault")
	}
	v = visit(broken, "/skills/sql")
	points := trendPoints(v, filter{Window: 12}, &skillView{}, "quarter", broken.AsOf())
	if points != nil || v.err == nil {
		t.Errorf("%v after the fault %v", points, v.err)
	}
}

// A link that is no address is left out, and no link keeps the faulty parameter.
func TestLinksOfAnErrorPage(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	v := visit(nil, "/skills?place=x&window=7")
	links := s.repairLinks(v, page{queries: true}, &fault{parameter: "snapshot", nearest: []link{{"bad", "%zz"},
		{"a", "/skills?place=x&snapshot="}, {"again", "/skills?place=x"}, {"b", "/find"}}})
	var got []string
	for _, l := range links {
		got = append(got, l.URL)
	}
	if want := []string{"/skills?place=x", "/find"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := s.allFaultyParameters(v, page{queries: true}, "snapshot"); !slices.Equal(got, []string{"snapshot"}) {
		t.Errorf("without data the faulty parameters are %q", got)
	}
}

// A table that cannot be read is sent as its error, and a partial list of every place is cut off.
func TestFaultsOfTables(t *testing.T) {
	s, _ := siteFor(t, &loaded{snapshot: planSnapshot()})
	s.MadeUp = true
	refused := 0
	s.Backend.SendDownload = func(w http.ResponseWriter, _ *http.Request, d serve.Download, _ url.Values) {
		if refused--; refused < 0 {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, "too many")
			return
		}
		fmt.Fprint(w, "rank,skill\n1,sql\n")
	}
	v := visit(planSnapshot(), "/plan")
	v.stamp.Calls = []call{{What: "The plan", Path: "skills-unmet?window=%zz"}}
	w := httptest.NewRecorder()
	s.sendWorkbook(w, v, view{})
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "60" || w.Body.String() != "too many" {
		t.Errorf("a workbook: %d %v %s", w.Code, w.Header(), w.Body)
	}
	two := planSnapshot()
	two.named[api.Places] = append(two.named[api.Places], api.Named{Value: "hackney", Code: "E09000012"})
	s.Snapshots = &loaded{snapshot: two}
	for allowed, want := range map[int]string{0: "too many",
		2: "place,place_code,rank,skill\ncamden,E09000007,1,sql\nhackney,E09000012,1,sql\n"} {
		refused, w = allowed, httptest.NewRecorder()
		s.wholeList(w, httptest.NewRequest(http.MethodGet, "/csv/whole/skills-unmet?each=place", nil))
		if w.Body.String() != want {
			t.Errorf("a list of each place: %d %q, want %q", w.Code, w.Body, want)
		}
	}
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("a partial list ends with %v, want it to be cut off", err)
		}
	}()
	refused = 1
	s.wholeList(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/csv/whole/skills-unmet?each=place", nil))
}

func TestNoListOfPlacesWithoutData(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	w := httptest.NewRecorder()
	s.wholeList(w, httptest.NewRequest(http.MethodGet, "/csv/whole/skills-unmet?each=place", nil))
	if w.Code != http.StatusServiceUnavailable || w.Body.String() != "The service has no data loaded yet.\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// The lines below the contents of a workbook tell what it is.
func TestLinesAboutAWorkbook(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	s.MadeUp = true
	v := visit(&fixed{asOf: dayOf("2026-11-20")}, "/plan?place=camden")
	v.stamp.Sources = []api.Source{{Key: "a", AttributionStatement: "Source: A.", Publisher: "A Ltd", Licence: "OGL",
		Link: "https://a.example/"}}
	got := fmt.Sprint(s.aboutWorkbook(v))
	want := "[[Made-up data Every figure is invented.] [Page " +
		"https://labour.example/plan?place=camden&snapshot=2026-11-20.1] " +
		"[Data as of 2026-11-20] [Snapshot 2026-11-20.1] [Reading An empty cell is a figure that is not published, never " +
		"zero. <5 is a count of people from 1 to 4.] [Rule " + pageNotice + "] [] [Source Statement to show, word for word " +
		"Publisher Licence Link] [a Source: A. A Ltd OGL https://a.example/]]"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for target, want := range map[string]string{"/": "2026-11-20.1.xlsx", "/skills/sql": "skills-sql-2026-11-20.1.xlsx",
		"/places/camden": "places-camden-2026-11-20.1.xlsx"} {
		if got := workbookName(visit(v.snapshot, target)); got != want {
			t.Errorf("the workbook of %s is called %s, want %s", target, got, want)
		}
	}
	v.place = "camden"
	if got := workbookName(v); got != "plan-camden-2026-11-20.1.xlsx" {
		t.Errorf("it is called %s", got)
	}
}

// Each source that a change names is credited once, in order of its key.
func TestSourcesOfChanges(t *testing.T) {
	list := &changed.Summary{Sources: map[string]snapshots.SourcesRow{}}
	for _, key := range []string{"a", "b", "c"} {
		list.Sources[key] = snapshots.SourcesRow{Key: key}
	}
	var got []string
	for _, s := range sourcesOfChanges(list, []snapshots.ChangesRow{{SourceKeys: "c,a"}, {SourceKeys: "a,gone"}, {}}) {
		got = append(got, s.Key)
	}
	if want := []string{"a", "c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A map that would be too heavy for a page is not drawn.
func TestAHeavyMapIsNotDrawn(t *testing.T) {
	ring := func(west float64, points int) orb.MultiPolygon {
		var r orb.Ring
		for i := range points {
			r = append(r, orb.Point{west + float64(i%2)/10, 51 + float64(i)/float64(points)})
		}
		return orb.MultiPolygon{{append(r, r[0])}}
	}
	rows := scored(2, 1)
	for points, want := range map[int]bool{100: true, 3000: false} {
		s := &fixed{named: map[api.Vocabulary][]api.Named{api.Places: {{Value: "a", Name: "A", Kind: "borough"},
			{Value: "b", Name: "B", Kind: "borough"}}}, outlines: []api.Outline{{Place: "a", Shape: ring(0, points)},
			{Place: "b", Shape: ring(1, points)}}}
		d := &skillView{Skill: "sql"}
		drawMap(visit(s, "/skills/sql?map=score"), filter{Window: 12}, d, rows)
		if (d.Map != nil) != want {
			t.Errorf("of %d points a map is drawn: %v, want %v", points, d.Map != nil, want)
		}
	}
}
