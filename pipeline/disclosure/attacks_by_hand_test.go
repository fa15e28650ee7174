package disclosure_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/ledger"
	"labour/snapshots/figure"
)

// given is one cell of a case by hand: signature, place, value, window, count and
// the token expected.
type given struct {
	signature, place, value string
	window                  int
	count                   int64
	want                    string
}

// check masks the cells and compares every token.
func check(t *testing.T, r disclosure.Rules, cells []given) {
	t.Helper()
	var in []disclosure.Truth
	for _, c := range cells {
		in = append(in, disclosure.Truth{Cell: disclosure.Cell{Signature: c.signature, Place: c.place, Value: c.value, Window: c.window},
			TurnedDownFor: c.count, Unlisted: c.want == "unlisted"})
	}
	cells = slices.DeleteFunc(cells, func(c given) bool { return c.want == "unlisted" })
	for i, p := range r.Mask(in) {
		if got := p.TurnedDown.String(); got != cells[i].want {
			t.Errorf("%+v prints %s", cells[i], got)
		}
	}
}

// TestAttacksByHand are the worked attacks of the design, each with what must be
// printed instead. A10, A11, A15 and A16 are below and A12 is in TestResidents; A13 and
// A14 are about what the interface prints, and are tests of the command.
func TestAttacksByHand(t *testing.T) {
	boards := disclosure.Rules{Lattice: lattice.New(nil, []lattice.Volume{
		{Dim: "source", Value: "platform", Adverts: 9}, {Dim: "source", Value: "boards", Adverts: 1}, {Dim: "source", Value: "national", Adverts: 2}})}
	for _, tt := range []struct {
		name  string
		rules disclosure.Rules
		cells []given
	}{
		{"A1 total minus siblings", disclosure.Rules{}, []given{
			{"none", "", "", 24, 12, "12"}, {"sector", "", "a", 24, 9, "null"}, {"sector", "", "b", 24, 3, "<5"}}},
		{"A2 an extreme sum", disclosure.Rules{}, []given{
			{"none", "", "", 24, 17, "17"}, {"sector", "", "a", 24, 9, "null"}, {"sector", "", "b", 24, 4, "<5"}, {"sector", "", "c", 24, 4, "<5"}}},
		{"A3 breaking down a <5", disclosure.Rules{}, []given{
			{"none", "", "", 24, 30, "30"}, {"place", "p", "", 24, 4, "<5"}, {"place", "q", "", 24, 26, "null"},
			{"sector", "", "a", 24, 14, "14"}, {"sector", "", "b", 24, 16, "16"},
			{"place_sector", "p", "a", 24, 1, "null"}, {"place_sector", "p", "b", 24, 3, "null"},
			{"place_sector", "q", "a", 24, 13, "null"}, {"place_sector", "q", "b", 24, 13, "null"}}},
		{"A4 null means at least 5", disclosure.Rules{}, []given{
			{"none", "", "", 24, 6, "6"}, {"sector", "", "a", 24, 5, "null"}, {"sector", "", "b", 24, 1, "null"}, {"sector", "", "c", 24, 0, "null"}}},
		{"A5 window difference", disclosure.Rules{}, []given{
			{"none", "", "", 24, 11, "11"}, {"none", "", "", 12, 11, "11"}, {"none", "", "", 6, 11, "11"}, {"none", "", "", 3, 8, "null"}}},
		{"A6 all sources minus one", boards, []given{
			{"none", "", "", 24, 31, "31"}, {"source", "", "platform", 24, 20, "20"}, {"source", "", "boards", 24, 8, "null"}, {"source", "", "national", 24, 3, "<5"}}},
		{"A7 filter complement", disclosure.Rules{}, []given{
			{"none", "", "", 24, 100, "100"}, {"place", "p", "", 24, 40, "40"}, {"place", "q", "", 24, 60, "60"},
			{"sector", "", "care", 24, 57, "57"}, {"sector", "", "digital", 24, 43, "43"},
			{"place_sector", "p", "care", 24, 37, "null"}, {"place_sector", "p", "digital", 24, 3, "<5"},
			{"place_sector", "q", "care", 24, 20, "null"}, {"place_sector", "q", "digital", 24, 40, "null"}}},
		{"A8 inclusion and exclusion", disclosure.Rules{}, []given{
			{"none", "", "", 24, 60, "60"}, {"place", "a", "", 24, 25, "25"}, {"place", "b", "", 24, 35, "35"},
			{"sector", "", "s", 24, 38, "38"}, {"sector", "", "r", 24, 22, "22"},
			{"place_sector", "a", "s", 24, 6, "null"}, {"place_sector", "a", "r", 24, 19, "null"},
			{"place_sector", "b", "s", 24, 32, "null"}, {"place_sector", "b", "r", 24, 3, "<5"}}},
		{"A9 months", disclosure.Rules{}, []given{
			{"none", "", "", 24, 19, "19"}, {"none", "", "", 3, 19, "19"},
			{"month", "", "2026-09", 1, 9, "9"}, {"month", "", "2026-08", 1, 3, "<5"}, {"month", "", "2026-07", 1, 7, "null"}}},
		{"people where no advert asks", disclosure.Rules{}, []given{
			{"none", "", "", 24, 23, "23"}, {"sector", "", "a", 24, 9, "null"}, {"sector", "", "b", 24, 11, "11"}, {"sector", "", "c", 24, 3, "unlisted"}}},
		{"people of unknown sector", disclosure.Rules{}, []given{
			{"none", "", "", 24, 23, "23"}, {"sector", "", "a", 24, 9, "null"}, {"sector", "", "b", 24, 11, "11"}}},
	} {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.rules, tt.cells) })
	}
}

// A15: a partner that knows its own applicants subtracts them. "A count is treated
// as hidden when fewer than 3 employers contribute, or when count minus the largest
// employer's contribution is 1..4".
func TestA15FewEmployersAreHidden(t *testing.T) {
	for _, tt := range []struct {
		name    string
		count   int64
		by      disclosure.Employers
		fewest  int
		want    string
		sibling string // a cover
	}{
		{"three alike", 6, disclosure.Employers{Number: 3, Largest: 1}, 3, "6", "14"},
		{"two employers", 12, disclosure.Employers{Number: 2, Largest: 6}, 3, "null", "null"},
		{"one employer", 12, disclosure.Employers{Number: 1, Largest: 12}, 3, "null", "null"},
		{"one of six has four of them", 6, disclosure.Employers{Number: 3, Largest: 4}, 3, "null", "null"},
		{"all but four", 12, disclosure.Employers{Number: 5, Largest: 8}, 3, "null", "null"},
		{"all but five", 12, disclosure.Employers{Number: 5, Largest: 7}, 3, "12", "14"},
		{"one is enough", 12, disclosure.Employers{Number: 1, Largest: 12}, 1, "12", "14"},
		{"one is enough, and all but one", 12, disclosure.Employers{Number: 2, Largest: 11}, 1, "null", "null"},
		{"not asked for", 12, disclosure.Employers{}, 0, "12", "14"},
		{"nobody", 0, disclosure.Employers{}, 3, "0", "14"},
		{"a small group stays one", 3, disclosure.Employers{Number: 1, Largest: 3}, 3, "<5", "null"},
	} {
		many := disclosure.Employers{Number: 9, Largest: 2}
		in := []disclosure.Truth{
			{Cell: disclosure.Cell{Signature: "none", Window: 24}, TurnedDownFor: tt.count + 34},
			{Cell: disclosure.Cell{Signature: "place", Place: "p", Window: 24}, TurnedDownFor: tt.count},
			{Cell: disclosure.Cell{Signature: "place", Place: "q", Window: 24}, TurnedDownFor: 14},
			{Cell: disclosure.Cell{Signature: "place", Place: "r", Window: 24}, TurnedDownFor: 20},
		}
		for i := range in {
			in[i].By[0] = many
		}
		in[1].By[0] = tt.by
		var got []string
		for _, p := range (disclosure.Rules{MinEmployers: tt.fewest}).Mask(in) {
			got = append(got, p.TurnedDown.String())
		}
		if s := strings.Join(got[1:], " "); s != strings.Join([]string{tt.want, tt.sibling, "20"}, " ") {
			t.Errorf("%s: prints %s", tt.name, s)
		}
	}
}

// A15 for shares: an employer knows which of its own applicants had the skill.
func TestA15SharesOfFewEmployersAreHidden(t *testing.T) {
	for few, want := range map[int]bool{-1: true, 1: false, 2: false, 3: true} {
		in := []disclosure.Truth{{Cell: disclosure.Cell{Signature: "none", Window: 24}, HiredWith: 20, HiredWithout: 30}}
		for i := range in[0].By {
			in[0].By[i] = disclosure.Employers{Number: 4, Largest: 6}
		}
		if few >= 0 {
			in[0].By[few] = disclosure.Employers{Number: 2, Largest: 10}
		}
		if got := (disclosure.Rules{MinEmployers: 3}).Mask(in)[0].HiredWith != nil; got != want {
			t.Errorf("measure %d of few employers: share printed %t", few, got)
		}
	}
}

// A11: a share is as disclosive as its two parts, alone, beside a count, and in
// differences of shares.
func TestA11SharesHideTheirParts(t *testing.T) {
	cell := func(value string, with, without int64) disclosure.Truth {
		t := disclosure.Truth{Cell: disclosure.Cell{Signature: "source", Value: value, Window: 24}, HiredWith: with, HiredWithout: without}
		if value == "" {
			t.Signature = "none"
		}
		return t
	}
	for _, tt := range []struct {
		name  string
		cells []disclosure.Truth
		want  []string
	}{
		{"A11a alone", []disclosure.Truth{cell("", 1, 2)}, []string{"null"}},
		{"A11a one lacked it", []disclosure.Truth{cell("", 6, 1)}, []string{"null"}},
		{"A11b both parts are large", []disclosure.Truth{cell("", 12, 8)}, []string{"60.0"}},
		{"A11c differences of shares", []disclosure.Truth{cell("", 18, 21), cell("one", 15, 15), cell("two", 3, 6)}, []string{"46.0", "null", "null"}},
	} {
		for i, p := range (disclosure.Rules{}).Mask(tt.cells) {
			got := "null"
			if p.HiredWith != nil {
				got = string(figure.AppendTenths(nil, *p.HiredWith))
			}
			if got != tt.want[i] {
				t.Errorf("%s: %+v prints %s, want %s", tt.name, p.Cell, got, tt.want[i])
			}
		}
	}
}

// A10: with launch a known zero, the difference of two quarter ends is the people
// of one quarter. "Platform launched in January; window 12 in March = 14, in April =
// 17 => April = 3."
func TestA10SnapshotsSinceLaunchAreNotSubtracted(t *testing.T) {
	for second, want := range map[int64]string{14: "14", 17: "null", 18: "null", 19: "19"} {
		book, err := ledger.Open(t.TempDir(), false)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for q, n := range []int64{14, second} {
			r := disclosure.Rules{Book: book, Launch: 1200, End: 1203 + 3*q}
			cells := []disclosure.Truth{{Cell: disclosure.Cell{Signature: "none", Window: 24}, TurnedDownFor: n}, {Cell: disclosure.Cell{Signature: "none", Window: 12}, TurnedDownFor: n}}
			result := remember(t, r, cells, q)
			if got = result.Printed[1].TurnedDown.String(); got != result.Printed[0].TurnedDown.String() {
				t.Errorf("%d then %d: equal windows print %v", 14, second, result.Printed)
			}
		}
		if got != want {
			t.Errorf("14, then %d at the next quarter end: %s, want %s", second, got, want)
		}
	}
}

// A16: the cover comes from the public order, never from the counts, so that it
// says nothing of them; TestRuleRunnerOnLines runs the rules backwards.
func TestA16CoversFollowThePublicOrder(t *testing.T) {
	order := disclosure.Rules{Lattice: lattice.New(nil, []lattice.Volume{{Dim: "sector", Value: "a", Adverts: 30}, {Dim: "sector", Value: "b", Adverts: 20}, {Dim: "sector", Value: "c", Adverts: 10}})}
	for _, n := range [][3]int64{{9, 40, 80}, {80, 40, 9}, {40, 9, 80}} {
		check(t, order, []given{{"none", "", "", 24, n[0] + n[1] + n[2] + 3, fmt.Sprint(n[0] + n[1] + n[2] + 3)},
			{"sector", "", "a", 24, n[0], fmt.Sprint(n[0])}, {"sector", "", "b", 24, n[1], fmt.Sprint(n[1])}, {"sector", "", "c", 24, n[2], "null"}, {"sector", "", "d", 24, 3, "<5"}})
	}
}
