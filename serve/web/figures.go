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

// notPublished is the text that pages show for a figure that is null. An empty cell could be
// mistaken for zero.
const notPublished = "not published"

// shownFigure is a figure as a page shows it. text is printed on the page, and token is the figure
// as the API writes it. class is a CSS class for a figure that is not a number, and empty for a
// number.
type shownFigure struct{ text, token, class string }

// shownAs returns a figure as a page shows it. field is the API's name of the figure, such as
// people_turned_down. value is an api.Share, api.Percent, api.Score, api.Count or *int64.
func shownAs(field string, value any) shownFigure {
	switch v := value.(type) {
	case api.Share:
		token := string(figure.AppendTenths(nil, v.Tenths))
		return shownFigure{shareInWords(v.Tenths), token, ""}
	case api.Percent:
		if v.Tenths != nil {
			return percent(field, *v.Tenths)
		}
	case api.Score: // with one decimal
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

// percent returns a percentage as a page shows it. field is the API's name of the figure. A change
// has a sign and one decimal. A share of residents is in whole per cent, because it is computed
// from rounded counts.
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

// shareInWords returns a share as pages show it, in whole per cent, such as "12%". A share above 0
// never becomes "0%" but "<1%". A share below 100 never becomes "100%" but ">99%".
func shareInWords(t figure.Tenths) string {
	switch {
	case t > 0 && t < 5:
		return "<1%"
	case t >= 995 && t < 1000:
		return ">99%"
	}
	return strconv.FormatInt(wholePoints(t), 10) + "%"
}

// scoreTenths rounds a score to the one decimal that pages show. n is the score in ten-thousandths
// and is never negative.
func scoreTenths(n int64) figure.Tenths { return figure.Tenths((n + 500) / 1000) }

// wholePoints rounds tenths of a per cent to whole per cent, half away from zero.
func wholePoints(t figure.Tenths) int64 {
	if t < 0 {
		return -wholePoints(-t)
	}
	return int64(t+5) / 10
}

// cell returns an HTML table cell with a figure. field is the API's name of the figure. On a narrow
// screen, each row of the table is a card, and label is printed before the figure.
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

// figureHTML returns a figure as HTML for a sentence. The HTML element states the API's name and
// value of the figure.
func figureHTML(field string, s shownFigure) template.HTML {
	class, token := "", template.HTMLEscapeString(s.token)
	if s.class != "" {
		class = ` class="` + s.class + `"`
	}
	return template.HTML(fmt.Sprintf(`<data value="%s" data-f="%s"%s>%s</data>`, token,
		template.HTMLEscapeString(field), class, template.HTMLEscapeString(s.text)))
}
