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

// detailMark is part of the name of an archived object with the details of one advert. An example
// is "smartrecruiters/acme/posting/123".
const detailMark = "posting/"

// maxFailures is the number of consecutive failed requests after which no more details of a board's
// adverts are requested.
const maxFailures = 3

// fetchDetails downloads the details of each advert of a board if the vendor's lists lack the
// adverts' texts. rows are the adverts in the board's list. If the details of an advert cannot be
// fetched, it calls f.MarkFailed, and the details of an earlier fetch are used.
func (v vendor) fetchDetails(ctx context.Context, f sources.Fetcher, b Board, rows []jsonrows.RawRow) {
	failures := 0
	var last error
	asked := map[string]bool{}
	for _, row := range rows {
		id := jsonrows.ParseRow(row).Scalar(v.ID)
		fitsPath := id != "" && !strings.ContainsAny(id, "/\\?#%. ")
		if v.Detail == "" || !fitsPath || asked[id] {
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
		f.MarkFailed(name, sources.PartError(b.name(), last))
	}
}

// detail adds the text and links in an archived object to the object's advert. It ignores adverts
// that are no longer in the list.
func (b *boardReader) detail(o sources.ArchivedObject) {
	if b.vendor.Detail == "" {
		b.report(o, sources.FaultWrongFormat, "the vendor has no such objects")
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
	a := b.adverts[k]
	a.Text = more.Text
	a.Link = cmp.Or(more.Link, a.Link)
	a.ApplyURL = cmp.Or(more.ApplyURL, a.ApplyURL)
	if err := adverts.CleanAdvert(&a); err != nil {
		b.fault(o, "", err)
		return
	}
	b.adverts[k] = a
}

// posting parses the details of one advert from the vendor SmartRecruiters. In the advert's text,
// the section about the employer comes last.
func posting(body []byte) (a sources.Advert, err error) {
	if err := sources.AcceptJSON("", body[:min(len(body), 1024)]); err != nil {
		return a, err
	}
	if body, err = plaintext.ToUTF8(body); err != nil {
		return a, err
	}
	r := jsonrows.ParseRow(body)
	a = sources.Advert{ID: r.Scalar("id"), Link: r.Text("postingUrl"), ApplyURL: r.Text("applyUrl")}
	var parts []string
	for _, name := range []string{"jobDescription", "qualifications", "additionalInformation", "companyDescription"} {
		section := "jobAd.sections." + name
		if title, text := r.Text(section+".title"), plaintext.FromHTML(r.Text(section+".text")); text != "" {
			parts = append(parts, plaintext.CollapseToOneLine(title), text)
		}
	}
	a.Text = plaintext.JoinLines(parts...)
	if err := r.Err(); err != nil {
		return a, err
	}
	if a.ID == "" {
		return a, sources.CodedErrorf(sources.FaultWrongFormat, "the object is no posting: it has no id")
	}
	return a, nil
}
