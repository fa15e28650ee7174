package web

import (
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// TestFiguresAsPagesShowThem: with the token of the API and, if they are no number, their class. A share of residents
// is in whole per cent, a change has a sign and a decimal, and a difference a sign and no per cent.
func TestFiguresAsPagesShowThem(t *testing.T) {
	percent := func(n figure.Tenths) api.Percent { return api.Percent{Tenths: &n} }
	few, err := figure.ParseCount[int64](nil, figure.StatusUnderFive)
	if err != nil {
		t.Fatal(err)
	}
	number, score := int64(-1234), int64(123_456)
	for _, c := range []struct {
		field string
		value any
		want  shownFigure
	}{
		{"adverts_share_pct", api.Share{Tenths: 125}, shownFigure{"13%", "12.5", ""}},
		{"people_below_share_pct", percent(125), shownFigure{"13%", "12.5", ""}},
		{"people_below_share_pct", percent(3), shownFigure{"<1%", "0.3", ""}},
		{"people_below_share_pct", api.Percent{}, shownFigure{"not published", "null", "none"}},
		{"hired_with_skill_pct", percent(125), shownFigure{"12.5%", "12.5", ""}},
		{"hired_with_skill_pct", percent(120), shownFigure{"12%", "12", ""}},
		{"change_pct", percent(120), shownFigure{"+12.0%", "12.0", ""}},
		{"change_pct", percent(0), shownFigure{"0.0%", "0.0", ""}},
		{"change_pct", percent(1), shownFigure{"+0.1%", "0.1", ""}},
		{"projected_change_pct", percent(-15), shownFigure{"−1.5%", "-1.5", ""}},
		{"difference_pct_points", percent(120), shownFigure{"+12", "12", ""}},
		{"difference_pct_points", percent(-125), shownFigure{"−12.5", "-12.5", ""}},
		{"difference_pct_points", percent(0), shownFigure{"0", "0", ""}},
		{"score", api.Score{TenThousandths: &score}, shownFigure{"12.3", "12.3456", ""}},
		{"score", api.Score{}, shownFigure{"not published", "null", "none"}},
		{"openings", &number, shownFigure{"−1,234", "-1234", ""}},
		{"openings", (*int64)(nil), shownFigure{"not published", "null", "none"}},
		{"value", api.Count{Count: figure.CountOf(1234)}, shownFigure{"1,234", "1234", ""}},
		{"value", api.Count{Count: few}, shownFigure{"<5", "<5", "small"}},
		{"value", api.Count{}, shownFigure{"not published", "null", "none"}},
		{"other", "a text", shownFigure{"not published", "null", "none"}},
	} {
		if got := shownAs(c.field, c.value); got != c.want {
			t.Errorf("%s of %v: %+v, want %+v", c.field, c.value, got, c.want)
		}
	}
}

func TestSharesInWords(t *testing.T) {
	for tenths, want := range map[figure.Tenths]string{0: "0%", 1: "<1%", 4: "<1%", 5: "1%", 14: "1%", 15: "2%",
		994: "99%", 995: ">99%", 999: ">99%", 1000: "100%"} {
		if got := shareInWords(tenths); got != want {
			t.Errorf("%d tenths are %s, want %s", tenths, got, want)
		}
	}
}

// TestMarkupOfFigures: each has the field and the token of the API, and what could be markup is escaped.
func TestMarkupOfFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{string(cell("value", "", shownFigure{"1,234", "1234", ""})),
			`<td role="cell" data-f="value" data-v="1234" class="n">1,234</td>`},
		{string(cell("value", "A & B", shownFigure{"<5", "<5", "small"})),
			`<td role="cell" data-f="value" data-v="&lt;5" data-l="A &amp; B" class="n small">&lt;5</td>`},
		{string(cell("value", "", shownFigure{"not published", "null", "none"})), `<td role="cell" data-f="value" data-v="null" ` +
			`class="n none"><span aria-hidden="true" title="not published">–</span>` +
			`<span class="unseen">not published</span></td>`},
		{string(figureHTML("value", shownFigure{"1,234", "1234", ""})), `<data value="1234" data-f="value">1,234</data>`},
		{string(figureHTML("value", shownFigure{"<5", "<5", "small"})), `<data value="&lt;5" data-f="value" class="small">&lt;5</data>`},
		{string(advertsBase(shareOf(0, 0, "5-19"))),
			`<data class="base" value="5-19" data-f="adverts_base">a handful of 5 to 19 adverts</data>`},
		{string(advertsCell(shareOf(225, 130, "50-99"), false)), `<td role="cell" class="n adverts" ` +
			`data-l="Adverts asking"><span><data value="22.5" data-f="adverts_share_pct">23%</data> ` +
			`<data class="margin" value="13.0" data-f="adverts_share_margin_pct">±13</data></span></td>`},
		{string(advertsCell(shareOf(225, 0, "250-999"), true)), `<td role="cell" class="n adverts" ` +
			`data-l="Adverts asking"><span><data value="22.5" data-f="adverts_share_pct">23%</data> <span class="of">of ` +
			`<data class="base" value="250-999" data-f="adverts_base">250 to 999 adverts</data></span></span></td>`},
		{string(firstBase(nil)), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

// TestMargins: of 20 to 249 adverts, at least one point. The margin 0 is left out.
func TestMargins(t *testing.T) {
	for _, c := range []struct {
		margin figure.Tenths
		base   string
		want   string
	}{
		{130, "5-19", ""}, {130, "20-49", "±13"}, {130, "100-249", "±13"}, {130, "250-999", ""}, {130, "1000+", ""},
		{130, "", ""}, {0, "20-49", ""}, {1, "20-49", "±1"}, {15, "20-49", "±2"},
	} {
		if got := strings.TrimSpace(withoutTags(string(marginOf(shareOf(500, c.margin, c.base))))); got != c.want {
			t.Errorf("%d of %s: %q, want %q", c.margin, c.base, got, c.want)
		}
	}
}

// TestNoneOfFewAdvertsIsNotZero: of 250 or more it is 0 per cent. A share of a band that is not known is 0.
func TestNoneOfFewAdvertsIsNotZero(t *testing.T) {
	for base, want := range map[string]string{"5-19": "none", "100-249": "none", "250-999": "0%", "1000+": "0%",
		"": "0%"} {
		if got := advertsShareFigure(shareOf(0, 0, base)); got != (shownFigure{want, "0.0", ""}) {
			t.Errorf("none of %s: %+v, want %s", base, got, want)
		}
	}
	if got := advertsShareFigure(shareOf(1, 0, "5-19")).text; got != "<1%" {
		t.Errorf("a tenth is %s", got)
	}
}

// TestSharesThatWereRoundedUpAreNotRoundedAgain: 12.46 is printed as 12.5 and is 12 in whole per cent; 12.5 exactly
// is 13.
func TestSharesThatWereRoundedUpAreNotRoundedAgain(t *testing.T) {
	for _, c := range []struct {
		printed         figure.Tenths
		asking, adverts int64
		want            figure.Tenths
	}{{125, 1246, 10_000, 124}, {125, 125, 1000, 125}, {125, 1254, 10_000, 125}, {124, 1236, 10_000, 124},
		{126, 1256, 10_000, 126}, {5, 45, 10_000, 4}} {
		of := figure.AdvertSample{Requiring: c.asking, Adverts: c.adverts}
		if got := roundedOnce(c.printed, of); got != c.want {
			t.Errorf("%d of %d printed as %d: %d, want %d", c.asking, c.adverts, c.printed, got, c.want)
		}
	}
}

// TestCorrectionsOfTraining: of the row itself, and of the same figure a year before.
func TestCorrectionsOfTraining(t *testing.T) {
	r := api.CourseDemandRow{Metric: "starts", RegionCode: "E12000007", SubjectArea: "Care",
		PeriodEnd: api.DateOf(dayOf("2026-07-31"))}
	kinds := withCorrections(visit(recorded(&fixed{}), "/courses"), []trainingKind{{Metric: "a"}, {Metric: "b"}})
	for _, k := range kinds {
		if got := k.Corrections.ValueCorrection(r).Reason; got != "starts E12000007 2026-07-31 Care" {
			t.Errorf("the figure's correction is of %s", got)
		}
		if got := k.Corrections.PreviousValueCorrection(r).Reason; got != "starts E12000007 2025-07-31 Care" {
			t.Errorf("that of a year before is of %s", got)
		}
	}
}
