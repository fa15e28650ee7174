package employerboards

import (
	"cmp"
	"context"
	"strings"

	"labour/sources"
	"labour/sources/adverts"
	"labour/sources/jsonrows"
	"labour/sources/plaintext"
)

// detailMark begins the rest of an object's name, after the board, if the object is a single
// advert.
const detailMark = "posting/"

// maxFailures is how many details of one board may fail in a row. After that no more are fetched.
const maxFailures = 3

// fetchDetails fetches each advert of a list once, if the list lacks the adverts' texts. An advert
// without its details still counts, so a failure is reported and does not fail the board.
func (v vendor) fetchDetails(ctx context.Context, f sources.Fetcher, b Board, rows []jsonrows.Raw) {
	failures := 0
	var last error
	asked := map[string]bool{}
	for _, row := range rows {
		id := jsonrows.Read(row).Scalar(v.ID)
		if v.Detail == "" || id == "" || asked[id] || strings.ContainsAny(id, "/\\?#%. ") {
			continue // Read reports this row
		}
		asked[id] = true
		name := b.name() + "/" + detailMark + id
		if failures < maxFailures {
			if _, last = f.Get(ctx, sources.Request{Name: name, URL: address(v.Base+v.Detail, b.Token, id),
				Accept: sources.AcceptJSON}); last == nil {
				failures = 0
				continue
			}
			failures++
		}
		f.Failed(name, sources.PartError(b.name(), last))
	}
}

// detail adds to an advert the fields that only its own object has. It skips an object whose advert
// is no longer listed: the object was carried over from an earlier extract.
func (b *boardReader) detail(o sources.Object) {
	if b.vendor.Detail == "" {
		b.report(o, sources.FaultNotExpected, "the vendor has no such objects")
		return
	}
	body, err := sources.ReadWhole(b.open, o)
	var more sources.Advert
	if err == nil {
		more, err = posting(body)
	}
	if err != nil {
		b.fault(o, "", err)
		return
	}
	k, ok := b.at[b.board.name()+"/"+more.ID]
	if !ok {
		return
	}
	a := b.found[k]
	a.Text, a.Link, a.ApplyURL = more.Text, cmp.Or(more.Link, a.Link), cmp.Or(more.ApplyURL, a.ApplyURL)
	if err := adverts.Clean(&a); err != nil {
		b.fault(o, "", err)
		return
	}
	b.found[k] = a
}

// posting reads one SmartRecruiters posting. Its requirements come before its text about the
// employer.
func posting(body []byte) (a sources.Advert, err error) {
	if err := sources.AcceptJSON("", body[:min(len(body), 1024)]); err != nil {
		return a, err
	}
	if body, err = plaintext.UTF8(body); err != nil {
		return a, err
	}
	r := jsonrows.Read(body)
	a = sources.Advert{ID: r.Scalar("id"), Link: r.Text("postingUrl"), ApplyURL: r.Text("applyUrl")}
	var parts []string
	for _, name := range []string{"jobDescription", "qualifications", "additionalInformation", "companyDescription"} {
		section := "jobAd.sections." + name
		if title, text := r.Text(section+".title"), plaintext.HTML(r.Text(section+".text")); text != "" {
			parts = append(parts, plaintext.Line(title), text)
		}
	}
	a.Text = plaintext.Join(parts...)
	if err := r.Err(); err != nil {
		return a, err
	}
	if a.ID == "" {
		return a, sources.Codedf(sources.FaultNotExpected, "the object is no posting: it has no id")
	}
	return a, nil
}
