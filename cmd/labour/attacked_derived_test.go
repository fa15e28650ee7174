package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"testing"

	"labour/pipeline/disclosure/attack/crawl"
	"labour/snapshots/figure"
	"labour/sources/publishers"
)

// word is a printed value as it stands in the answer.
func word(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// TestA13AChangeHidesItsParts: "value 6, change_pct 100 => previous_value = 3. value
// "<5", previous 5, change -40 => 3". A change is a number only where both values are
// numbers and the previous one is not 0.
func TestA13AChangeHidesItsParts(t *testing.T) {
	const dataSet = "1d419801-435d-c676-b428-1217e08290c3"
	text := "time_period,time_identifier,geographic_level,country_code,country_name,ssa_t1_desc,starts\n"
	for subject, starts := range map[string][2]string{"Digital Technology": {"3", "6"}, "Construction": {"5", "3"}, "Law": {"0", "6"}, "Retail": {"10", "15"}, "Leisure": {"12", "0"}, "Arts": {"6", "low"}} {
		for i, year := range []string{"202324", "202425"} {
			text += fmt.Sprintf("%s,Academic year,National,E92000001,England,%s,%s\n", year, subject, starts[i])
		}
	}
	ees, err := publishers.NewEES(publishers.EESDataSet{ID: dataSet, Title: "Starts", Version: "1.0", CSV: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	publisher := httptest.NewServer(ees)
	t.Cleanup(publisher.Close)
	w := attackedSpace()
	w.sources = fmt.Sprintf("sources:\n  dfe_apprenticeships: {base_url: %q, data_sets: [{id: %s, metric: apprenticeship_starts, covers: full_year}]}\n", publisher.URL+"/ees", dataSet)
	p := w.publish(t, attackedDay)
	got := map[string]string{}
	for _, r := range p.get("/v1/labour/course-demand", url.Values{}).Data {
		change := r["year_on_year"].(map[string]any)
		key := fmt.Sprint(r["subject_area"], " ", r["period_end"].(string)[:4])
		got[key] = fmt.Sprint(word(r["value"]), " ", word(change["previous_value"]), " ", word(change["change_pct"]))
	}
	for key, want := range map[string]string{
		"Digital Technology 2024": `"\u003c5" null null`, "Digital Technology 2025": `6 "\u003c5" null`,
		"Construction 2025": `"\u003c5" 5 null`, "Law 2025": `6 0 null`, "Retail 2025": `15 10 50`, "Leisure 2025": `0 12 -100`, "Arts 2025": `"\u003c5" 6 null`,
	} {
		if got[key] != want {
			t.Errorf("%s prints %s, want %s", key, got[key], want)
		}
	}
	if len(got) != 12 {
		t.Errorf("%d rows: %v", len(got), got)
	}
}

// TestA14TheScoreSaysNoMoreThanTheShares: "an unrounded score prints the digits that
// the rounded share hid; ordering by a hidden number ranks it". The score is the
// product of the printed shares to the digit, and the order is that of what is printed,
// though the shares that were rounded to the same value stand in another order.
func TestA14TheScoreSaysNoMoreThanTheShares(t *testing.T) {
	w := attackedFixtures()
	p := w.publish(t, attackedDay)
	known := w.truth(t)
	rows := p.get("/v1/labour/skills-unmet", url.Values{"limit": {"200"}}).Data
	oneDecimal, twoDecimals := regexp.MustCompile(`^\d+(\.\d)?$`), regexp.MustCompile(`^\d+\.\d\d$`)
	tenths := func(v any) figure.Tenths {
		f, err := v.(json.Number).Float64()
		if err != nil || !oneDecimal.MatchString(word(v)) {
			t.Fatalf("%s is no share: %v", word(v), err)
		}
		return figure.Tenths(math.Round(10 * f))
	}
	against := 0 // pairs of equal printed shares that stand against the order of the true ones
	for i, r := range rows {
		if word(r["score"]) == "null" {
			continue
		}
		adverts, people := tenths(r["adverts_share_pct"]), tenths(r["people_below_share_pct"])
		if want := string(figure.AppendHundredths(nil, figure.ScoreHundredths(adverts, people))); word(r["score"]) != want || !twoDecimals.MatchString(want) {
			t.Errorf("%v: score %s of the printed %s and %s, want %s", r["skill"], word(r["score"]), word(r["adverts_share_pct"]), word(r["people_below_share_pct"]), want)
		}
		if i == 0 || word(rows[i-1]["score"]) != word(r["score"]) || word(rows[i-1]["adverts_share_pct"]) != word(r["adverts_share_pct"]) {
			continue
		}
		one, two := rows[i-1]["skill"].(string), r["skill"].(string)
		if one >= two {
			t.Errorf("%s stands before %s with the same printed values", one, two)
		}
		if below(known, one) < below(known, two) {
			against++
		}
	}
	if !slices.IsSortedFunc(rows, func(a, b map[string]any) int { return cmp.Compare(scoreOf(b), scoreOf(a)) }) {
		t.Error("rows are not in the order of the printed score")
	}
	if len(rows) < 15 || against == 0 {
		t.Errorf("%d rows, of which %d pairs stand against the hidden order: the test shows nothing", len(rows), against)
	}
}

// scoreOf is the printed score, the lowest for null.
func scoreOf(r map[string]any) float64 {
	n, ok := r["score"].(json.Number)
	if !ok {
		return -1
	}
	f, err := n.Float64()
	if err != nil {
		return -1
	}
	return f
}

// below are the residents under the level of a skill, which only the judge knows.
func below(known crawl.Truth, skill string) (n int64) {
	for _, people := range known.Registered.Below[skill] {
		n += people
	}
	return n
}
