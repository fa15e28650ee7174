package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"labour/pipeline"
	"labour/pipeline/corrections"
)

// correctedFigure is a figure of the made-up world that TestCorrectedFiguresAreMarkedEverywhere corrects.
const (
	correctedSubject = "Health, Public Services and Care"
	correctedRecord  = "apprenticeship_starts E92000001 2025-07-31 " + correctedSubject
)

// TestCorrectedFiguresAreMarkedEverywhere: while a correction is in force, each answer, file and page with
// the figure names the publisher's value and the reason, and answers and files the day. Without it, they do
// not, and the figure is the publisher's.
func TestCorrectedFiguresAreMarkedEverywhere(t *testing.T) {
	p := publish(t)
	published := p.correctedValue()
	p.checkMarks(published, "", "")
	tags := p.tagsOfCorrected()

	// More than all enrolments in the subject, so that the planner's table shows this figure.
	p.runWith(corrections.Correction{Source: "dfe_apprenticeships", Kind: "statistic", Record: correctedRecord,
		Field: "value", Old: published, New: "777770", Reason: "A digit is wrong.", DecidedBy: "An analyst",
		DecidedDay: "2026-11-18"})
	p.checkMarks("777770", "On 2026-11-18 the operator corrected the figure "+correctedRecord+
		" to 777770; the publisher gives "+published+": A digit is wrong.", "777,770; the publisher gives ")
	for i, tag := range p.tagsOfCorrected() {
		if tag == tags[i] {
			t.Errorf("answer %d has the tag of the answer without the correction", i)
		}
	}

	p.runWith()
	p.checkMarks(published, "", "")
}

// runWith runs the pipeline an hour later with the given corrections and serves the result.
func (p *published) runWith(list ...corrections.Correction) {
	p.t.Helper()
	settings := *p.options.Config
	settings.Corrections = list
	p.options.Config = &settings
	*p.clock = p.clock.Add(time.Hour)
	if _, err := pipeline.Run(context.Background(), p.options); err != nil {
		p.t.Fatal(err)
	}
	p.reload()
}

// correctedAnswers are the answers of the API with the corrected figure.
func correctedAnswers() []asked {
	return []asked{
		{"/v1/labour/course-demand", url.Values{"subject_area": {correctedSubject}, "metric": {"apprenticeship_starts"}}},
		{"/v1/labour/evidence", url.Values{"kind": {"statistic"}, "limit": {"200"}}}}
}

func (p *published) tagsOfCorrected() (tags []string) {
	for _, a := range correctedAnswers() {
		tags = append(tags, p.tagOf(a))
	}
	return tags
}

// correctedValue returns the figure as course-demand has it.
func (p *published) correctedValue() string {
	p.t.Helper()
	a := correctedAnswers()[0]
	for _, row := range p.get(a.path, a.query).Data {
		if row["period_end"] == "2025-07-31" {
			return fmt.Sprint(row["value"])
		}
	}
	p.t.Fatal("the figure is not published")
	return ""
}

// checkMarks compares the figure, the note in each format of the answers and the mark on the pages.
func (p *published) checkMarks(value, note, mark string) {
	p.t.Helper()
	if got := p.correctedValue(); got != value {
		p.t.Errorf("the figure is %s, want %s", got, value)
	}
	for _, a := range correctedAnswers() {
		if got := p.get(a.path, a.query).Meta.Note; got != note {
			p.t.Errorf("%s has the note %q, want %q", a.path, got, note)
		}
		for _, format := range []string{"csv", "parquet"} {
			query := url.Values{"format": {format}}
			for name, values := range a.query {
				query[name] = values
			}
			response := p.request(a.path, query)
			response.Body.Close()
			if got := response.Header.Get("X-Note"); response.StatusCode != http.StatusOK || got != note {
				p.t.Errorf("%s as %s: status %d, note %q", a.path, format, response.StatusCode, got)
			}
		}
		if got := p.noteInWorkbook("/xlsx/"+strings.TrimPrefix(a.path, "/v1/labour/"), a.query); got != note {
			p.t.Errorf("the workbook of %s has the note %q", a.path, got)
		}
	}
	pages := []asked{{"/courses", nil}, {"/evidence", url.Values{"kind": {"statistic"}, "q": {"Health"}}},
		{"/plan", nil}, {"/skills/personal-care", nil}}
	for _, page := range pages {
		text := p.bodyOf(page)
		if got := strings.Contains(text, "the publisher gives "); got != (mark != "") || !strings.Contains(text, mark) {
			p.t.Errorf("%s: marked %t, want the mark %q", page.path, got, mark)
		}
	}
	table := p.bodyOf(asked{"/plan.csv", nil})
	if strings.Contains(table, "the operator ") != (note != "") || !strings.Contains(table, note) {
		p.t.Errorf("the planner's table as CSV does not say %q:\n%s", note, table)
	}
}

// noteInWorkbook returns the note on the second sheet of a workbook.
func (p *published) noteInWorkbook(path string, query url.Values) string {
	p.t.Helper()
	response := p.request(path, query)
	defer response.Body.Close()
	book, err := excelize.OpenReader(response.Body)
	if err != nil {
		p.t.Fatalf("%s: status %d, %v", path, response.StatusCode, err)
	}
	defer book.Close()
	rows, err := book.GetRows("Sources")
	if err != nil {
		p.t.Fatal(err)
	}
	for _, row := range rows {
		if len(row) > 1 && row[0] == "Note" {
			return row[1]
		}
	}
	return ""
}

func (p *published) bodyOf(a asked) string {
	p.t.Helper()
	response := p.request(a.path, a.query)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		p.t.Fatalf("%s: status %d, %v", a.path, response.StatusCode, err)
	}
	return string(text)
}
