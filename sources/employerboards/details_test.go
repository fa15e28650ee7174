package employerboards

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/sourcetest"
)

// smartServed is a list of n postings; the postings in own also have an object.
func smartServed(n int, own ...int) map[string]string {
	served := map[string]string{
		smartList: pageOf("smartrecruiters", rowsOf("smartrecruiters", 0, n), n, ""),
	}
	for _, i := range own {
		served[fmt.Sprintf("/v1/companies/harbourline/postings/p%d", i)] = fmt.Sprintf(`{"id":"p%d"}`, i)
	}
	return served
}

// After three failures in a row the rest of a board's postings is not asked for; one that comes in
// between begins the count again. Each that is missing is reported.
func TestDetailsThatFail(t *testing.T) {
	for _, c := range []struct {
		name   string
		own    []int
		calls  int // the list is one
		failed []int
	}{
		{"none comes", nil, 1 + 3, []int{0, 1, 2, 3, 4, 5, 6}},
		{"one comes after two", []int{2}, 1 + 6, []int{0, 1, 3, 4, 5, 6}},
		{"the last would come", []int{0, 6}, 1 + 4, []int{1, 2, 3, 4, 5, 6}},
		{"all but two", []int{0, 2, 3, 4, 6}, 1 + 7, []int{1, 5}},
	} {
		m := newMemory(smartServed(7, c.own...), nil)
		if err := smartConnector(t).Fetch(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		want := map[string]sources.FaultCode{}
		for _, i := range c.failed {
			want[fmt.Sprintf("smartrecruiters/harbourline/posting/p%d", i)] = "unavailable"
		}
		if d := cmp.Diff(want, m.failed); d != "" || m.calls != c.calls {
			t.Errorf("%s: %d calls, want %d; failed (-want +got):\n%s", c.name, m.calls, c.calls, d)
		}
	}
}

// A fault in the object of one posting is reported for that object and loses no advert.
func TestFaultyDetails(t *testing.T) {
	list := pageOf("smartrecruiters", rowsOf("smartrecruiters", 0, 1), 1, "")
	for _, c := range []struct{ name, vendor, list, body, says string }{
		{"cut off", "smartrecruiters", list, `{"id":"p0"`, "another type"},
		{"a page", "smartrecruiters", list, "<html>gone</html>", ""},
		{"a vendor whose lists hold the text", "greenhouse", oneJob, `{"id":1,"postingUrl":"https://other.example"}`,
			"the vendor has no such objects"},
	} {
		s := connector(t, Config{Boards: []Board{{Vendor: c.vendor, Token: "b", Employer: "B"}}})
		whole, one := c.vendor+"/b", c.vendor+"/b/posting/1"
		records, faults, err := sourcetest.ReadExtract(s, sources.Extract{Objects: []sources.ArchivedObject{{Name: whole},
			{Name: one}}}, bodies{whole: []byte(c.list), one: []byte(c.body)})
		if err != nil || len(records) != 1 || len(faults) != 1 || faults[0].Object != one ||
			!strings.Contains(faults[0].Detail, c.says) || records[0].(sources.Advert).Link == "https://other.example" {
			t.Errorf("%s: adverts %+v, faults %+v, %v", c.name, records, faults, err)
		}
	}
}
