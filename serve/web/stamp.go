package web

import (
	"context"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"labour/serve/api"
	"labour/serve/web/words"
	"labour/snapshots/figure"
)

// pageNotice is the rule about statements in words for people; API responses have
// api.AttributionNotice.
const pageNotice = "Wherever a figure is shown, republished or passed on, show the statement of every source it came from, word for word. Anyone you give the data to takes on the same rule."

// stamp is the provenance of a page's figures, with links to them in other formats.
type stamp struct {
	Sources   []api.Source // sources of all figures of the page, without duplicates, by key
	Calls     []call
	People    bool       // whether the page has figures about people
	Few       string     // warning about shares of few registered residents; empty if it is not needed
	PeopleTo  *time.Time // last day of their year; nil = there are none
	Withdrawn string     // figures about people that the operator withdrew, and why
	Snapshot  api.Snapshot
	Notice    string
	Workbook  string // address of all tables of the page as one workbook
	Cite      string // reference to the page, with the permanent address of these figures
}

// statement is a text that has to be shown, with the publishers that it credits.
type statement struct {
	Text string
	By   []credit
}

// credit is a publisher with the keys of its sources. The page of the sources has their licences.
type credit struct {
	Publisher string
	Keys      []string
}

func (s stamp) Statements() (list []statement) {
	for _, source := range s.Sources {
		i := slices.IndexFunc(list, func(known statement) bool { return known.Text == source.AttributionStatement })
		if i < 0 {
			list = append(list, statement{Text: source.AttributionStatement})
			i = len(list) - 1
		}
		list[i].add(source)
	}
	return list
}

func (s *statement) add(source api.Source) {
	i := slices.IndexFunc(s.By, func(known credit) bool { return known.Publisher == source.Publisher })
	if i < 0 {
		s.By = append(s.By, credit{Publisher: source.Publisher})
		i = len(s.By) - 1
	}
	s.By[i].Keys = append(s.By[i].Keys, source.Key)
}

func (s stamp) Publisher(key string) string {
	i := slices.IndexFunc(s.Sources, func(source api.Source) bool { return source.Key == key })
	if i < 0 {
		return key
	}
	return s.Sources[i].Publisher
}

// call is an API call that returns figures of the page.
type call struct {
	What string // description in words
	URL  string // complete address
	Path string // path of the same figures below /csv/ and /xlsx/
}

// ask runs a query on the snapshot of the page. It records the sources, and the API call at path
// with the same result. After a fault the result is empty.
func ask[Q, R any](v *request, what, path string, question func(api.Snapshot, context.Context, Q) (api.Page[R], error),
	q Q) (p api.Page[R]) {
	if v.err == nil {
		p, v.err = question(v.snapshot, v.ctx, q)
	}
	if v.err != nil {
		return api.Page[R]{}
	}
	took(v, p)
	v.calls(what, path, q)
	return p
}

func took[R any](v *request, p api.Page[R]) {
	v.stamp.Snapshot, v.stamp.Notice = v.snapshot, pageNotice
	if p.People != nil && p.People.To.T != nil {
		v.stamp.PeopleTo = p.People.To.T
	}
	if p.People != nil && p.People.Withdrawn {
		v.stamp.Withdrawn = p.People.Note
	}
	for _, e := range p.Sources {
		if !slices.ContainsFunc(v.stamp.Sources, func(known api.Source) bool { return known.Key == e.Key }) {
			v.stamp.Sources = append(v.stamp.Sources, e)
		}
	}
	slices.SortFunc(v.stamp.Sources, func(a, b api.Source) int { return strings.Compare(a.Key, b.Key) })
}

// notPublished is the text for null: "null never stands for zero", and an empty cell might, so it
// is written in words.
const notPublished = "not published"

// shown is a figure as a page shows it. token is the figure as the API prints it, for comparison;
// class marks figures that are not numbers.
type shown struct{ text, token, class string }

// shownAs returns a figure as a page shows it. field is its name in the API.
func shownAs(field string, value any) shown {
	switch v := value.(type) {
	case api.Share:
		token := string(figure.AppendTenths(nil, v.Tenths))
		return shown{shareInWords(v.Tenths), token, ""}
	case api.Percent:
		if v.Tenths != nil {
			return percent(field, *v.Tenths)
		}
	case api.Score: // with as many decimals as its shares
		if n := v.TenThousandths; n != nil {
			return shown{strconv.FormatFloat(float64(*n)/10_000, 'f', 1, 64), string(figure.AppendScore(nil, *n)), ""}
		}
	case *int64:
		if v != nil {
			return shown{words.Number(*v), strconv.FormatInt(*v, 10), ""}
		}
	case api.Count: // "<5" is never a number
		if n, ok := v.Number(); ok {
			return shown{words.Number(n), strconv.FormatInt(n, 10), ""}
		} else if v.Status() == figure.Small {
			return shown{figure.UnderFive, figure.UnderFive, "small"}
		}
	}
	return shown{notPublished, "null", "none"}
}

// percent returns a share of people, or a change of one, with its sign. Changes have one decimal.
// Shares of registered residents and of applicants have none, since they come from rounded counts.
func percent(field string, p figure.Tenths) shown {
	token := string(figure.AppendTenths(nil, p))
	if field == "people_below_share_pct" {
		return shown{shareInWords(p), token, ""}
	}
	isChange, isPoints := strings.HasSuffix(field, "change_pct"), strings.HasSuffix(field, "_points")
	if !isChange {
		token = strings.TrimSuffix(token, ".0")
	}
	text := token
	if (isChange || isPoints) && p > 0 {
		text = "+" + token
	}
	if !isPoints {
		text += "%"
	}
	return shown{strings.Replace(text, "-", "−", 1), token, ""}
}

// cell returns a cell of a table. field is the name in the API response; label is printed before
// the figure when the table is shown as cards.
func cell(field, label string, s shown) template.HTML {
	if label != "" {
		label = ` data-l="` + template.HTMLEscapeString(label) + `"`
	}
	text := template.HTMLEscapeString(s.text)
	if s.class == "none" { // a dash with a text for screen readers
		text = `<span aria-hidden="true" title="` + notPublished + `">–</span><span class="unseen">` + notPublished +
			`</span>`
	}
	return template.HTML(fmt.Sprintf(`<td role="cell" data-f="%s" data-v="%s"%s class="%s">%s</td>`,
		template.HTMLEscapeString(field), template.HTMLEscapeString(s.token), label, strings.TrimSpace("n "+s.class),
		text))
}

// said returns a figure as part of a sentence, marked like a cell.
func said(field string, s shown) template.HTML {
	class, token := "", template.HTMLEscapeString(s.token)
	if s.class != "" {
		class = ` class="` + s.class + `"`
	}
	return template.HTML(fmt.Sprintf(`<data value="%s" data-f="%s"%s>%s</data>`, token,
		template.HTMLEscapeString(field), class, template.HTMLEscapeString(s.text)))
}
