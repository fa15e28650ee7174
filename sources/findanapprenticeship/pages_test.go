package findanapprenticeship

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/sourcetest"
)

// errUnreachable is the answer for a page that the service does not have.
var errUnreachable = errors.New("no answer")

// service is a Fetcher that has the pages in memory. It does not have any further page.
type service struct {
	sources.Fetcher
	pages
}

// Secret returns a key.
func (service) Secret(string) (string, bool) { return "key", true }

// DiscardPart does nothing: the pages stay.
func (service) DiscardPart(string) {}

// Open opens a page.
func (s service) Open(o sources.ArchivedObject) (sources.Body, error) { return s.pages.Open(o) }

// Get returns a page, or an error if there is none.
func (s service) Get(_ context.Context, r sources.Request) (sources.ArchivedObject, error) {
	for i := range s.pages {
		if r.Name == name(i+1) {
			return sources.ArchivedObject{Name: r.Name}, nil
		}
	}
	return sources.ArchivedObject{}, errUnreachable
}

// answer is a page with the given vacancies, of a list of so many pages.
func answer(pages int, references ...string) []byte {
	var rows []string
	for _, r := range references {
		rows = append(rows, fmt.Sprintf(`{"vacancyReference":%q,"title":"x"}`, r))
	}
	return fmt.Appendf(nil, `{"vacancies":[%s],"totalPages":%d}`, strings.Join(rows, ","), pages)
}

// A list is taken whole or not at all: each page that fails is named, and the first one says what to do.
func TestEachFailingPageIsNamed(t *testing.T) {
	for _, c := range []struct {
		about string
		pages pages
		has   []string // parts of the error
		code  sources.FaultCode
	}{
		{"one page", pages{answer(1, "1")}, nil, ""},
		{"two pages", pages{answer(2, "1"), answer(2, "2")}, nil, ""},
		{"no first page", nil, []string{"first page: no answer", "401: the key in TEST_KEY"}, ""},
		{"no second page", pages{answer(2, "1")}, []string{"page 2: no answer"}, ""},
		{"a first page that is not JSON", pages{[]byte("<html>")}, []string{"page 1: "}, sources.FaultWrongFormat},
		{"a second page that breaks off", pages{answer(2, "1"), []byte(`{"vacancies":[{`)}, []string{"page 2: "},
			sources.FaultNotJSON},
		{"no vacancy", pages{answer(1)}, []string{"no vacancy, which it never does"}, sources.FaultSuddenlyEmpty},
		{"no vacancy on the second page", pages{answer(2, "1"), answer(2)}, nil, ""},
	} {
		err := connector(t, "http://127.0.0.1").Fetch(t.Context(), service{pages: c.pages})
		if (err != nil) != (c.has != nil) {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		for _, want := range append(c.has, Key+": ") {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q in it", c.about, err, want)
			}
		}
		if c.code != "" && sources.FaultCodeOf(err) != c.code {
			t.Errorf("%s: code %s, want %s", c.about, sources.FaultCodeOf(err), c.code)
		}
	}
}

// TestAnnouncedVacanciesAreThere: a list is complete with exactly as many vacancies as it announces, where
// a row that cannot be read is one of them. Otherwise the fault says how many are there.
func TestAnnouncedVacanciesAreThere(t *testing.T) {
	list := func(total int, rows string) pages {
		return pages{fmt.Appendf(nil, `{"vacancies":[%s],"total":%d,"totalPages":1}`, rows, total)}
	}
	const two = `{"vacancyReference":"1","title":"a","course":{"larsCode":1}},{"title":"without a reference"}`
	for total, want := range map[int]string{0: "", 1: "", 2: "", 3: "announces 3 vacancies and its pages hold 2"} {
		p := list(total, two)
		_, faults, err := sourcetest.ReadExtract(connector(t, "http://127.0.0.1"), p.extract(), p)
		if err != nil {
			t.Fatal(err)
		}
		var incomplete []string
		for _, f := range faults {
			if f.Code == sources.FaultIncomplete {
				incomplete = append(incomplete, f.Object+": "+f.Detail)
			}
		}
		if got := strings.Join(incomplete, ""); (got == "") != (want == "") || !strings.Contains(got, want) ||
			want != "" && !strings.HasPrefix(got, name(1)+": ") {
			t.Errorf("%d announced: %q, want %q", total, got, want)
		}
	}
	carried := list(3, two)
	x := carried.extract()
	for i := range x.Objects {
		x.Objects[i].Carried = true // of an older list, so that its number is that of another day
	}
	_, faults, err := sourcetest.ReadExtract(connector(t, "http://127.0.0.1"), x, carried)
	if err != nil || slices.ContainsFunc(faults, func(f sources.Fault) bool { return f.Code == sources.FaultIncomplete }) {
		t.Errorf("a page that was carried forward: %v, %+v", err, faults)
	}
	if i := new(VacancySource).Info(); i.Terms != (sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true,
		MaySummarise: true}) || !i.ListsLiveOnly || !i.HasAdverts {
		t.Errorf("the description is %+v", i)
	}
}

// A full page of a list whose length is not stated is not the last one: the next page is asked for, and
// nothing is taken if it cannot be had.
func TestAFullPageWithoutATotalIsNotTheLast(t *testing.T) {
	var full []string
	for i := range pageSize {
		full = append(full, fmt.Sprint(i))
	}
	for name, c := range map[string]struct {
		pages pages
		has   string // part of the error; "" = none
	}{
		"a full page":                 {pages{answer(0, full...)}, "page 2"},
		"a full page and another":     {pages{answer(0, full...), answer(0, "last")}, ""},
		"a page that is nearly full":  {pages{answer(0, full[1:]...)}, ""},
		"a full page, one is stated":  {pages{answer(1, full...)}, "page 2"},
		"a full page, and two stated": {pages{answer(2, full...), answer(2, "last")}, ""},
	} {
		err := connector(t, "http://127.0.0.1").Fetch(t.Context(), service{pages: c.pages})
		if (err == nil) != (c.has == "") || err != nil && !strings.Contains(err.Error(), c.has) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.has)
		}
	}
}

// TestAListThatCannotBeReadIsNotUsed: its vacancies would all be closed. A few that cannot be read cost only
// themselves. Those of a list that is fetched once more, as it changed meanwhile, count once.
func TestAListThatCannotBeReadIsNotUsed(t *testing.T) {
	var good []string
	for i := range 19 {
		good = append(good, fmt.Sprint(i))
	}
	pagesWith := func(list []byte, faulty string) pages {
		bad := fmt.Sprintf(`{"vacancyReference":"91","title":"x","postedDate":%q}`, faulty)
		return pages{list, fmt.Appendf(nil, `{"vacancies":[%s],"totalPages":2}`, bad)}
	}
	repeated := append([]string{"91"}, good[1:]...) // the vacancy of the second page is also on the first one
	const says = "cannot be read, more than 5 %, the first: row 1 of page 2: "
	for _, c := range []struct {
		about string
		pages pages
		has   string // part of the error; "" = none
	}{
		{"one of 20", pagesWith(answer(2, good...), "30/11/26x"), ""},
		{"one of 20, fetched twice", pagesWith(answer(2, repeated...), "30/11/26x"), ""},
		{"one of 19", pagesWith(answer(2, good[1:]...), "30/11/26x"), "1 of 19 rows " + says},
		{"one of 19, fetched twice", pagesWith(answer(2, repeated[:18]...), "30/11/26x"), "1 of 19 rows " + says},
		{"none", pagesWith(answer(2, good[1:]...), "2026-11-30"), ""},
	} {
		err := connector(t, "http://127.0.0.1").Fetch(t.Context(), service{pages: c.pages})
		if (err == nil) != (c.has == "") || err != nil && !strings.Contains(err.Error(), c.has) {
			t.Errorf("%s: %v, want an error with %q", c.about, err, c.has)
		}
	}
}
