package web

import (
	"strconv"
	"testing"
)

// Pages are kept up to a bound; the oldest go first.
func TestPagesAreKeptUpToABound(t *testing.T) {
	var k kept
	for i := range 20 {
		k.put(strconv.Itoa(i), view{body: make([]byte, mostKept/16)})
		k.put(strconv.Itoa(i), view{body: make([]byte, 1)}) // is the same page
	}
	for i := range 20 {
		if page, ok := k.get(strconv.Itoa(i)); ok != (i >= 4) || ok && len(page.body) != mostKept/16 {
			t.Errorf("page %d: kept %v with %d bytes", i, ok, len(page.body))
		}
	}
	if k.bytes != mostKept || len(k.pages) != len(k.tags) {
		t.Errorf("%d bytes, %d pages, %d tags", k.bytes, len(k.pages), len(k.tags))
	}
}
