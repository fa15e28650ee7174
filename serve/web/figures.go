package web

import (
	"html/template"
	"strconv"
	"strings"

	"labour/snapshots/figure"
)

// notPublished is how null is said: "null never stands for zero", and neither does
// an empty cell, so it is said in words.
const notPublished = "not published"

// shown is a figure as a page shows it. token is what the interface prints, for
// whoever compares the two; class marks what is no number.
type shown struct{ text, token, class string }

// percent is a share with its one decimal.
func percent(p *figure.Tenths) shown {
	if p == nil {
		return shown{notPublished, "null", "none"}
	}
	token := string(figure.AppendTenths(nil, *p))
	return shown{token + "%", token, ""}
}

// points is a difference of two shares, with its sign.
func points(p *figure.Tenths) shown {
	if p == nil {
		return shown{notPublished, "null", "none"}
	}
	token := string(figure.AppendTenths(nil, *p))
	text := token
	if *p > 0 {
		text = "+" + token
	}
	return shown{strings.Replace(text, "-", "−", 1), token, ""}
}

// change is a change in per cent, with its sign.
func change(p *figure.Tenths) shown {
	s := points(p)
	if p != nil {
		s.text += "%"
	}
	return s
}

// score is a ranking score with its two decimals.
func score(n *int64) shown {
	if n == nil {
		return shown{notPublished, "null", "none"}
	}
	token := string(figure.AppendHundredths(nil, *n))
	return shown{token, token, ""}
}

// people is a count of people: "<5" is "1 to 4", never a number.
func people(c figure.Count) shown {
	switch n, ok := c.Number(); {
	case ok:
		return shown{grouped(n), strconv.FormatInt(n, 10), ""}
	case c.Status() == figure.Small:
		return shown{figure.UnderFive, figure.UnderFive, "small"}
	}
	return shown{notPublished, "null", "none"}
}

// whole is a number that counts no people.
func whole(n *int64) shown {
	if n == nil {
		return shown{notPublished, "null", "none"}
	}
	return shown{grouped(*n), strconv.FormatInt(*n, 10), ""}
}

// grouped writes thousands with commas.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// cell is a cell of a table. field is the name in the interface's answer; label is
// what stands before the figure where the table is shown as cards.
func cell(field, label string, s shown) template.HTML {
	var b strings.Builder
	b.WriteString(`<td role="cell" data-f="` + template.HTMLEscapeString(field) + `" data-v="` + template.HTMLEscapeString(s.token) + `"`)
	if label != "" {
		b.WriteString(` data-l="` + template.HTMLEscapeString(label) + `"`)
	}
	class := "n"
	if s.class != "" {
		class += " " + s.class
	}
	b.WriteString(` class="` + class + `">` + template.HTMLEscapeString(s.text) + `</td>`)
	return template.HTML(b.String())
}

// said is a figure within a sentence, marked like a cell.
func said(field string, s shown) template.HTML {
	class := ""
	if s.class != "" {
		class = ` class="` + s.class + `"`
	}
	return template.HTML(`<data value="` + template.HTMLEscapeString(s.token) + `" data-f="` + template.HTMLEscapeString(field) + `" data-v="` +
		template.HTMLEscapeString(s.token) + `"` + class + `>` + template.HTMLEscapeString(s.text) + `</data>`)
}
