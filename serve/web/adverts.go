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

// roundedOnce returns a share, printed in tenths of a per cent, that can be rounded to whole per
// cent without rounding twice. If the exact share of the sample was rounded up to a half per cent,
// the result is a tenth lower.
func roundedOnce(printed figure.Tenths, of figure.AdvertSample) figure.Tenths {
	if printed%10 == 5 && 1000*of.Requiring < int64(printed)*of.Adverts {
		return printed - 1
	}
	return printed
}

// advertsShown returns the share of adverts in a row as pages show it. A share of zero that is
// based on fewer than 250 adverts is "none", since "0%" would suggest certainty.
func advertsShown(r api.SkillsUnmetRow) shown {
	s := shownAs("adverts_share_pct", r.AdvertsShare)
	s.text = shareInWords(roundedOnce(r.AdvertsShare.Tenths, r.AdvertsSample))
	if base, ok := figure.ParseBase(r.AdvertsBase); ok && r.AdvertsShare.Tenths == 0 && base.LowerEnd < marginHidden {
		s.text = "none"
	}
	return s
}

// pointsBetween returns the change from one share to another in whole percentage points with a
// sign, such as "+3". A change of less than one point is "+<1" or "−<1".
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

// marginOf returns the margin of error of a row's share of adverts as HTML, such as "±3". It is
// empty for 250 adverts or more, where the margin is small; for fewer than 20, where the margin
// would look like a finding; and if the API prints the margin as zero.
func marginOf(r api.SkillsUnmetRow) template.HTML {
	base, ok := figure.ParseBase(r.AdvertsBase)
	hidden := base.IsUnderTwenty() || base.LowerEnd >= marginHidden
	if !ok || hidden || r.AdvertsMargin.Tenths == 0 {
		return ""
	}
	points := strconv.FormatInt(max(1, wholePoints(r.AdvertsMargin.Tenths)), 10)
	token := string(figure.AppendTenths(nil, r.AdvertsMargin.Tenths))
	return template.HTML(` <data class="margin" value="` + token + `" data-f="adverts_share_margin_pct">±` + points +
		`</data>`)
}

// advertsShare returns the share of adverts in a row, as HTML for a sentence, with its margin of
// error if that is shown.
func advertsShare(r api.SkillsUnmetRow) template.HTML {
	return said("adverts_share_pct", advertsShown(r)) + marginOf(r)
}

// advertsBase returns how many adverts a row's share is based on, as HTML, such as "250 to 999
// adverts".
func advertsBase(r api.SkillsUnmetRow) template.HTML {
	band := template.HTMLEscapeString(r.AdvertsBase)
	text := template.HTMLEscapeString(words.DisplayName("base", r.AdvertsBase))
	return template.HTML(`<data class="base" value="` + band + `" data-f="adverts_base">` + text + `</data>`)
}

// advertsCell returns an HTML table cell with the share of adverts in a row. If withBase is true,
// it also shows how many adverts the share is based on.
func advertsCell(r api.SkillsUnmetRow, withBase bool) template.HTML {
	of := template.HTML("")
	if withBase {
		of = ` <span class="of">of ` + advertsBase(r) + `</span>`
	}
	return `<td role="cell" class="n adverts" data-l="Adverts asking"><span>` + advertsShare(r) + of + `</span></td>`
}

// firstBase returns how many adverts the shares of a list are based on, as HTML. It takes the first
// row, since all have the same base; an empty list gives "".
func firstBase(rows []api.SkillsUnmetRow) template.HTML {
	if len(rows) == 0 {
		return ""
	}
	return advertsBase(rows[0])
}
