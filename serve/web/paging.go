package web

import (
	"strconv"

	"labour/serve/api"
)

// cursorOf returns a function that opens a cursor of an API endpoint. The function returns the ID
// of the cursor's snapshot, and the cursor's position in the list as a *P.
func cursorOf[P any](endpoint string) func(s *Site, token string) (id string, position any, err error) {
	return func(s *Site, token string) (string, any, error) {
		position := new(P)
		id, err := s.Cursors.Open(token, endpoint, position)
		return id, position, err
	}
}

// positionOf returns the position in a list after which the requested page begins. It returns nil
// for the first page.
func positionOf[P any](v *request) *P {
	after, _ := v.after.(*P)
	return after
}

// nextOf returns the address of the next page of a list. endpoint is the name of the list's API
// endpoint, and p is the current page. The result is "" if p is the last page.
func nextOf[R interface{ CursorPosition() P }, P any](s *Site, v *request, endpoint string, p api.Page[R]) string {
	if !p.More || len(p.Rows) == 0 {
		return ""
	}
	token, err := s.Cursors.Seal(endpoint, v.snapshot.ID(), p.Rows[len(p.Rows)-1].CursorPosition())
	v.fail(err)
	return v.with("cursor", token)
}

// lastPage is the highest page number that a visitor can request. Higher numbers count as lastPage.
const lastPage = 2000

// pageOf returns the page number in the address of a request. Pages are numbered from 1. The result
// is 1 if the address has no valid number.
func pageOf(v *request) int {
	n, err := strconv.Atoi(v.URL.Query().Get("page"))
	if err != nil {
		return 1
	}
	return max(1, min(n, lastPage))
}

// part returns the range of rows on the requested page of a list. from is the index of the first
// row, and to is the index after the last. n is the number of rows in the list, and size is the
// number of rows on a page.
//
// firstURL is the address of the first page, or empty on that page. nextURL is the address of the
// next page, or empty on the last page.
func (v *request) part(n, size int) (from, to int, firstURL, nextURL string) {
	page := pageOf(v)
	from, to = min((page-1)*size, n), min(page*size, n)
	if page > 1 {
		firstURL = v.with("page", "")
	}
	if to < n {
		nextURL = v.with("page", strconv.Itoa(page+1))
	}
	return from, to, firstURL, nextURL
}
