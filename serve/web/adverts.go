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

// marginHidden is a number of adverts. Pages do not show the margin of error of a share that is
// based on at least this number of adverts, because the margin is small.
const marginHidden = 250

// roundedOnce prevents double rounding of a share of adverts. A share such as 12.5 % may be rounded
// up from 12.46 %, and would then wrongly become 13 %. In that case roundedOnce returns a tenth
// less, here 12.4 %. sample has the exact share.
func roundedOnce(share figure.Tenths, sample figure.AdvertSample) figure.Tenths {
	if share%10 == 5 && 1000*sample.Requiring < int64(share)*sample.Adverts {
		return share - 1
	}
	return share
}

// advertsShareFigure returns the share of adverts in a row as pages show it. A share of 0 becomes
// "none" if it is based on fewer than 250 adverts, because "0%" would suggest certainty.
func advertsShareFigure(r api.SkillsUnmetRow) shownFigure {
	s := shownAs("adverts_share_pct", r.AdvertsShare)
	s.text = shareInWords(roundedOnce(r.AdvertsShare.Tenths, r.AdvertsSample))
	if base, ok := figure.ParseBase(r.AdvertsBase); ok && r.AdvertsShare.Tenths == 0 && base.LowerEnd < marginHidden {
		s.text = "none"
	}
	return s
}

// pointsBetween rounds two shares to whole per cent and returns the change from the first to the
// second, with a sign, such as "+3". If both round to the same number, the result is "+<1" or
// "−<1".
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

// marginOf returns the margin of error of a row's share of adverts as HTML, such as "±3". It
// returns "" for 250 adverts or more, where the margin is small, and if the API prints the margin
// as 0. It also returns "" for fewer than 20 adverts, where a margin would make the share look
// reliable.
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

// advertsShare returns a row's share of adverts as HTML for a sentence, with its margin of error.
// The margin is left out where marginOf returns "".
func advertsShare(r api.SkillsUnmetRow) template.HTML {
	return figureHTML("adverts_share_pct", advertsShareFigure(r)) + marginOf(r)
}

// advertsBase returns the base of a row's share of adverts as HTML, such as "250 to 999 adverts".
func advertsBase(r api.SkillsUnmetRow) template.HTML {
	band := template.HTMLEscapeString(r.AdvertsBase)
	text := template.HTMLEscapeString(words.DisplayName("base", r.AdvertsBase))
	return template.HTML(`<data class="base" value="` + band + `" data-f="adverts_base">` + text + `</data>`)
}

// advertsCell returns an HTML table cell with the share of adverts in a row. If withBase is true,
// the cell also has the base of the share, such as "of 20 to 49 adverts".
func advertsCell(r api.SkillsUnmetRow, withBase bool) template.HTML {
	of := template.HTML("")
	if withBase {
		of = ` <span class="of">of ` + advertsBase(r) + `</span>`
	}
	return `<td role="cell" class="n adverts" data-l="Adverts asking"><span>` + advertsShare(r) + of + `</span></td>`
}

// firstBase returns the base of the shares in a list as HTML, such as "250 to 999 adverts". It
// takes the base from the first row, because all rows have the same. It returns "" for an empty
// list.
func firstBase(rows []api.SkillsUnmetRow) template.HTML {
	if len(rows) == 0 {
		return ""
	}
	return advertsBase(rows[0])
}

// noneAsks reports whether no advert asks for the skill of a row. The API leaves such rows out of a
// breakdown by place.
func noneAsks(r api.SkillsUnmetRow) bool { return r.AdvertsSample.Requiring == 0 }
