package employerboards

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"

	"labour/sources"
	"labour/sources/plaintext"
)

// personio reads the XML feed of a Personio career site: one list without pages,
// <workzag-jobs><position>, on a host of the employer's own. Sites are under .de
// or .com; both have the same form.
type personio struct {
	key, base string
	site      string // public address of a career site, for links
}

type personioPosition struct {
	ID         string   `xml:"id"`
	Office     string   `xml:"office"`
	Additional []string `xml:"additionalOffices>office"`
	Department string   `xml:"department"`
	Title      string   `xml:"name"`
	Parts      []struct {
		Heading string `xml:"name"`
		Value   string `xml:"value"` // HTML
	} `xml:"jobDescriptions>jobDescription"`
	CreatedAt string `xml:"createdAt"`
}

func personioSite(site string) func(key, base string) vendor {
	return func(key, base string) vendor { return personio{key, base, site} }
}

func (p personio) request(token string, _ int) sources.Request {
	return sources.Request{
		Name: p.key + "/" + token, URL: address(p.base, "/xml?language=en", token), Accept: sources.AcceptXML,
	}
}

// walk cuts the feed into its positions.
func (personio) walk(body []byte, each func(int, []byte) error) (listing, error) {
	l := listing{total: -1}
	if err := sources.AcceptXML("", body[:min(len(body), 1024)]); err != nil {
		return l, err
	}
	if err := sources.BoundXML(body); err != nil {
		return l, err
	}
	d := tolerant(body)
	root := false
	for {
		from := d.InputOffset()
		t, err := d.Token()
		if err == io.EOF && root {
			return l, nil
		}
		if err != nil {
			return l, notXML()
		}
		start, ok := t.(xml.StartElement)
		switch {
		case !ok:
		case !root && start.Name.Local != "workzag-jobs":
			return l, sources.Coded(sources.FaultNotExpected, errors.New("the XML is not a list of positions"))
		case !root:
			root = true
		default:
			if err := d.Skip(); err != nil {
				return l, notXML()
			}
			if start.Name.Local != "position" {
				continue
			}
			l.rows++
			if err := each(l.rows-1, body[from:d.InputOffset()]); err != nil {
				return l, err
			}
		}
	}
}

// advert reads one position. Personio states no day of publication; createdAt is
// the nearest. A position may appear twice with the same id.
func (p personio) advert(token string, row []byte) (sources.Advert, error) {
	var v personioPosition
	if err := tolerant(row).Decode(&v); err != nil {
		return sources.Advert{}, sources.Coded(sources.FaultSchema, errors.New("the position has another form than the publisher documents"))
	}
	id := plaintext.Line(v.ID)
	link := address(p.site, "/job/", token) + url.PathEscape(id)
	a := sources.Advert{ID: id, Listed: true, Title: v.Title, ApplyURL: link, Link: link, Department: v.Department}
	for _, office := range append([]string{v.Office}, v.Additional...) {
		a.Locations = append(a.Locations, sources.Location{Text: office, Remote: saysRemote(office)})
	}
	var parts []string
	for _, part := range v.Parts {
		parts = append(parts, plaintext.Line(part.Heading), plaintext.HTML(part.Value))
	}
	a.Text = plaintext.Join(parts...)
	return dated(a, "createdAt", plaintext.Line(v.CreatedAt), "", "")
}

// tolerant reads XML in which HTML's entities may stand.
func tolerant(b []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(b))
	d.Entity = xml.HTMLEntity
	return d
}

// notXML does not repeat the decoder's words, which may quote the body.
func notXML() error {
	return sources.Coded(sources.FaultNotExpected, fmt.Errorf("the XML breaks off or is malformed"))
}
