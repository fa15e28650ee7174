package web_test

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Every address that an error page offers answers, also where more than one part of the address is
// wrong.
func TestOfferedAddressesAnswer(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{
		"/skills?window=7&place=nowhere", "/skills?place=nowhere&window=7&sort=colour&kind=odd",
		"/skills?cursor=AAAA&place=nowhere", "/skills?snapshot=2020-01-01.1&window=7&sector=none",
		"/skills?level=9&soc=abc&source=none", "/skills/no-such-skill?place=nowhere&window=7",
		"/skills/sql?by=weather&map=weather&place=nowhere", "/skills/sql?by=month&map=weather&window=7",
		"/places/nowhere", "/places/nowhere?window=7&with=nowhere", "/places/nowhere/brief?window=7",
		"/places/camden?with=nowhere&window=7", "/places?kind=odd&place=nowhere",
		"/occupations/9999?place=nowhere", "/occupations/6135?place=nowhere&window=7",
		"/plan?place=nowhere&window=7", "/evidence?kind=rumour&region=X1", "/courses?region=X1&metric=odd",
		"/gaps?region=X1&place=nowhere", "/changes?place=nowhere&window=7", "/snapshots/2020-01-01.1?kind=odd",
		"/embed/skills/sql?place=nowhere&window=7", "/?place=nowhere&window=7",
	} {
		w := s.get(t, path)
		if w.Code < 400 {
			continue
		}
		offered := 0
		tree, err := html.Parse(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		for _, main := range elements(tree, "main") {
			for _, l := range elements(main, "a") {
				href, _, _ := strings.Cut(attribute(l, "href"), "#")
				offered++
				if code := s.get(t, href).Code; code != http.StatusOK && code != http.StatusMovedPermanently {
					t.Errorf("%s offers %s, which answers %d", path, href, code)
				}
			}
		}
		if offered < 2 {
			t.Errorf("%s offers %d addresses", path, offered)
		}
	}
}
