package web

import (
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// A breakdown shows shares of enough adverts first, then those of a handful, and areas after boroughs.
func TestBreakdownBeginsWithEnoughAdverts(t *testing.T) {
	bucket := func(name, kind string, asking, adverts int64) bucketRow {
		r := askedOf(asking, adverts)
		r.Bucket = &name
		if kind != "" {
			r.AreaKind = &kind
		}
		return bucketRow{SkillsUnmetRow: r}
	}
	for _, c := range []struct {
		rows []bucketRow
		want string
	}{
		{[]bucketRow{bucket("legal", "", 5, 5), bucket("digital", "", 30, 60), bucket("care", "", 10, 90)},
			"digital care legal"},
		{[]bucketRow{bucket("city", "borough", 5, 6), bucket("camden", "borough", 9, 60), bucket("east", "area", 9, 30)},
			"camden city east"},
	} {
		slices.SortStableFunc(c.rows, byConfidence)
		var names []string
		for _, r := range c.rows {
			names = append(names, *r.Bucket)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("the order is %s, want %s", got, c.want)
		}
	}
}

// The planner's table ends with the sectors of a handful of adverts, whatever their score.
func TestPlanEndsWithHandfuls(t *testing.T) {
	sector := func(name string, asking, adverts, score int64) planRow {
		r := askedOf(asking, adverts)
		r.BucketName, r.Score = &name, api.Score{TenThousandths: &score}
		return planRow{Sector: r}
	}
	rows := []planRow{sector("legal", 6, 6, 900_000), sector("care", 30, 90, 200_000), sector("digital", 30, 60, 300_000)}
	sortPlan(rows)
	var names []string
	for _, r := range rows {
		names = append(names, *r.Sector.BucketName)
	}
	if got := strings.Join(names, " "); got != "digital care legal" {
		t.Errorf("the order is %s", got)
	}
}

// A share is compared with that of all other places, without the place itself.
func TestComparedWithAllOtherPlaces(t *testing.T) {
	errors := figure.CodingErrors{RandomError: 0.46, SystematicError: 0.05}
	for _, c := range []struct {
		here, all api.SkillsUnmetRow
		unclear   bool
	}{
		{askedOf(30, 100), askedOf(280, 1000), true},
		{askedOf(60, 100), askedOf(160, 1000), false},
		{askedOf(40, 50), askedOf(50, 100), false}, // 10 of the 50 other ones
	} {
		r := comparedRow{SkillsUnmetRow: c.here, Whole: &c.all}
		if r.compareWhole(errors); r.WholeUnclear != c.unclear {
			t.Errorf("%v of %v: unclear is %t", c.here.AdvertsSample, c.all.AdvertsSample, r.WholeUnclear)
		}
	}
	alone := comparedRow{SkillsUnmetRow: askedOf(1, 2)}
	if alone.compareWhole(errors); alone.WholeUnclear {
		t.Error("a share that is compared with nothing is unclear")
	}
}

// Sorted by people turned down, "<5" stands between 5 and nobody, and what is not published comes last.
func TestUnderFiveIsMoreThanNobody(t *testing.T) {
	few, err := figure.ParseCount[int64](nil, figure.StatusUnderFive)
	if err != nil {
		t.Fatal(err)
	}
	turned := measures()[3]
	var rows []api.SkillsUnmetRow
	for name, c := range map[string]figure.Count{"unpublished": {}, "none": figure.CountOf(0), "few": few,
		"five": figure.CountOf(5)} {
		rows = append(rows, api.SkillsUnmetRow{Skill: name, TurnedDown: api.Count{Count: c}})
	}
	sortRows(rows, turned.order)
	var names []string
	for _, r := range rows {
		names = append(names, r.Skill)
	}
	if got := strings.Join(names, " "); got != "five few none unpublished" {
		t.Errorf("the order is %s", got)
	}
}

// The classes of a map of counts name printed counts: rounded ones are multiples of 5.
func TestClassesOfRoundedCounts(t *testing.T) {
	turned := measures()[3]
	for _, c := range []struct {
		counts []int64
		want   string
	}{
		{[]int64{0, 5, 10}, "0|5|10"},
		{[]int64{0, 5, 30}, "0 to 5|10 to 15|20 to 25|30 to 35"},
		{[]int64{0, 6, 10}, "0 to 2|3 to 5|6 to 8|9 to 11"},
	} {
		var rows []bucketRow
		for _, n := range c.counts {
			rows = append(rows, bucketRow{SkillsUnmetRow: api.SkillsUnmetRow{TurnedDown: api.Count{Count: figure.CountOf(n)}}})
		}
		s, names := scaleOf(turned, rows), []string{}
		for i := range s.classes {
			names = append(names, s.words(turned, i))
		}
		if got := strings.Join(names, "|"); got != c.want {
			t.Errorf("%v: the classes are %s, want %s", c.counts, got, c.want)
		}
	}
}
