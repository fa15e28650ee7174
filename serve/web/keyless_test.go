package web_test

import (
	"context"
	"encoding/csv"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// neverOpens is a Live that counts who asks for a snapshot to be opened.
type neverOpens struct {
	api.Snapshots
	asked *int
}

func (l neverOpens) AcquireByID(ctx context.Context, id string, reopen bool) (api.Snapshot, func(), error) {
	if reopen {
		*l.asked++
	}
	return l.Snapshots.AcquireByID(ctx, id, reopen)
}

// Opening a snapshot costs seconds, so no page does it: anybody may ask for one.
func TestNoPageOpensASnapshot(t *testing.T) {
	data, _, _ := twoDays(t)
	asked := 0
	s := siteThrough(t, data, func(l api.Snapshots) api.Snapshots { return neverOpens{l, &asked} })
	for _, path := range []string{"/skills?snapshot=2026-11-19.1", "/places/camden", "/changes",
		"/skills?snapshot=2020-01-01.1"} {
		s.get(t, path)
	}
	if asked != 0 {
		t.Errorf("a snapshot was to be opened %d times", asked)
	}
	if w := s.get(t, "/skills?snapshot=2020-01-01.1"); w.Code != http.StatusNotFound {
		t.Errorf("of one that never was: status %d", w.Code)
	}
}

// currentOnly is a Live that has loaded only the current snapshot, as after a restart.
type currentOnly struct{ api.Snapshots }

func (l currentOnly) AcquireByID(context.Context, string, bool) (api.Snapshot, func(), error) {
	return nil, nil, api.ErrSnapshotGone
}

func (l currentOnly) IsOpen(id string) bool {
	current, release, err := l.Acquire()
	if err != nil {
		return false
	}
	defer release()
	return current.ID() == id
}

// A citation outlives a restart: the address of a publication that is kept and not loaded leads to its
// files, and the list of publications offers figures of loaded ones only.
func TestCitationsOutliveARestart(t *testing.T) {
	data, _, _ := twoDays(t)
	s := siteThrough(t, data, func(l api.Snapshots) api.Snapshots { return currentOnly{l} })
	w := s.get(t, "/places/camden?snapshot=2026-11-19.1")
	if body := w.Body.String(); w.Code != http.StatusNotFound || !strings.Contains(body, "is kept as files") ||
		!strings.Contains(body, `href="/snapshots/2026-11-19.1"`) || !strings.Contains(body, "A call of the API with a key") {
		t.Errorf("a publication that is kept: status %d\n%s", w.Code, body)
	}
	if body := s.get(t, "/places/camden?snapshot=2020-01-01.1").Body.String(); strings.Contains(body, "kept as files") {
		t.Errorf("a publication that never was:\n%s", body)
	}
	if list := s.get(t, "/snapshots").Body.String(); strings.Contains(list, "snapshot=2026-11-19.1") {
		t.Errorf("the list offers figures that no page can show:\n%s", list)
	}
}

// The address of a publication that was withdrawn leads to the reason, not to figures.
func TestCitationOfAWithdrawnPublication(t *testing.T) {
	data, _, _ := twoDays(t)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Withdraw(t.Context(), "2026-11-19.1", store.Withdrawal{By: "An analyst",
		At: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), Reason: "wrong boundaries"}); err != nil {
		t.Fatal(err)
	}
	s := siteOf(t, data)
	body := s.get(t, "/skills?snapshot=2026-11-19.1").Body.String()
	if !strings.Contains(body, "Publication 2026-11-19.1 was withdrawn") || strings.Contains(body, "kept as files") ||
		!strings.Contains(body, `href="/snapshots/2026-11-19.1"`) {
		t.Errorf("the address answers\n%s", body)
	}
	if reason := s.get(t, "/snapshots/2026-11-19.1").Body.String(); !strings.Contains(reason, "wrong boundaries") {
		t.Errorf("its page gives no reason:\n%s", reason)
	}
}

// An address that is mistyped in its letter case leads to the right one with all that it asks.
func TestRedirectsKeepWhatIsAsked(t *testing.T) {
	s := newSite(t)
	w := s.get(t, "/places/Camden?with=islington&snapshot=2026-11-19.1")
	if got := w.Header().Get("Location"); w.Code != http.StatusMovedPermanently ||
		got != "/places/camden?snapshot=2026-11-19.1&with=islington" {
		t.Errorf("status %d to %q", w.Code, got)
	}
}

// swapping is a Live in which a newer snapshot is taken up behind each one that is acquired.
type swapping struct {
	api.Snapshots
	next []string // ids
}

func (l *swapping) Acquire() (api.Snapshot, func(), error) {
	if len(l.next) == 0 {
		return l.Snapshots.Acquire()
	}
	id := l.next[0]
	l.next = l.next[1:]
	return l.AcquireByID(context.Background(), id, false)
}

// All lists of one file are of one snapshot, whatever is taken up meanwhile.
func TestListsOfEveryPlaceAreOfOneSnapshot(t *testing.T) {
	data := t.TempDir()
	snaptest.BuildSnapshot(t, data, "2026-11-19", snaptest.DefaultContent(t, "2026-11-19"))
	snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	s := siteThrough(t, data, func(l api.Snapshots) api.Snapshots { return &swapping{l, []string{"2026-11-19.1"}} })
	w := s.get(t, "/csv/whole/skills-unmet?each=place")
	if rows, err := csv.NewReader(w.Body).ReadAll(); w.Code != http.StatusOK || err != nil || len(rows) < 3 {
		t.Fatalf("status %d, %d rows, %v", w.Code, len(rows), err)
	}
	if got := w.Header().Get("X-Snapshot"); got != "2026-11-19.1" {
		t.Errorf("the rows are of %s", got)
	}
}

// The downloads that a page of an earlier publication offers have the figures of the page.
func TestDownloadsOfAnEarlierPublication(t *testing.T) {
	data, _, _ := twoDays(t)
	s := siteOf(t, data)
	const old = "snapshot=2026-11-19.1"
	if w := s.get(t, "/csv/whole/skills-unmet?each=place&"+old); w.Header().Get("X-Snapshot") != "2026-11-19.1" {
		t.Errorf("the lists of every place are of %s, status %d", w.Header().Get("X-Snapshot"), w.Code)
	}
	for _, id := range []string{"1999-01-01.1", ""} {
		if w := s.get(t, "/csv/whole/skills-unmet?each=place&snapshot="+id); w.Code != http.StatusBadRequest {
			t.Errorf("snapshot %q: status %d", id, w.Code)
		}
	}
	offered := regexp.MustCompile(`href="([^"]*(?:/whole/|/plan\.csv|/changes\.csv)[^"]*)"`)
	for path, want := range map[string]int{"/skills": 1, "/places/camden": 1, "/plan": 1, "/changes": 0} {
		for query, isOld := range map[string]bool{"?" + old: true, "": false} {
			found := offered.FindAllStringSubmatch(s.get(t, path+query).Body.String(), -1)
			if len(found) < want {
				t.Errorf("%s%s offers %d downloads", path, query, len(found))
			}
			for _, f := range found {
				if strings.Contains(f[1], old) != isOld {
					t.Errorf("%s%s offers %s", path, query, f[1])
				}
			}
		}
	}
}

// breaking is a response whose client is gone after the first bytes.
type breaking struct{ *httptest.ResponseRecorder }

func (b breaking) Write([]byte) (int, error) { return 0, http.ErrHandlerTimeout }

// A list of changes that breaks half-way is cut off, and logged.
func TestBrokenListsOfChangesAreCutOff(t *testing.T) {
	data, id, _ := twoDays(t)
	s := siteOf(t, data)
	r := httptest.NewRequest(http.MethodGet, "/snapshots/"+string(id)+"/changes.csv", nil)
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("the answer ended as if it were whole: %v", v)
		}
		if !strings.Contains(s.log.String(), "what changed, as CSV") {
			t.Error("it is not logged")
		}
	}()
	s.handler.ServeHTTP(breaking{httptest.NewRecorder()}, r)
}
