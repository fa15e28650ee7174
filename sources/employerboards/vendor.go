// Package employerboards reads job adverts from employers' own applicant-tracking boards.
//
// Each board belongs to one employer and runs at a vendor, such as Greenhouse, that offers a public
// API. Only the boards listed in the configuration are fetched. The specification says: "Adverts
// are counted only from roles posted on the platform itself, from employers' own applicant-tracking
// boards, and from a national apprenticeship vacancy service".
//
// The text of an advert is used to recognise skills and is not published. Names, email addresses
// and telephone numbers of recruiters are dropped.
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

// vendorsYAML describes the API of each vendor of applicant-tracking systems.
//
//go:embed vendors.yaml
var vendorsYAML []byte

// vendor describes the API of one vendor of applicant-tracking systems. The descriptions are in
// vendors.yaml.
type vendor struct {
	Key  string
	Base string // public address, with {token} if each employer has a host of its own

	// The list of a board: the path, and the names of its parts in a body.
	List   string
	Rows   string // the list; empty = the whole body
	Total  string // number of rows of the whole list
	Next   string // address of the next page
	Paged  bool   // whether the list comes in pages
	XML    bool   // whether the list is XML
	Detail string // path of one advert, where the list lacks the text
	Page   string // address of an advert's page, where the list lacks it

	// Where the fields of an advert are in a row of the list.
	ID          string
	Title       string
	Requisition string
	Department  string
	Link        string
	Apply       string
	Posted      string
	Closes      string
}

// vendors returns the vendors of applicant-tracking systems, in the order of vendors.yaml.
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

// tokenMark is the placeholder in a URL for a board's token, which is the board's name at the
// vendor.
const tokenMark = "{token}"

// hasOwnHosts reports whether each board of the vendor has its own host name.
func (v vendor) hasOwnHosts() bool { return strings.Contains(v.Base, tokenMark) }

// address returns the URL pattern with its placeholders {token} and {id} replaced by the values of
// token and id.
func address(pattern, token, id string) string {
	return strings.NewReplacer(tokenMark, url.PathEscape(token), "{id}", url.PathEscape(id)).Replace(pattern)
}

// pageSize is the number of rows to request per page of a board's list.
const pageSize = 100

// request returns the request for page n of a board's list. The first page is 0. token is the name
// of the board at the vendor.
//
// rows is the number of rows on the earlier pages. It is the offset of page n, because a vendor may
// return fewer rows than requested.
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

// listing is one page of a board's list.
type listing struct {
	rows  []jsonrows.RawRow
	total int    // number of rows in the whole list as the vendor states it; -1 = not stated
	more  bool   // whether a further page of the list should follow
	query string // query part of the next page's URL, if the vendor gives it
}

// list parses one page of a board's list. An error has a sources.FaultCode.
func (v vendor) list(body []byte) (l listing, err error) {
	l.total = -1
	if v.XML {
		l.rows, err = positions(body)
		return l, err
	}
	rows, rest, err := jsonrows.ParseList(body, v.Rows)
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
	case l.total < 0: // the vendor states none, or no longer does
		l.more = v.Paged && len(rows) >= pageSize
	}
	return l, err
}

// read reads and parses an archived page of a board's list. It verifies the page's SHA-256.
func (v vendor) read(from sources.Opener, o sources.ArchivedObject) (listing, error) {
	body, err := sources.ReadWhole(from, o)
	if err != nil {
		return listing{}, err
	}
	return v.list(body)
}

// ids returns an identifier for each row of a board's list. This is the vendor's id, or the row's
// JSON if the row has no id.
func (v vendor) ids(rows []jsonrows.RawRow) []string {
	var all []string
	for _, row := range rows {
		all = append(all, cmp.Or(strings.TrimSpace(jsonrows.ParseRow(row).Scalar(v.ID)), string(row)))
	}
	return all
}

// advert converts one row of a board's list to an advert. token is the name of the board at the
// vendor. The caller must set Source, Origin, Employer and Kind, and clean the texts. An error has
// a sources.FaultCode.
func (v vendor) advert(token string, row []byte) (a sources.Advert, err error) {
	r := jsonrows.ParseRow(row)
	a = sources.Advert{ID: strings.TrimSpace(r.Scalar(v.ID)), Title: first(r.Text, v.Title),
		Requisition: r.Scalar(v.Requisition), Department: first(r.Text, v.Department),
		Link: r.Text(v.Link), ApplyURL: first(r.Text, v.Apply)}
	if v.Page != "" {
		a.Link = address(v.Page, token, a.ID)
		a.ApplyURL = a.Link
	}
	fieldSetters[strings.Split(v.Key, "_")[0]](r, &a)
	posted, closes := first(r.Scalar, v.Posted), r.Scalar(v.Closes)
	if err = r.Err(); err == nil {
		a.Posted, err = adverts.ParsePublishersDay(v.Posted, posted)
	}
	if err == nil {
		a.Closes, err = adverts.ParsePublishersDay(v.Closes, closes)
	}
	return a, err
}

// first returns the first value of several fields that is not empty, or "". paths lists the names
// of the fields, separated by |. The function read returns the value of a field.
func first(read func(string) string, paths string) (text string) {
	for path := range strings.SplitSeq(paths, "|") {
		text = cmp.Or(text, read(path))
	}
	return text
}

// Key is the `source_key` of adverts from employers' own boards.
const Key = "employer_boards"

// BoardsSource reads the configured employers' boards. It implements sources.Source.
type BoardsSource struct {
	boards  []Board
	vendors map[string]vendor
}

// New returns a source for the configured boards. The error lists all mistakes in the
// configuration, such as unknown vendors.
func New(c Config) (*BoardsSource, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", Key, err)
	}
	s := &BoardsSource{boards: slices.Clone(c.Boards), vendors: map[string]vendor{}}
	for _, v := range vendors() {
		v.Base = strings.TrimRight(cmp.Or(c.Vendors[v.Key].BaseURL, v.Base), "/")
		s.vendors[v.Key] = v
	}
	return s, nil
}

// Info describes the source. Its terms permit publishing counts of adverts, but not the adverts'
// texts.
func (s *BoardsSource) Info() sources.Info {
	return sources.Info{
		Key:           Key,
		Publisher:     "Employers, on their own applicant-tracking boards",
		Title:         "Vacancies on employers' own applicant-tracking boards",
		Kind:          sources.KindEmployerBoards,
		Licence:       "Employers' own public postings; counts and recognised skills only, advert text is not republished",
		Link:          "https://developers.greenhouse.io/job-board.html",
		Statement:     sources.StatementOwnFigures,
		Cadence:       sources.Daily,
		Terms:         sources.Terms{MayFetch: true, MayCount: true},
		ListsLiveOnly: true,
		HasAdverts:    true,
	}
}
