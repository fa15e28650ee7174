package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"labour/pipeline/cells"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// occupationKey is what skills gaps are counted for.
type occupationKey struct{ country, class, soc, region string }

// openEvidence is the evidence that may be shown and counted: what is held waits
// for the confirmation of its reuse terms, and neither its statement nor its
// pointing to a gap may show before.
func openEvidence(all []sources.Evidence) []sources.Evidence {
	return slices.DeleteFunc(slices.Clone(all), func(e sources.Evidence) bool { return e.Held })
}

// skillsGaps makes one row per projection of an occupation that at least one published source
// points to, and one row without figures for an occupation that has no projection.
// `sources_agreeing` "is the count of distinct published sources that point to a gap for an
// occupation. A news headline is never counted." Sources agree on an occupation only within one
// country, region and classification, and only under the same code. Held evidence is left out.
func skillsGaps(all []sources.Evidence) []snapshots.SkillsGapsRow {
	evidence := openEvidence(all)
	slices.SortStableFunc(evidence, func(x, y sources.Evidence) int {
		return cmp.Or(y.Published.Time().Compare(x.Published.Time()), strings.Compare(x.ID, y.ID))
	})
	pointing := map[occupationKey][]string{}
	for _, e := range evidence {
		if e.SOC != "" && e.Signal == "gap" && e.Kind != "news" {
			k := keyOf(e)
			pointing[k] = append(pointing[k], e.Source)
		}
	}
	var rows []snapshots.SkillsGapsRow
	projected := map[occupationKey]bool{}
	for _, e := range evidence {
		agreeing := sortedKeys(pointing[keyOf(e)])
		if e.Kind != "projection" || e.SOC == "" || len(agreeing) == 0 {
			continue
		}
		projected[keyOf(e)] = true
		row := snapshots.SkillsGapsRow{SOC: e.SOC, Occupation: e.Occupation, Classification: e.Class, Country: e.Country,
			RegionCode: e.RegionCode, SourcesAgreeing: int32(len(agreeing)), PointingSources: strings.Join(agreeing, ","),
			BaseYear: yearOrNull(e.BaseYear), HorizonYear: yearOrNull(e.HorizonYear), ProjectedOpenings: e.Openings, SourceKey: e.Source}
		if e.ChangePct != nil && math.Abs(*e.ChangePct*10) < float64(figure.MaxTenths) {
			change := figure.Tenths(math.Round(*e.ChangePct * 10))
			row.ProjectedChangePct = &change
		}
		rows = append(rows, row)
	}
	rows = append(rows, withoutProjection(evidence, pointing, projected)...)
	// Of two projections of one source for the same year the one published last stands.
	return distinct("skills_gaps", rows)
}

// withoutProjection makes the rows of the occupations that sources point to and none projects.
// evidence is ordered from the newest; a row has the name that the newest pointing source gives.
func withoutProjection(evidence []sources.Evidence, pointing map[occupationKey][]string, projected map[occupationKey]bool) (rows []snapshots.SkillsGapsRow) {
	for _, e := range evidence {
		k := keyOf(e)
		agreeing := sortedKeys(pointing[k])
		if projected[k] || len(agreeing) == 0 || e.Signal != "gap" || e.Kind == "news" {
			continue
		}
		projected[k] = true // once
		rows = append(rows, snapshots.SkillsGapsRow{SOC: e.SOC, Occupation: e.Occupation, Classification: e.Class, Country: e.Country,
			RegionCode: e.RegionCode, SourcesAgreeing: int32(len(agreeing)), PointingSources: strings.Join(agreeing, ","), SourceKey: agreeing[0]})
	}
	return rows
}

func keyOf(e sources.Evidence) occupationKey {
	return occupationKey{e.Country, e.Class, e.SOC, e.RegionCode}
}

func sortedKeys(keys []string) []string { return slices.Compact(slices.Sorted(slices.Values(keys))) }

func yearOrNull(y int) *int32 {
	if y == 0 {
		return nil
	}
	n := int32(y)
	return &n
}

type courseFigure struct {
	SourceKey   string    `col:"source_key"`
	Metric      string    `col:"metric"`
	Country     string    `col:"country"`
	RegionCode  string    `col:"region_code"`
	RegionName  string    `col:"region_name"`
	SubjectArea string    `col:"subject_area"`
	Series      string    `col:"series"`
	PeriodEnd   time.Time `col:"period_end"`
	PublishedOn time.Time `col:"published_on"`
	Value       *int64    `col:"value"` // nil = fewer than 5
	Licence     string    `col:"licence"`
	Link        string    `col:"link"`
}

var courseMetrics = map[string]string{"apprenticeship_starts": "Apprenticeship starts",
	"further_education_enrolments": "Further education enrolments", "skills_bootcamp_starts": "Skills bootcamp starts"}

// evidenceRows are the statements behind the published figures: one per figure on
// courses, what the sources publish as evidence themselves, and news.
func (t *tables) evidenceRows(ctx context.Context) ([]snapshots.EvidenceRow, error) {
	file, err := t.ask(ctx, cells.Evidence)
	if err != nil {
		return nil, err
	}
	var rows []snapshots.EvidenceRow
	err = parquetio.Read(file, func(f courseFigure) error {
		if courseMetrics[f.Metric] != "" {
			rows = append(rows, f.evidence())
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("evidence: %w", err)
	}
	rows = append(append(rows, publishedEvidence(t.build.in.evidence, t.listed)...), t.newsEvidence()...)
	return distinct("evidence", rows), nil
}

var notPlain = regexp.MustCompile(`[^a-z0-9]+`)

func (f *courseFigure) evidence() snapshots.EvidenceRow {
	slug := func(s string) string { return notPlain.ReplaceAllString(strings.ToLower(s), "-") }
	title, subject, value := courseMetrics[f.Metric]+" in "+f.RegionName, ", "+f.SubjectArea, "<5"
	if f.SubjectArea == "Total" {
		subject = ""
	}
	if f.Value != nil {
		value = message.NewPrinter(language.BritishEnglish).Sprintf("%d", *f.Value)
	}
	return snapshots.EvidenceRow{ID: strings.Join([]string{f.SourceKey, f.Metric, f.RegionCode, slug(f.SubjectArea), slug(f.Series), f.PeriodEnd.Format(time.DateOnly)}, ":"),
		PublishedOn: f.PublishedOn, Title: title, Statement: title + subject + ", period to " + f.PeriodEnd.Format("2 January 2006") + ": " + value + ".",
		Kind: "statistic", Signal: "none", RegionCode: &f.RegionCode, Country: f.Country, SourceKey: f.SourceKey, Licence: f.Licence, Link: f.Link}
}
