// Package employerboards reads employers' own applicant-tracking boards.
//
// Each employer has its own board at a vendor of such systems, and the vendors offer the boards
// through public APIs. "Adverts are counted only from roles posted on the platform itself, from
// employers' own applicant-tracking boards, and from a national apprenticeship vacancy service":
// only the boards in an explicit register are fetched.
//
// The text of an advert is the employer's. It is used to recognise skills and is not published;
// names, email addresses and telephone numbers of recruiters are dropped.
package employerboards

import (
	"cmp"
	_ "embed" // for vendors.yaml
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
)

//go:embed vendors.yaml
var vendorsYAML []byte

// vendor is one applicant-tracking system, as described in vendors.yaml.
type vendor struct {
	Key, Base, List, Rows, Total, Next, Detail, Page                string
	Paged, XML                                                      bool
	ID, Title, Requisition, Department, Link, Apply, Posted, Closes string
}

// vendors are the known vendors, in order.
var vendors = sync.OnceValue(func() (list []vendor) {
	if err := yaml.UnmarshalWithOptions(vendorsYAML, &list, yaml.DisallowUnknownField(),
		yaml.AllowDuplicateMapKey()); err != nil {
		panic(err) // vendors.yaml is embedded, so this is a programming error
	}
	return list
})

func find(key string) (vendor, bool) {
	i := slices.IndexFunc(vendors(), func(v vendor) bool { return v.Key == key })
	if i < 0 {
		return vendor{}, false
	}
	return vendors()[i], true
}

// tokenMark is replaced by a board's token in an address.
const tokenMark = "{token}"

// hosted reports whether each employer has its own host.
func (v vendor) hosted() bool { return strings.Contains(v.Base, tokenMark) }

// address returns an address with the token, and the id of an advert, filled in.
func address(pattern, token, id string) string {
	return strings.NewReplacer(tokenMark, url.PathEscape(token), "{id}", url.PathEscape(id)).Replace(pattern)
}

// pageSize is the number of rows in a page, for addresses that set it.
const pageSize = 100

// request returns the name and address of page n of a board's list, counted from 0. The address
// uses the number of rows received so far, since a vendor may return fewer than requested.
func (v vendor) request(token string, n, rows int) sources.Request {
	name, accept := v.Key+"/"+token, sources.AcceptJSON
	if v.Paged {
		name += "/" + strconv.Itoa(n)
	}
	if v.XML {
		accept = sources.AcceptXML
	}
	path := strings.ReplaceAll(v.List, "{skip}", strconv.Itoa(rows))
	return sources.Request{Name: name, URL: address(v.Base+path, token, ""), Accept: accept}
}

// listing is one page with what it states about the whole list.
type listing struct {
	rows  []jsonrows.Raw
	total int    // number of rows in the whole list as the publisher states it; -1 if not stated
	more  bool   // another page should follow
	query string // query of the next page's address, if the publisher gives it
}

// list parses a body. Its errors have a sources.FaultCode.
func (v vendor) list(body []byte) (l listing, err error) {
	l.total = -1
	if v.XML {
		l.rows, err = positions(body)
		return l, err
	}
	rows, rest, err := jsonrows.List(body, v.Rows)
	l.rows = rows
	if n, err := rest.Number(v.Total).Int64(); err == nil {
		l.total = int(n)
	}
	switch {
	case v.Next != "":
		// Only the query is used: the next page of a feed is always fetched from the address of the
		// first.
		if u, err := url.Parse(rest.Text(v.Next)); err == nil {
			l.query, l.more = u.Query().Encode(), u.RawQuery != ""
		}
	case v.Total == "":
		l.more = v.Paged && len(rows) >= pageSize
	}
	return l, err
}

// read reads a whole object, which verifies it, and parses it with list. The fetcher limits its
// size.
func (v vendor) read(from sources.Opener, o sources.Object) (listing, error) {
	body, err := sources.ReadWhole(from, o)
	if err != nil {
		return listing{}, err
	}
	return v.list(body)
}

// ids returns the identifiers of the rows of a list: the vendor's id, or the whole row if it has
// none.
func (v vendor) ids(rows []jsonrows.Raw) []string {
	var all []string
	for _, row := range rows {
		all = append(all, cmp.Or(strings.TrimSpace(jsonrows.Read(row).Scalar(v.ID)), string(row)))
	}
	return all
}

// advert reads one row. The ID is the vendor's; the caller sets Source, Origin, Employer, Kind and
// the prefix of the ID, and tidies the fields. An unusable row is an error with a
// sources.FaultCode.
func (v vendor) advert(token string, row []byte) (a sources.Advert, err error) {
	r := jsonrows.Read(row)
	a = sources.Advert{ID: strings.TrimSpace(r.Scalar(v.ID)), Title: first(r.Text, v.Title),
		Requisition: r.Scalar(v.Requisition), Department: first(r.Text, v.Department),
		Link: r.Text(v.Link), ApplyURL: first(r.Text, v.Apply)}
	if v.Page != "" {
		a.Link = address(v.Page, token, a.ID)
		a.ApplyURL = a.Link
	}
	further[strings.Split(v.Key, "_")[0]](r, &a)
	posted, closes := first(r.Scalar, v.Posted), r.Scalar(v.Closes)
	if err = r.Err(); err == nil {
		a.Posted, err = adverts.Day(v.Posted, posted)
	}
	if err == nil {
		a.Closes, err = adverts.Day(v.Closes, closes)
	}
	return a, err
}

// first returns the first of the fields that has a value; | separates the names of the fields.
func first(read func(string) string, paths string) (text string) {
	for path := range strings.SplitSeq(paths, "|") {
		text = cmp.Or(text, read(path))
	}
	return text
}

// Key is the source key.
const Key = "employer_boards"

// Connector is the source of the boards of one register.
type Connector struct {
	boards  []Board
	vendors map[string]vendor
}

// New returns the source. The error lists every fault of the configuration: unknown vendors, boards
// without employer, duplicate boards.
func New(c Config) (*Connector, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", Key, err)
	}
	s := &Connector{boards: slices.Clone(c.Boards), vendors: map[string]vendor{}}
	for _, v := range vendors() {
		v.Base = strings.TrimSuffix(cmp.Or(c.Vendors[v.Key].BaseURL, v.Base), "/")
		s.vendors[v.Key] = v
	}
	return s, nil
}

// Info describes the source. The boards have no open licence: counts may be published, but texts
// may not.
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
