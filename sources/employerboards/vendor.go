// Package employerboards reads employers' own applicant-tracking boards.
//
// Each employer has a board of its own with a vendor of such systems, and the vendors publish the
// boards for programs. "Adverts are counted only from roles posted on the platform itself, from
// employers' own applicant-tracking boards, and from a national apprenticeship vacancy service": an
// explicit register says which boards those are, and no other board is ever asked.
//
// The text of an advert is the employer's. It is read to recognise skills and goes no further than
// the pipeline; names, e-mail addresses and telephone numbers of recruiters are dropped.
package employerboards

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
)

// vendor is one applicant-tracking system: how its lists are asked for, and how
// one body and one row are read.
type vendor interface {
	// request names and addresses page n of a board's list, counted from 0.
	request(token string, n int) sources.Request
	// walk splits a body into rows, calls each for every one, and says what the
	// publisher says of the list. Its errors have a sources.FaultCode.
	walk(body []byte, each func(i int, row []byte) error) (listing, error)
	// advert reads one row. The ID is the vendor's; Source, Origin, Employer, Kind
	// and the rest of the ID are the caller's to fill in, as is tidying. A row that
	// cannot be used is an error with a sources.FaultCode.
	advert(token string, row []byte) (sources.Advert, error)
}

// detailer is a vendor whose lists lack the text: each advert is asked for by itself.
type detailer interface {
	// detail names and addresses the object of one row.
	detail(token string, row []byte) (sources.Request, error)
	// read reads such an object: the vendor's ID, and the fields that the list lacks.
	read(body []byte) (sources.Advert, error)
}

// listing is what a body says of the list that it is a page of.
type listing struct {
	rows  int    // rows in this body
	total int    // rows in the whole list by the publisher's word; -1 = not said
	more  bool   // there should be a further page
	query string // query of the further page's address, when the publisher gives it
}

// lists is a vendor whose lists are JSON; a row is a J.
type lists[J interface {
	advert(token string) (sources.Advert, error)
}] struct {
	key, base string
	path      string // of a list; {skip} is how many rows the pages before have
	pages     bool
	rows      string // name of the list in the body; "" = the body itself
	// says notes what the rest of the body says of the list; nil = nothing.
	says func(l *listing, others jsonrows.Members)
}

// pageSize is how many rows a page holds of which an address says the size.
const pageSize = 100

func (v lists[J]) at(key, base string) vendor {
	v.key, v.base = key, base
	return v
}

func (v lists[J]) request(token string, n int) sources.Request {
	name := v.key + "/" + token
	if v.pages {
		name += "/" + strconv.Itoa(n)
	}
	path := strings.ReplaceAll(v.path, "{skip}", strconv.Itoa(n*pageSize))
	return sources.Request{Name: name, URL: address(v.base, path, token), Accept: sources.AcceptJSON}
}

func (v lists[J]) walk(body []byte, each func(int, []byte) error) (listing, error) {
	l := listing{total: -1}
	others, err := jsonrows.Walk(body, v.rows, func(i int, row []byte) error {
		l.rows++
		return each(i, row)
	})
	if v.says != nil {
		v.says(&l, others)
	}
	return l, err
}

func (lists[J]) advert(token string, row []byte) (sources.Advert, error) {
	var j J
	if err := jsonrows.Row(row, &j); err != nil {
		return sources.Advert{}, err
	}
	return j.advert(token)
}

// dated adds the days of publication and closing; the words are the vendor's for them.
func dated(a sources.Advert, posted, on, closes, by string) (sources.Advert, error) {
	var err error
	if a.Posted, err = adverts.Day(posted, on); err == nil {
		a.Closes, err = adverts.Day(closes, by)
	}
	return a, err
}

// tokenMark is what a board's token is written for in an address.
const tokenMark = "{token}"

// kind is a vendor before its address is known.
type kind struct {
	key    string
	base   string // public address
	hosted bool   // each employer has a host of its own
	make   func(key, base string) vendor
}

// kinds are the known vendors, in order.
func kinds() []kind {
	return []kind{
		{"greenhouse", "https://boards-api.greenhouse.io", false, lists[greenhouseJob]{path: "/v1/boards/{token}/jobs?content=true", rows: "jobs", says: saysTotal}.at},
		{"lever", "https://api.lever.co", false, leverLists.at},
		{"lever_eu", "https://api.eu.lever.co", false, leverLists.at},
		{"ashby", "https://api.ashbyhq.com", false, lists[ashbyJob]{path: "/posting-api/job-board/{token}?includeCompensation=true", rows: "jobs"}.at},
		{"workable", "https://apply.workable.com", false, lists[workableJob]{path: "/api/v1/widget/accounts/{token}?details=true", rows: "jobs"}.at},
		{"smartrecruiters", "https://api.smartrecruiters.com", false, smartLists},
		{"recruitee", "https://{token}.recruitee.com", true, lists[recruiteeOffer]{path: "/api/offers/", rows: "offers"}.at},
		{"teamtailor", "https://{token}.teamtailor.com", true, lists[teamtailorItem]{path: "/jobs.json", pages: true, rows: "items", says: saysNext}.at},
		{"personio", "https://{token}.jobs.personio.de", true, personioSite("https://{token}.jobs.personio.de")},
		{"personio_com", "https://{token}.jobs.personio.com", true, personioSite("https://{token}.jobs.personio.com")},
	}
}

func find(kinds []kind, key string) (kind, bool) {
	for _, k := range kinds {
		if k.key == key {
			return k, true
		}
	}
	return kind{}, false
}

// address is base with the token put in, and path after it, in both of which {token} is the token.
func address(base, path, token string) string {
	escaped := url.PathEscape(token)
	return strings.ReplaceAll(strings.TrimSuffix(base, "/")+path, tokenMark, escaped)
}

// Key is the source key.
const Key = "employer_boards"

// Connector is the source of the boards of one register.
type Connector struct {
	boards  []Board
	vendors map[string]vendor
}

// New makes the source. The error names everything that is wrong with the
// configuration: unknown vendors, boards without employer, boards given twice.
func New(c Config) (*Connector, error) {
	known := kinds()
	if err := c.check(known); err != nil {
		return nil, fmt.Errorf("%s: %w", Key, err)
	}
	s := &Connector{boards: append([]Board(nil), c.Boards...), vendors: map[string]vendor{}}
	for _, k := range known {
		s.vendors[k.key] = k.make(k.key, cmp.Or(c.Vendors[k.key].BaseURL, k.base))
	}
	return s, nil
}

// Info describes the source. The boards carry no open licence: what is counted
// may be passed on, what is written may not.
func (s *Connector) Info() sources.Info {
	return sources.Info{
		Key:       Key,
		Publisher: "Employers, on their own applicant-tracking boards",
		Title:     "Vacancies on employers' own applicant-tracking boards",
		Kind:      sources.KindEmployerBoards,
		Licence:   "Employers' own public postings; counts and recognised skills only, advert text is not republished",
		Link:      "https://developers.greenhouse.io/job-board.html",
		Statement: sources.StatementOwn,
		Cadence:   sources.Daily,
		Terms:     sources.Terms{Fetch: true, Count: true},
		Listing:   true,
		Adverts:   true,
	}
}
