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

// marginHidden is the number of adverts from which pages show a share without its margin of error.
const marginHidden = 250

// roundedOnce corrects for double rounding, since pages round the published tenths again. If the
// published share was rounded up to a half per cent, the result is just below the half.
func roundedOnce(printed figure.Tenths, of figure.Sample) figure.Tenths {
	if printed%10 == 5 && 1000*of.Asking < int64(printed)*of.Adverts {
		return printed - 1
	}
	return printed
}

// advertsShown returns a row's share of adverts as pages show it. A share of zero of few adverts is
// written in words: its margin is zero, which would suggest certainty.
func advertsShown(r api.SkillsUnmetRow) shown {
	s := shownAs("adverts_share_pct", r.AdvertsShare)
	s.text = shareInWords(roundedOnce(r.AdvertsShare.Tenths, r.Asked))
	if base, ok := figure.BaseNamed(r.AdvertsBase); ok && r.AdvertsShare.Tenths == 0 && base.Lowest < marginHidden {
		s.text = "none"
	}
	return s
}

// pointsBetween returns the difference of two printed shares, in whole points with a sign. A
// difference that the printed shares do not show is "less than a point".
func pointsBetween(before, after figure.Tenths) string {
	points := wholePoints(after) - wholePoints(before)
	switch {
	case points == 0 && after > before:
		return "+<1"
	case points == 0:
		return "−<1"
	}
	return strings.Replace(fmt.Sprintf("%+d", points), "-", "−", 1)
}

// marginOf returns the margin of a share of few adverts, in whole points and at least 1. It is ""
// if the base is large. It is also "" for a handful of adverts, whose base is given in words, since
// a margin of half the scale would look like a finding; and for a share of zero, whose margin the
// API prints as zero.
func marginOf(r api.SkillsUnmetRow) template.HTML {
	base, ok := figure.BaseNamed(r.AdvertsBase)
	hidden := base.UnderTwenty() || base.Lowest >= marginHidden
	if !ok || hidden || r.AdvertsMargin.Tenths == 0 {
		return ""
	}
	points := strconv.FormatInt(max(1, wholePoints(r.AdvertsMargin.Tenths)), 10)
	token := string(figure.AppendTenths(nil, r.AdvertsMargin.Tenths))
	return template.HTML(` <data class="margin" value="` + token + `" data-f="adverts_share_margin_pct">±` + points +
		`</data>`)
}

// advertsShare returns a row's share of adverts as part of a sentence, with its margin if the base
// is small.
func advertsShare(r api.SkillsUnmetRow) template.HTML {
	return said("adverts_share_pct", advertsShown(r)) + marginOf(r)
}

// advertsBase returns the base of a row in words, such as "250 to 999 adverts".
func advertsBase(r api.SkillsUnmetRow) template.HTML {
	band := template.HTMLEscapeString(r.AdvertsBase)
	text := template.HTMLEscapeString(words.In("base", r.AdvertsBase))
	return template.HTML(`<data class="base" value="` + band + `" data-f="adverts_base">` + text + `</data>`)
}

// advertsCell returns the cell of a row's share of adverts. If the rows of a table have different
// bases, each cell shows its own.
func advertsCell(r api.SkillsUnmetRow, withBase bool) template.HTML {
	of := template.HTML("")
	if withBase {
		of = ` <span class="of">of ` + advertsBase(r) + `</span>`
	}
	return `<td role="cell" class="n adverts" data-l="Adverts asking"><span>` + advertsShare(r) + of + `</span></td>`
}

// firstBase returns the base that all rows of a list share; empty for an empty list.
func firstBase(rows []api.SkillsUnmetRow) template.HTML {
	if len(rows) == 0 {
		return ""
	}
	return advertsBase(rows[0])
}
