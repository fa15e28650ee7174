package cells

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/sources"
)

// occupationKey is what skills gaps are counted for.
type occupationKey struct{ country, class, soc, region string }

// skillsGaps asks for the skills gaps of evidence.
func skillsGaps(t testing.TB, e *QueryRunner, dir string, list []sources.Evidence) []snapshots.SkillsGapsRow {
	give(t, e, dir, "evidence_read", staging.EvidenceRows(list))
	return ask[snapshots.SkillsGapsRow](t, e, dir, QuerySkillsGaps)
}

// drawEvidence draws evidence from so few values that sources agree, contradict
// and repeat each other often.
func drawEvidence(t *rapid.T) []sources.Evidence {
	n := rapid.IntRange(0, 30).Draw(t, "n")
	list := make([]sources.Evidence, n)
	for i := range list {
		pick := func(what string, of ...string) string { return rapid.SampledFrom(of).Draw(t, what) }
		list[i] = sources.Evidence{
			Source: pick("source", "a", "b", "c"), ID: fmt.Sprint(i), Kind: pick("kind", "statistic", "projection",
				"report", "news"),
			Signal: pick("signal", "gap", "no_gap", "none"), SOC: pick("soc", "", "21", "2136"),
			Class:      pick("class", "SOC2020", "SOC2018-US"),
			RegionCode: pick("region", "", "E92000001"), Country: pick("country", "GB", "US"),
			HorizonYear: rapid.SampledFrom([]int{0, 2030, 2035}).Draw(t, "horizon"),
			Embargoed:   rapid.IntRange(0, 3).Draw(t, "embargoed") == 0,
			Published:   sources.Date{Year: 2025, Month: 1, Day: rapid.IntRange(1, 3).Draw(t, "day")},
		}
	}
	return list
}

// agreeing counts by the rule, word for word: "the count of distinct published
// sources that point to a gap for an occupation. A news headline is never counted."
func agreeing(list []sources.Evidence, country, class, soc, region string) (keys []string) {
	for _, source := range []string{"a", "b", "c"} {
		points := false
		for _, e := range list {
			if e.Source == source && e.Country == country && e.Class == class && e.SOC == soc &&
				e.RegionCode == region &&
				e.Signal == "gap" && e.Kind != "news" && !e.Embargoed {
				points = true
			}
		}
		if points {
			keys = append(keys, source)
		}
	}
	return keys
}

// TestSourcesAgreeing compares every row, and the absence of every other, with the
// rule applied by brute force.
func TestSourcesAgreeing(t *testing.T) {
	snaptest.LimitRapidDraws(t, "24")
	e, dir := localRunner(t), t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		list := drawEvidence(rt)
		type key struct {
			occupationKey
			source  string
			horizon int32
		}
		want := map[key]string{}
		for _, e := range list {
			keys := agreeing(list, e.Country, e.Class, e.SOC, e.RegionCode)
			if e.Kind == "projection" && !e.Embargoed && e.SOC != "" && len(keys) > 0 {
				want[key{occupationKey{e.Country, e.Class, e.SOC, e.RegionCode}, e.Source,
					int32(e.HorizonYear)}] = fmt.Sprint(len(keys), strings.Join(keys, ","))
			}
		}
		for _, e := range list { // an occupation without a projection has one row all the same
			k := occupationKey{e.Country, e.Class, e.SOC, e.RegionCode}
			keys := agreeing(list, e.Country, e.Class, e.SOC, e.RegionCode)
			projection := func(p sources.Evidence) bool {
				return p.Kind == "projection" && !p.Embargoed && occupationKey{p.Country, p.Class, p.SOC,
					p.RegionCode} == k
			}
			if e.SOC != "" && len(keys) > 0 && !slices.ContainsFunc(list, projection) {
				want[key{k, keys[0], 0}] = fmt.Sprint(len(keys), strings.Join(keys, ","))
			}
		}
		rows := skillsGaps(t, e, dir, list)
		got := map[key]string{}
		for _, r := range rows {
			k := key{occupationKey: occupationKey{r.Country, r.Classification, r.SOC, r.RegionCode},
				source: r.SourceKey}
			if r.HorizonYear != nil {
				k.horizon = *r.HorizonYear
			}
			got[k] = fmt.Sprint(r.SourcesAgreeing, r.PointingSources)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(key{}, occupationKey{})); diff != "" ||
			len(rows) != len(got) {
			rt.Fatalf("%d rows (- want, + got):\n%s", len(rows), diff)
		}
	})
}

// TestNewsIsNeverCounted adds headlines that point to a gap for everything: no row changes.
func TestNewsIsNeverCounted(t *testing.T) {
	snaptest.LimitRapidDraws(t, "24")
	e, dir := localRunner(t), t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		list := drawEvidence(rt)
		want := skillsGaps(t, e, dir, list)
		for _, e := range slices.Clone(list) {
			e.Kind, e.Signal, e.Source = "news", "gap", "headlines"
			list = append(list, e)
		}
		if diff := cmp.Diff(want, skillsGaps(t, e, dir, list)); diff != "" {
			rt.Fatalf("a headline was counted (- without, + with):\n%s", diff)
		}
	})
}

// TestEmbargoedEvidenceStaysOut: no open table may tell that an embargoed projection exists.
func TestEmbargoedEvidenceStaysOut(t *testing.T) {
	snaptest.LimitRapidDraws(t, "24")
	e, dir := localRunner(t), t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		list := drawEvidence(rt)
		open := slices.DeleteFunc(slices.Clone(list), func(e sources.Evidence) bool { return e.Embargoed })
		if diff := cmp.Diff(skillsGaps(t, e, dir, open), skillsGaps(t, e, dir, list)); diff != "" {
			rt.Fatalf("skills_gaps (- without embargoed, + with):\n%s", diff)
		}
	})
}

// figureRow is a published figure on courses.
type figureRow struct {
	Source      string    `col:"source_key"`
	Metric      string    `col:"metric"`
	Country     string    `col:"country"`
	RegionCode  string    `col:"region_code"`
	RegionName  string    `col:"region_name"`
	SubjectArea string    `col:"subject_area"`
	Series      string    `col:"series"`
	PeriodEnd   time.Time `col:"period_end"`
	PublishedOn time.Time `col:"published_on"`
	Value       *int64    `col:"value"`
	Licence     string    `col:"licence"`
	Link        string    `col:"link"`
}

// TestEvidenceIsStated: a figure, what a source publishes as evidence and a headline have a row
// each, and no row tells that an embargoed projection exists.
func TestEvidenceIsStated(t *testing.T) {
	e, dir, many := localRunner(t), t.TempDir(), int64(1_234_567)
	day := time.Date(2025, 7, 5, 0, 0, 0, 0, time.UTC)
	figure := figureRow{Source: "a", Metric: "apprenticeship_starts", Country: "GB", RegionCode: "E12000007",
		RegionName: "London", SubjectArea: "Health & Care",
		Series: "Academic year", PeriodEnd: day, PublishedOn: day, Value: &many}
	few, unknown := figure, figure
	few.SubjectArea, few.Value = "Total", nil
	unknown.Metric = "no_metric"
	give(t, e, dir, "course_figures", []figureRow{figure, few, unknown})
	give(t, e, dir, "source_listed",
		[]snapshots.SourcesRow{{Key: "a", Publisher: "An office", Licence: "A", Link: "https://a.example/"}})
	give(t, e, dir, "news",
		[]snapshots.SignalsRow{{ID: "a:x y", PublishedOn: day, Summary: "News.", SourceKey: "a",
			Link: "https://n.example/"}})
	give(t, e, dir, "evidence_read",
		staging.EvidenceRows([]sources.Evidence{{Source: "a", ID: "1/é", Kind: "report", Signal: "gap", SOC: "2134",
			Statement: "S", Link: "https://r.example/"},
			{Source: "a", ID: "2", Kind: "projection", Signal: "gap", Embargoed: true},
			{Source: "a", ID: "1/é", Statement: "again"}}))
	var got []string
	for _, r := range ask[snapshots.EvidenceRow](t, e, dir, QueryEvidence) {
		got = append(got, strings.Join([]string{r.ID, r.Title, r.Statement, r.Kind, r.Signal, r.Licence, r.Link},
			" | "))
	}
	want := []string{"a:1-- |  | S | report | gap | A | https://r.example/",
		"a:apprenticeship_starts:E12000007:health-care:academic-year:2025-07-05 | Apprenticeship starts in London | " +
			"Apprenticeship starts in London, Health & Care, period to 5 July 2025: 1,234,567. | statistic | none | A | " +
			"https://a.example/",
		"a:apprenticeship_starts:E12000007:total:academic-year:2025-07-05 | Apprenticeship starts in London | " +
			"Apprenticeship starts in London, period to 5 July 2025: <5. | statistic | none | A | https://a.example/",
		"a:x-y | News of An office | News. | news | none | A | https://n.example/"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(- want, + got):\n%s", diff)
	}
}

// TestNewestProjectionStands: of two editions of one projection one row is left,
// whichever order they are read in.
func TestNewestProjectionStands(t *testing.T) {
	edition := func(day int, openings int64) sources.Evidence {
		return sources.Evidence{Source: "a", ID: fmt.Sprint(day), Kind: "projection", Signal: "gap", SOC: "21",
			Class: "SOC2020", Country: "GB",
			HorizonYear: 2035, Published: sources.Date{Year: 2025, Month: 1, Day: day}, Openings: &openings}
	}
	e, dir := localRunner(t), t.TempDir()
	for _, list := range [][]sources.Evidence{{edition(1, 10), edition(2, 20)}, {edition(2, 20), edition(1, 10)}} {
		if rows := skillsGaps(t, e, dir, list); len(rows) != 1 || *rows[0].ProjectedOpenings != 20 {
			t.Errorf("rows %+v", rows)
		}
	}
	far := edition(1, 10)
	change := 1e6
	far.ChangePct = &change
	if rows := skillsGaps(t, e, dir, []sources.Evidence{far}); len(rows) != 1 || rows[0].ProjectedChangePct != nil {
		t.Errorf("a change that the column has no room for: %+v", rows)
	}
}

// TestIDsOfEvidenceAreApart: names that read alike in an address have the first eight digits of their MD5
// behind them, and a name that is there twice is one statement.
func TestIDsOfEvidenceAreApart(t *testing.T) {
	e, dir, many := localRunner(t), t.TempDir(), int64(10)
	day := time.Date(2025, 7, 5, 0, 0, 0, 0, time.UTC)
	figure := figureRow{Source: "a", Metric: "apprenticeship_starts", Country: "GB", RegionCode: "E12000007",
		RegionName: "London", SubjectArea: "Health & Care", Series: "Academic year", PeriodEnd: day, PublishedOn: day,
		Value: &many}
	alike := figure
	alike.SubjectArea = "Health, Care"
	give(t, e, dir, "course_figures", []figureRow{figure, alike})
	give(t, e, dir, "source_listed", []snapshots.SourcesRow{{Key: "a"}})
	give(t, e, dir, "news", []snapshots.SignalsRow{})
	give(t, e, dir, "evidence_read", staging.EvidenceRows([]sources.Evidence{{Source: "a", ID: "b/c"},
		{Source: "a", ID: "b c"}, {Source: "a", ID: "d/e"}, {Source: "a", ID: "d/e"}}))
	record := snapshots.FigureRecord{Metric: figure.Metric, RegionCode: figure.RegionCode, PeriodEnd: "2025-07-05",
		SubjectArea: figure.SubjectArea}
	var got []string
	for _, r := range ask[snapshots.EvidenceRow](t, e, dir, QueryEvidence) {
		got = append(got, r.ID)
		states := record.IsStatedIn(r.ID, "a") && record.HasSubjectOf(r.Statement)
		if states != strings.Contains(r.Statement, "Health & Care") {
			t.Errorf("%s, %q, states %s: %t", r.ID, r.Statement, record, states)
		}
	}
	slices.Sort(got)
	const course = "a:apprenticeship_starts:E12000007:health-care:academic-year:2025-07-05-"
	want := []string{"a:b-c-24e710dd", "a:b-c-b5fddffd", "a:d-e", course + "2536a16f", course + "ee629e20"}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(- want, + got):\n%s", diff)
	}
}
