package employerboards

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"labour/sources"
	"labour/sources/sourcetest"
)

// memory is a Fetcher over bodies by request URI, which knows the last extract.
// An address without a body fails.
type memory struct {
	served map[string]string
	last   map[string]string // bodies of the last extract by object name
	before map[string]string // received on an earlier day
	got    bodies
	failed map[string]sources.FaultCode
	calls  int
}

func newMemory(served, last map[string]string) *memory {
	return &memory{served: served, last: last, got: bodies{}, failed: map[string]sources.FaultCode{}}
}

// Get looks the request URI up.
func (m *memory) Get(_ context.Context, r sources.Request) (sources.ArchivedObject, error) {
	m.calls++
	u, err := url.Parse(r.URL)
	if err != nil {
		return sources.ArchivedObject{}, err
	}
	body, ok := m.served[u.RequestURI()]
	if !ok {
		return sources.ArchivedObject{}, errors.New("404")
	}
	if err := r.Accept("", []byte(body)); err != nil {
		return sources.ArchivedObject{}, err
	}
	m.got[r.Name] = []byte(body)
	return sources.ArchivedObject{Name: r.Name}, nil
}

// Open opens what was got, or else what the last extract holds.
func (m *memory) Open(o sources.ArchivedObject) (sources.Body, error) {
	if body, ok := m.before[o.Name]; ok && o.URL == "before" {
		return io.NopCloser(strings.NewReader(body)), nil
	}
	if body, ok := m.last[o.Name]; ok && o.Carried {
		return io.NopCloser(bytes.NewReader([]byte(body))), nil
	}
	return m.got.Open(o)
}

// MarkFailed notes the code.
func (m *memory) MarkFailed(part string, err error) {
	for name := range m.got {
		if (sources.ArchivedObject{Name: name}).BelongsTo(part) {
			delete(m.got, name)
		}
	}
	m.failed[part] = sources.FaultCodeOf(err)
}

// DiscardPart forgets a part.
func (m *memory) DiscardPart(part string) {
	maps.DeleteFunc(m.got, func(name string, _ []byte) bool { return sources.ArchivedObject{Name: name}.BelongsTo(part) })
}

// Secret knows none.
func (m *memory) Secret(string) (string, bool) { return "", false }

// ObjectsOfLastExtract is what the last extract has of a part.
func (m *memory) ObjectsOfLastExtract(part string) (list []sources.ArchivedObject) {
	for _, name := range slices.Sorted(maps.Keys(m.last)) {
		if o := (sources.ArchivedObject{Name: name, Carried: true}); o.BelongsTo(part) {
			list = append(list, o)
		}
	}
	return list
}

// EarlierBody is what was received on an earlier day.
func (m *memory) EarlierBody(name string) (sources.ArchivedObject, bool) {
	_, ok := m.before[name]
	return sources.ArchivedObject{Name: name, URL: "before"}, ok
}

// KeepLast is for sources that are not always fetched whole.
func (m *memory) KeepLast(name string) bool {
	_, ok := m.last[name]
	return ok
}

func (m *memory) names() string {
	var all []string
	for name := range m.got {
		all = append(all, name)
	}
	sort.Strings(all)
	return strings.Join(all, " ")
}

// postings is a Lever page of the postings from..to-1.
func postings(from, to int) string {
	var rows []string
	for i := from; i < to; i++ {
		rows = append(rows, fmt.Sprintf(`{"id":"p%d","text":"Job %d","createdAt":1793982000000,"categories":{"location":"Leeds"}}`, i, i))
	}
	return "[" + strings.Join(rows, ",") + "]"
}

func leverURI(site string, skip int) string {
	return fmt.Sprintf("/v0/postings/%s?mode=json&skip=%d&limit=100", site, skip)
}

func ghURI(token string) string { return "/v1/boards/" + token + "/jobs?content=true" }

const oneJob = `{"jobs":[{"id":1,"internal_job_id":2,"title":"x"}],"meta":{"total":1}}`

// everything is what was received of both boards when all was served.
var everything = map[string]string{"lever/big/0": postings(0, 100), "lever/big/1": postings(100, 200),
	"lever/big/2": postings(200, 250), "greenhouse/small": oneJob}

// fetches are what the vendors serve, and what is got of it after what was last received.
var fetches = []struct {
	name         string
	served, last map[string]string
	before       map[string]string // received on an earlier day
	got          string
	failed       map[string]sources.FaultCode
	fails        bool
}{
	{name: "pages until a short one",
		served: map[string]string{leverURI("big", 0): postings(0, 100), leverURI("big", 100): postings(100, 120),
			ghURI("small"): oneJob},
		got: "greenhouse/small lever/big/0 lever/big/1"},
	{name: "a full last page asks for one more",
		served: map[string]string{leverURI("big", 0): postings(0, 100), leverURI("big", 100): "[]", ghURI("small"): oneJob},
		got:    "greenhouse/small lever/big/0 lever/big/1"},
	{name: "a board that is gone leaves the others, and all of it stands",
		served: map[string]string{ghURI("small"): oneJob}, last: everything, got: "greenhouse/small",
		failed: map[string]sources.FaultCode{"lever/big": "unavailable"}},
	{name: "a page that is gone lets all of the board stand",
		served: map[string]string{leverURI("big", 0): postings(0, 100), ghURI("small"): oneJob}, last: everything,
		got:    "greenhouse/small",
		failed: map[string]sources.FaultCode{"lever/big": "unavailable"}},
	{name: "a part of what the publisher announces is that board's fault",
		served: map[string]string{leverURI("big", 0): postings(0, 3),
			ghURI("small"): `{"jobs":[{"id":1,"title":"x"}],"meta":{"total":2}}`}, last: everything, got: "lever/big/0",
		failed: map[string]sources.FaultCode{"greenhouse/small": "incomplete"}},
	{name: "a part is no list where there was none either",
		served: map[string]string{leverURI("big", 0): postings(0, 3),
			ghURI("small"): `{"jobs":[{"id":1,"title":"x"}],"meta":{"total":2}}`}, got: "lever/big/0",
		failed: map[string]sources.FaultCode{"greenhouse/small": "incomplete"}},
	{name: "a web page is that board's fault",
		served: map[string]string{leverURI("big", 0): postings(0, 3), ghURI("small"): "<html>moved</html>"}, last: everything,
		got:    "lever/big/0",
		failed: map[string]sources.FaultCode{"greenhouse/small": "not_the_format"}},
	{name: "a list that breaks off is that board's fault",
		served: map[string]string{leverURI("big", 0): postings(0, 3), ghURI("small"): `{"jobs":[{"id":1}`}, last: everything,
		got:    "lever/big/0",
		failed: map[string]sources.FaultCode{"greenhouse/small": "not_json"}},
	{name: "suddenly empty",
		served: map[string]string{leverURI("big", 0): "[]", ghURI("small"): oneJob}, last: everything,
		got:    "greenhouse/small",
		failed: map[string]sources.FaultCode{"lever/big": "suddenly_empty"}},
	{name: "suddenly empty after a single advert",
		served: map[string]string{leverURI("big", 0): "[]", ghURI("small"): oneJob},
		last:   map[string]string{"lever/big/0": postings(0, 1)},
		got:    "greenhouse/small", failed: map[string]sources.FaultCode{"lever/big": "suddenly_empty"}},
	{name: "empty for the second day",
		served: map[string]string{leverURI("big", 0): "[]", ghURI("small"): oneJob}, last: everything,
		before: map[string]string{"lever/big/0": "[]"},
		got:    "greenhouse/small lever/big/0"},
	{name: "no list the day before",
		served: map[string]string{leverURI("big", 0): "[]", ghURI("small"): oneJob}, last: everything,
		before: map[string]string{"lever/big/0": `{"ok":false}`},
		got:    "greenhouse/small", failed: map[string]sources.FaultCode{"lever/big": "suddenly_empty"}},
	{name: "empty as before",
		served: map[string]string{leverURI("big", 0): "[]", ghURI("small"): oneJob},
		last:   map[string]string{"lever/big/0": "[]"},
		got:    "greenhouse/small lever/big/0"},
	{name: "empty from the beginning",
		served: map[string]string{leverURI("big", 0): "[]", ghURI("small"): oneJob}, got: "greenhouse/small lever/big/0"},
	{name: "no advert has its day any more",
		served: map[string]string{leverURI("big", 0): strings.ReplaceAll(postings(0, 5), "createdAt", "created"),
			ghURI("small"): oneJob}, last: everything, got: "greenhouse/small",
		failed: map[string]sources.FaultCode{"lever/big": "schema"}},
	{name: "no advert had it before",
		served: map[string]string{leverURI("big", 0): strings.ReplaceAll(postings(0, 5), "createdAt", "created"),
			ghURI("small"): oneJob},
		last: map[string]string{"lever/big/0": strings.ReplaceAll(postings(0, 4), "createdAt", "created")},
		got:  "greenhouse/small lever/big/0"},
	{name: "nothing at all", fails: true,
		failed: map[string]sources.FaultCode{"lever/big": "unavailable", "greenhouse/small": "unavailable"}},
}

func TestFetch(t *testing.T) {
	for _, c := range fetches {
		t.Run(c.name, func(t *testing.T) {
			s := connector(t, Config{Boards: []Board{{Vendor: "lever", Token: "big", Employer: "Big"},
				{Vendor: "greenhouse", Token: "small", Employer: "Small"},
				{Vendor: "ashby", Token: "gone", Employer: "Gone", Retired: true}}})
			m := newMemory(c.served, c.last)
			m.before = c.before
			err := s.Fetch(context.Background(), m)
			if (err != nil) != c.fails || m.names() != c.got {
				t.Errorf("got %q, error %v; want %q", m.names(), err, c.got)
			}
			if err != nil && !strings.Contains(err.Error(), "lever/big: ") {
				t.Errorf("%v does not name the first board", err)
			}
			if d := cmp.Diff(c.failed, m.failed, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("failed (-want +got):\n%s", d)
			}
		})
	}
}

// A list without end does not hold the run up for ever.
func TestFetchIsBounded(t *testing.T) {
	served := map[string]string{}
	for n := range 2 * maxPages {
		served[leverURI("big", n*pageSize)] = postings(n*pageSize, (n+1)*pageSize)
	}
	m := newMemory(served, nil)
	if err := connector(t, Config{Boards: []Board{{Vendor: "lever", Token: "big",
		Employer: "Big"}}}).Fetch(context.Background(), m); sources.FaultCodeOf(err) != sources.FaultIncomplete {
		t.Fatal(err)
	}
	if m.calls != maxPages {
		t.Errorf("%d calls, want %d", m.calls, maxPages)
	}
}

// A full page of a vendor that no longer states the length of its lists is not the last one.
func TestAFullPageWithoutATotalIsNotTheLast(t *testing.T) {
	const vendor, list = "smartrecruiters", "/v1/companies/b/postings?limit=100&offset="
	full := strings.Replace(pageOf(vendor, rowsOf(vendor, 0, 100), 150, ""), `"totalFound":150,`, "", 1)
	rest := `{"content":[` + rowsOf(vendor, 100, 150) + `]}`
	for _, c := range []struct {
		served map[string]string
		whole  bool
	}{
		{map[string]string{list + "0": full, list + "100": rest}, true},
		{map[string]string{list + "0": full}, false},
	} {
		m := newMemory(c.served, nil)
		err := connector(t, Config{Boards: []Board{{Vendor: vendor, Token: "b", Employer: "B"}}}).Fetch(t.Context(), m)
		if _, failed := m.failed["smartrecruiters/b"]; (err == nil && !failed) != c.whole {
			t.Errorf("%d pages: the board failed %t, %v", len(c.served), failed, err)
		}
	}
}

func TestFetchStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := newMemory(map[string]string{leverURI("big", 0): postings(0, 3)}, nil)
	err := connector(t, Config{Boards: []Board{{Vendor: "lever", Token: "big", Employer: "Big"}}}).Fetch(ctx, m)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Fetch = %v, want the context's error", err)
	}
}

// An extract is ordered by name, so that page 10 comes before page 2; the
// adverts come in the order of the list, and each once.
func TestReadPagesInOrder(t *testing.T) {
	b, x := bodies{}, sources.Extract{}
	for _, n := range []int{0, 1, 10, 2, 3, 4, 5, 6, 7, 8, 9} {
		name := fmt.Sprintf("lever/big/%d", n)
		b[name] = []byte(postings(n*90, n*90+100)) // 10 are on two pages
		if n == 10 {
			b[name] = []byte(postings(900, 950))
		}
		x.Objects = append(x.Objects, sources.ArchivedObject{Name: name})
	}
	s := connector(t, Config{Boards: []Board{{Vendor: "lever", Token: "big", Employer: "Big"}}})
	records, faults, err := sourcetest.ReadExtract(s, x, b)
	if err != nil || len(faults) != 0 || len(records) != 950 {
		t.Fatalf("%d adverts, faults %+v, error %v; want 950", len(records), faults, err)
	}
	for i, r := range records {
		if want := fmt.Sprintf("lever/big/p%d", i); r.(sources.Advert).ID != want {
			t.Fatalf("advert %d is %s, want %s", i, r.(sources.Advert).ID, want)
		}
	}
}
