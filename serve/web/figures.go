package web

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"labour/serve/api"
	"labour/serve/web/words"
	"labour/snapshots/figure"
)

// notPublished is the text that pages show for a figure that is null. An empty cell could be read
// as zero.
const notPublished = "not published"

// shownFigure holds a figure as a page shows it. text is the text on the page, and token is the
// figure as the API writes it. class is a CSS class for a figure that is not a number; empty for a
// number.
type shownFigure struct{ text, token, class string }

// shownAs returns a figure as a page shows it. field is the name of the figure in the API, such as
// people_turned_down.
func shownAs(field string, value any) shownFigure {
	switch v := value.(type) {
	case api.Share:
		token := string(figure.AppendTenths(nil, v.Tenths))
		return shownFigure{shareInWords(v.Tenths), token, ""}
	case api.Percent:
		if v.Tenths != nil {
			return percent(field, *v.Tenths)
		}
	case api.Score: // with as many decimals as its shares
		if n := v.TenThousandths; n != nil {
			text := string(figure.AppendTenths(nil, scoreTenths(*n)))
			return shownFigure{text, string(figure.AppendScore(nil, *n)), ""}
		}
	case *int64:
		if v != nil {
			return shownFigure{words.FormatNumber(*v), strconv.FormatInt(*v, 10), ""}
		}
	case api.Count: // "<5" is never a number
		if n, ok := v.Number(); ok {
			return shownFigure{words.FormatNumber(n), strconv.FormatInt(n, 10), ""}
		} else if v.Status() == figure.StatusUnderFive {
			return shownFigure{figure.UnderFiveText, figure.UnderFiveText, "small"}
		}
	}
	return shownFigure{notPublished, "null", "none"}
}

// percent returns a percentage as a page shows it. A change has one decimal and a sign. A share of
// residents is in whole per cent, because the counts behind it are rounded.
func percent(field string, p figure.Tenths) shownFigure {
	token := string(figure.AppendTenths(nil, p))
	if field == "people_below_share_pct" {
		return shownFigure{shareInWords(p), token, ""}
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
	return shownFigure{strings.Replace(text, "-", "−", 1), token, ""}
}

// shareInWords returns a share as pages show it: in whole per cent, rounded half up, such as "12%".
// A share above 0 that would be rounded to 0 is "<1%". A share below 100 that would be rounded to
// 100 is ">99%".
func shareInWords(t figure.Tenths) string {
	switch {
	case t > 0 && t < 5:
		return "<1%"
	case t >= 995 && t < 1000:
		return ">99%"
	}
	return strconv.FormatInt(wholePoints(t), 10) + "%"
}

// scoreTenths rounds a score, in ten-thousandths, to the one decimal that pages show, half away from
// zero. A score is never negative.
func scoreTenths(n int64) figure.Tenths { return figure.Tenths((n + 500) / 1000) }

// wholePoints rounds tenths of a per cent to whole per cent, half away from zero.
func wholePoints(t figure.Tenths) int64 {
	if t < 0 {
		return -wholePoints(-t)
	}
	return int64(t+5) / 10
}

// cell returns an HTML table cell with a figure. field is the figure's name in the API. label is
// printed in front of the figure where a narrow screen shows the table as cards.
func cell(field, label string, s shownFigure) template.HTML {
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

// figureHTML returns a figure as HTML for a sentence. The element has the figure's API name and
// value, like a table cell.
func figureHTML(field string, s shownFigure) template.HTML {
	class, token := "", template.HTMLEscapeString(s.token)
	if s.class != "" {
		class = ` class="` + s.class + `"`
	}
	return template.HTML(fmt.Sprintf(`<data value="%s" data-f="%s"%s>%s</data>`, token,
		template.HTMLEscapeString(field), class, template.HTMLEscapeString(s.text)))
}
