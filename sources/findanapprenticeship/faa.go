// Package findanapprenticeship reads vacancies from the national apprenticeship vacancy service of
// England, through the Department for Education's Display Advert API.
//
// The service also offers adverts of other boards. They are not requested. An advert that may be
// imported gets the origin OriginJobBoard, so it is not counted. The specification says: "Listings from
// job boards and aggregators, and listings imported from them, are excluded".
package findanapprenticeship

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"labour/sources"
	"labour/sources/jsonrows"
	"labour/sources/paging"
	"labour/sources/parallel"
	"labour/sources/sheets"
)

// Key is the `source_key` of adverts from the national apprenticeship vacancy service.
const Key = "find_an_apprenticeship"

const (
	// DefaultBaseURL is the address of the service if Config.BaseURL is empty.
	DefaultBaseURL = "https://api.apprenticeships.education.gov.uk/vacancies"
	// DefaultKeyEnv names the environment variable or file with the service's subscription key if
	// Config.KeyEnv is empty.
	DefaultKeyEnv = "FAA_API_KEY"
)

// Config is the block `find_an_apprenticeship` of the configuration file.
type Config struct {
	// BaseURL is the address of the service; empty = DefaultBaseURL.
	BaseURL string `yaml:"base_url"`
	// KeyEnv names the environment variable or file that holds the subscription key; empty =
	// DefaultKeyEnv. Keys are free and issued at once at
	// developer.apprenticeships.education.gov.uk.
	KeyEnv string `yaml:"key_env"`
}

// VacancySource reads the vacancies of the national apprenticeship vacancy service. It implements
// sources.Source.
type VacancySource struct{ base, keyEnv string }

// New returns a source for the national apprenticeship vacancy service. An invalid BaseURL is an
// error.
func New(c Config) (*VacancySource, error) {
	base, err := sources.BaseURL(c.BaseURL, DefaultBaseURL)
	if err != nil {
		return nil, fmt.Errorf("configure %s: %w", Key, err)
	}
	return &VacancySource{base: base, keyEnv: cmp.Or(c.KeyEnv, DefaultKeyEnv)}, nil
}

// Info describes the source: its key, publisher, licence and terms.
func (s *VacancySource) Info() sources.Info {
	return sources.Info{
		Key:           Key,
		Publisher:     "Department for Education",
		Title:         "Find an apprenticeship: live apprenticeship vacancies in England",
		Kind:          sources.KindApprenticeships,
		Licence:       "Open Government Licence v3.0",
		Link:          "https://www.findapprenticeship.service.gov.uk/",
		Statement:     sources.StatementOGL,
		Cadence:       sources.Daily,
		Terms:         sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
		ListsLiveOnly: true,
		HasAdverts:    true,
	}
}

// pageSize is the maximum number of vacancies per page that the service allows.
const pageSize = 100

// maxPages is the maximum number of pages in one fetch. This is 100,000 vacancies; the service
// lists about 4,000.
const maxPages = 1000

// Fetch downloads all pages of the list of vacancies, with full details. If a page is missing, or too
// many vacancies cannot be read, it returns an error, and the last good list stays in use.
//
// A fetch takes about 40 requests. The service allows 150 in 5 minutes.
func (s *VacancySource) Fetch(ctx context.Context, f sources.Fetcher) error {
	key, ok := f.Secret(s.keyEnv)
	if !ok || key == "" {
		return fmt.Errorf(
			"%s: the secret %s is not set; get a subscription key at developer.apprenticeships.education.gov.uk and put it "+
				"there", Key, s.keyEnv)
	}
	p := &pager{service: s, from: f, key: key}
	err := paging.List{NamePrefix: listName, MaxPages: maxPages, FetchPage: p.page}.Fetch(ctx, f)
	if err == nil {
		err = sheets.CheckUnreadableShare(p.faults, p.rows)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", Key, err)
	}
	return nil
}

// listName is the prefix of the names of archived pages.
const listName = "vacancy"

func name(n int) string { return fmt.Sprintf("%s/%04d", listName, n) }

// pager downloads the pages of the list of vacancies.
type pager struct {
	service *VacancySource
	from    sources.Fetcher
	key     string          // subscription key of the service
	rows    int             // number of vacancies on the pages downloaded so far
	faults  []sources.Fault // one for each of these vacancies that cannot be read
}

// page downloads page n of the list of vacancies. The first page is 0.
func (p *pager) page(ctx context.Context, n, _ int) (paging.Page, error) {
	o, err := p.from.Get(ctx, sources.Request{
		Name: name(n + 1),
		URL: fmt.Sprintf("%s/vacancy?PageNumber=%d&PageSize=%d&Sort=AgeDesc&IncludeDetails=true", p.service.base, n+1,
			pageSize),
		Header: map[string]string{"Ocp-Apim-Subscription-Key": p.key, "X-Version": "2"},
		Accept: sources.AcceptJSON,
	})
	if err != nil && n == 0 {
		return paging.Page{}, fmt.Errorf(
			"first page: %w (404 with an empty body: the service refused the header \"X-Version: 2\"; 401: the key in %s)",
			err, p.service.keyEnv)
	}
	var l listing
	if err == nil {
		l, err = read(p.from, o)
	}
	if err != nil {
		return paging.Page{}, fmt.Errorf("page %d: %w", n+1, err)
	}
	if n == 0 && len(l.rows) == 0 {
		return paging.Page{}, sources.CodedErrorf(sources.FaultSuddenlyEmpty,
			"the service lists no vacancy, which it never does; nothing was taken")
	}
	p.count(n, l)
	fullWithoutTotal := l.total == paging.TotalUnknown && len(l.rows) >= pageSize
	return paging.Page{RowIDs: ids(l.rows), AnnouncedRows: l.total, HasMore: n+1 < l.pages || fullWithoutTotal}, nil
}

// count counts the vacancies on page n, and those that cannot be read. It begins again with the first
// page, because a list that changed during the download is downloaded once more.
func (p *pager) count(n int, l listing) {
	if n == 0 {
		p.rows = 0
		p.faults = nil
	}
	p.rows += len(l.rows)
	for i, row := range l.rows {
		if _, err := advert(row); err != nil {
			p.faults = append(p.faults, sources.Fault{Detail: fmt.Sprintf("row %d of page %d: %v", i+1, n+1, err)})
		}
	}
}

// ids returns the vacancy reference of each row. For a row without one, it returns the row's JSON.
func ids(rows []jsonrows.RawRow) []string {
	var all []string
	for _, row := range rows {
		all = append(all, cmp.Or(reference(jsonrows.ParseRow(row).Scalar("vacancyReference")), string(row)))
	}
	return all
}

// listing is one page of the list of vacancies.
type listing struct {
	rows  []jsonrows.RawRow
	pages int // number of pages of the whole list
	total int // number of vacancies in the whole list; -1 = not stated
}

// read reads and parses an archived page. It verifies the page's SHA-256.
func read(from sources.Opener, o sources.ArchivedObject) (listing, error) {
	body, err := sources.ReadWhole(from, o)
	if err != nil {
		return listing{total: -1}, err
	}
	return list(body)
}

// list parses a page of the list of vacancies. It prefers totalFiltered to total, because total
// also counts adverts from other boards.
func list(body []byte) (listing, error) {
	rows, rest, err := jsonrows.ParseList(body, "vacancies")
	l := listing{rows: rows, total: -1}
	for _, field := range []string{"total", "totalFiltered"} {
		if n, err := rest.Number(field).Int64(); err == nil && n >= 0 {
			l.total = int(n)
		}
	}
	pages, _ := rest.Number("totalPages").Int64()
	l.pages = int(pages)
	return l, err
}

// Read emits the vacancies of an extract (one fetch of the source) as adverts. If two pages list
// the same vacancy, it is emitted once. Missing vacancies are reported as a fault.
func (s *VacancySource) Read(ctx context.Context, x sources.Extract, open sources.Opener,
	out sources.RecordSink) error {
	r := reader{out: out, references: map[string]bool{}, total: -1}
	for p := range parallel.Map(ctx, 0, 0, slices.Values(x.Objects),
		func(o sources.ArchivedObject) page { return readPage(open, o) }) {
		if err := r.page(&p); err != nil {
			return fmt.Errorf("read %s: %s: %w", Key, p.object.Name, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read %s: %w", Key, err)
	}
	if n := len(r.references) + r.unread; n < r.total {
		r.out.Fault(sources.Fault{Source: Key, Object: r.last, Code: sources.FaultIncomplete,
			Detail: fmt.Sprintf(
				"the service announces %d vacancies and its pages hold %d; the next fetch brings the rest", r.total,
				n)})
	}
	return nil
}

type page struct {
	object  sources.ArchivedObject
	adverts []sources.Advert
	errs    []error // error for each row, nil if the row could be read
	total   int     // number of vacancies that the service announces; -1 = not stated
	err     error   // reason why the whole page could not be read; nil if it could
}

// readPage reads one archived page of vacancies. It is safe for concurrent use.
func readPage(open sources.Opener, o sources.ArchivedObject) page {
	l, err := read(open, o)
	p := page{object: o, total: l.total, err: err}
	for _, row := range l.rows {
		a, err := advert(row)
		p.adverts, p.errs = append(p.adverts, a), append(p.errs, err)
	}
	return p
}

type reader struct {
	out        sources.RecordSink
	references map[string]bool // vacancy references that were already read
	unread     int             // number of faulty rows without a vacancy reference
	total      int             // number of vacancies that the last page announces; -1 = not stated
	last       string          // name of the archived page that announces the total
}

// page emits the vacancies of one page. It skips vacancies that were already emitted from an
// earlier page. It returns an error only if emitting fails.
func (r *reader) page(p *page) error {
	for i, a := range p.adverts {
		if a.ID != "" && r.references[a.ID] {
			continue
		}
		if a.ID != "" {
			r.references[a.ID] = true
		} else {
			r.unread++
		}
		if err := p.errs[i]; err != nil {
			r.fault(p.object, "row "+strconv.Itoa(i+1), err)
		} else if err := r.out.Emit(a); err != nil {
			return err
		}
	}
	switch {
	case p.err != nil:
		r.fault(p.object, "", p.err)
	case p.total >= 0 && !p.object.Carried:
		r.total, r.last = p.total, p.object.Name
	}
	return nil
}

func (r *reader) fault(o sources.ArchivedObject, where string, err error) {
	r.out.Fault(sources.Fault{Source: Key, Object: o.Name, Where: where, Code: sources.FaultCodeOf(err),
		Detail: err.Error()})
}
