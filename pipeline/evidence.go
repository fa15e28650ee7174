package pipeline

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"labour/pipeline/cells"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// openEvidence is the evidence that may be shown and counted: what is held waits
// for the confirmation of its reuse terms, and neither its statement nor its
// pointing to a gap may show before.
func openEvidence(all []sources.Evidence) []sources.Evidence {
	return slices.DeleteFunc(slices.Clone(all), func(e sources.Evidence) bool { return e.Held })
}

// skillsGaps writes the forecast skills gaps of what the sources publish as evidence.
func (t *tables) skillsGaps(ctx context.Context) error {
	if err := show(ctx, t, "evidence_read", staging.EvidenceRows(t.build.in.evidence)); err != nil {
		return err
	}
	file, err := t.ask(ctx, cells.SkillsGaps)
	if err != nil {
		return err
	}
	return t.importTable("skills_gaps", file)
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
