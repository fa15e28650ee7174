package web

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// holds reports whether a figure, as a page shows it, is in a class: "10 to under 15%", or one figure.
func holds(t rapid.TB, class string, shown float64) bool {
	t.Helper()
	class = strings.ReplaceAll(strings.TrimSuffix(class, "%"), ",", "")
	var from, to float64
	if _, err := fmt.Sscanf(class, "%g to under %g", &from, &to); err == nil {
		return from <= shown && shown < to
	}
	if n, _ := fmt.Sscanf(class, "%g to %g", &from, &to); n == 2 {
		return from <= shown && shown <= to
	}
	if _, err := fmt.Sscanf(class, "%g", &from); err != nil {
		t.Fatalf("the class %q: %v", class, err)
	}
	return from == shown
}

// Each figure of a map, as the page shows it, is in exactly one class of its key, which has at most as
// many classes as there are colours.
func TestClassesOfAMapShareNoFigure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(measures()[:4]).Draw(t, "measure")
		least := rapid.Int64Range(0, 1000).Draw(t, "least")
		most := rapid.Int64Range(least, 1000).Draw(t, "most")
		var rows []bucketRow
		for _, n := range rapid.SliceOfN(rapid.Int64Range(least, most), 1, 33).Draw(t, "tenths") {
			tenths, score := figure.Tenths(n), n*1000/7
			row := api.SkillsUnmetRow{AdvertsShare: api.Share{Tenths: tenths}, PeopleBelow: api.Percent{Tenths: &tenths},
				Score: api.Score{TenThousandths: &score}, AdvertsBase: "1000+",
				AdvertsSample: figure.AdvertSample{Requiring: n, Adverts: 1000}}
			row.TurnedDown.Count = figure.CountOf(5 * n)
			rows = append(rows, bucketRow{SkillsUnmetRow: row})
		}
		s := scaleOf(m, rows)
		if s.classes < 1 || s.classes > mostClasses {
			t.Fatalf("there are %d classes", s.classes)
		}
		names := map[string]bool{}
		for i := range s.classes {
			names[s.name(i)] = true
		}
		if len(names) != s.classes {
			t.Fatalf("%d classes have the colours %v", s.classes, names)
		}
		for _, r := range rows {
			checkClass(t, m, s, r)
		}
	})
}

func checkClass(t *rapid.T, m measure, s scale, r bucketRow) {
	t.Helper()
	text := strings.NewReplacer("%", "", ",", "", "<1", "0", ">99", "99.5").Replace(m.shown(r.SkillsUnmetRow).text)
	var shown float64
	if _, err := fmt.Sscanf(text, "%g", &shown); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if shown == 99.5 { // ">99%": whole per cents round it to 100
		shown = 100
	}
	in := 0
	for i := range s.classes {
		if !holds(t, s.words(m, i), shown) {
			continue
		}
		if in++; classOf(m, r.SkillsUnmetRow, s) != s.name(i) {
			t.Fatalf("%s is in %q and has the colour %s", text, s.words(m, i), classOf(m, r.SkillsUnmetRow, s))
		}
	}
	if in != 1 {
		t.Fatalf("%s is in %d classes", text, in)
	}
}

// A score is shown with one decimal, rounded half away from zero, on a page and in the key of a map.
func TestScoresAreRoundedAwayFromZero(t *testing.T) {
	for score, want := range map[int64]string{0: "0.0", 499: "0.0", 500: "0.1", 123_499: "12.3", 123_500: "12.4",
		1_500: "0.2", 12_500: "1.3", 999_500: "100.0", 1_000_000: "100.0"} {
		row := api.SkillsUnmetRow{Score: api.Score{TenThousandths: &score}}
		if got := shownAs("score", row.Score).text; got != want {
			t.Errorf("%d ten-thousandths are %s, want %s", score, got, want)
		}
		s := scaleOf(measures()[0], []bucketRow{{SkillsUnmetRow: row}})
		if got := s.words(measures()[0], 0); got != want {
			t.Errorf("in the key of a map %d ten-thousandths are %s, want %s", score, got, want)
		}
	}
}

// The classes begin at round numbers.
func TestWordsOfClasses(t *testing.T) {
	row := func(tenths figure.Tenths) bucketRow {
		return bucketRow{SkillsUnmetRow: api.SkillsUnmetRow{PeopleBelow: api.Percent{Tenths: &tenths}}}
	}
	m := measures()[2]
	for _, c := range []struct {
		least, most figure.Tenths
		want        string
	}{
		{114, 346, "10 to under 20%, 20 to under 30%, 30 to under 40%"},
		{710, 1000, "70 to under 80%, 80 to under 90%, 90 to under 100%, 100%"},
		{120, 138, "12%, 13%, 14%"},
		{500, 500, "50%"},
	} {
		s := scaleOf(m, []bucketRow{row(c.least), row(c.most)})
		var got []string
		for i := range s.classes {
			got = append(got, s.words(m, i))
		}
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("from %d to %d the classes are %s, want %s", c.least, c.most, all, c.want)
		}
	}
	if s := scaleOf(m, nil); s.classes != 0 {
		t.Errorf("of no figure there are %d classes", s.classes)
	}
}

// A map says which boroughs its lists of the highest and lowest leave out, and why.
func TestUnrankedBoroughsAreNamed(t *testing.T) {
	for _, c := range []struct {
		ranked, coloured, all int
		says                  string
	}{{33, 33, 33, ""}, {32, 33, 33, "few registered residents"}, {9, 9, 33, "plain grey"}} {
		got := unrankedOf(c.ranked, c.coloured, c.all)
		if c.says == "" && got != "" || !strings.Contains(got, c.says) {
			t.Errorf("%d of %d coloured of %d: %q, want %q", c.ranked, c.coloured, c.all, got, c.says)
		}
	}
}

// A map shows the share 0 of a borough where enough adverts match and none asks for the skill, and has
// no figure where too few match. No call of the API has the row, so the 0 has no token.
func TestZerosOfAMap(t *testing.T) {
	row := func(place string, asking, adverts int64) bucketRow {
		r := bucketRow{SkillsUnmetRow: askedOf(asking, adverts)}
		r.Bucket, r.BucketName = &place, &place
		return r
	}
	s := planSnapshot()
	s.named[api.Places] = nil
	for _, place := range []string{"asks", "few", "none"} {
		s.named[api.Places] = append(s.named[api.Places], api.Named{Value: place, Name: place, Kind: "borough"})
		s.outlines = append(s.outlines, api.Outline{Place: place})
	}
	s.unmet = func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow {
		if !q.Zeros || q.By != api.ByPlace || q.Skill != "sql" {
			t.Errorf("the zeros are asked for with %+v", q)
		}
		return []api.SkillsUnmetRow{row("asks", 400, 1000).SkillsUnmetRow, row("none", 0, 1000).SkillsUnmetRow}
	}
	m := measures()[1]
	v := visit(s, "/skills/sql")
	all := mapRows(v, filter{Window: 12}, "sql")
	rows := boroughsOn(v, m, all)
	var got []string
	for _, a := range areasOf(v, m, rows, nil, scaleOf(m, rows), s.outlines) {
		got = append(got, a.Place+" "+a.Class+": "+a.Said+" ("+a.Token+")")
	}
	want := "asks c5: 40% (40.0), few none: too few adverts to show (), none c1: 0% ()"
	if text := strings.Join(got, ", "); text != want || v.err != nil {
		t.Errorf("%s (%v), want %s", text, v.err, want)
	}
	if got := boroughsOn(v, measures()[2], all); len(got) != 1 || *got[0].Bucket != "asks" {
		t.Errorf("shares of residents have the rows %+v", got)
	}
}
