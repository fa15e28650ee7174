package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/snapshots"
	"labour/snapshots/eventfiles"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// rowsOf reads a table of the snapshot that a run has made.
func rowsOf[T any](s *small, r Result, table string) []T {
	s.t.Helper()
	store, err := store.Open(s.data)
	if err != nil {
		s.t.Fatal(err)
	}
	rows, err := parquetio.ReadAll[T](filepath.Join(store.SnapshotDir(r.ID), "tables", table+".parquet"))
	if err != nil {
		s.t.Fatal(err)
	}
	return rows
}

// advertLine is an advert of the feed with other properties than usual.
func advertLine(id, change string) string {
	line := fmt.Sprintf(`{"id":%q,"employer":"Employer %s","title":"Chef %s","kind":"job","boroughs":["hackney"]`, id,
		id, id)
	if !strings.Contains(change, `"text"`) {
		line += `,"text":"Come and join."` // that asks for no skills
	}
	if !strings.Contains(change, "imported_from") {
		line += `,"imported_from":"platform"`
	}
	if !strings.Contains(change, "posted_on") {
		line += `,"posted_on":"2026-11-01"`
	}
	if change != "" {
		line += "," + change
	}
	return line + "}\n"
}

// TestJobsAreWhatMayBeShown: live, however old, once per vacancy, and under terms that
// permit republishing. Nothing of an employer's board is shown, whoever delivers it.
func TestJobsAreWhatMayBeShown(t *testing.T) {
	s := newSmall(t)
	s.feed["adverts.ndjson"] = strings.Join([]string{
		advertLine("shown",
			`"closes_on":"2026-11-30","salary_text":"£20,000","link":"https://works.example/shown","sector":"digital",`+
				`"soc":"2134"`),
		advertLine("closes-today", `"closes_on":"2026-11-19"`),
		advertLine("closed", `"closes_on":"2026-11-18"`),
		advertLine("tomorrow", `"posted_on":"2026-11-20"`),
		advertLine("today", `"posted_on":"2026-11-19"`),
		advertLine("old", `"posted_on":"2024-10-01"`),
		advertLine("unlisted", `"unlisted":true`),
		advertLine("job-board", `"imported_from":"job_board"`),
		advertLine("aggregator", `"imported_from":"aggregator"`),
		advertLine("board", `"imported_from":"employer_board"`),
		advertLine("national", `"imported_from":"find_an_apprenticeship"`), // that source is not configured here
		strings.Replace(advertLine("unknown", ""), `,"imported_from":"platform"`, "", 1),
		advertLine("twice-1", `"requisition":"R1"`),
		strings.Replace(advertLine("twice-2", `"requisition":"R1","posted_on":"2026-11-02"`),
			`"employer":"Employer twice-2","title":"Chef twice-2"`,
			`"employer":"Employer twice-1","title":"Chef twice-1"`, 1),
		strings.Replace(advertLine("both", ""), `["hackney"]`, `["hackney","camden"]`, 1),
	}, "")
	var got []string
	for _, j := range rowsOf[snapshots.JobsRow](s, s.run(), "jobs") {
		got = append(got, strings.TrimPrefix(j.ID, "platform:")+" "+j.Boroughs)
		if j.ID == "platform:shown" {
			if j.Title != "Chef shown" || j.Employer != "Employer shown" || j.Type != "job" ||
				*j.SalaryText != "£20,000" || j.SourceKey != "platform" ||
				*j.Link != "https://works.example/shown" || j.Sector != "digital" || j.SOC != "2134" ||
				j.ClosesOn.Format("2006-01-02") != "2026-11-30" {
				t.Errorf("%+v", j)
			}
		}
	}
	want := []string{"old hackney", "both camden,hackney", "closes-today hackney", "shown hackney", "twice-1 hackney",
		"today hackney"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// events are those of a snapshot, everybody's first and then each partner's.
func (s *small) events(r Result) []string {
	s.t.Helper()
	files, err := eventfiles.FindFiles(s.store().SnapshotDir(r.ID), s.manifest(r))
	if err != nil {
		s.t.Fatal(err)
	}
	var list []string
	for _, file := range files {
		rows, err := parquetio.ReadAll[snapshots.EventsRow](file)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, e := range rows {
			list = append(list, fmt.Sprint(e.ID, " ", e.OccurredAt.Format("15:04:05"), " ", e.Partner, " ",
				e.Advert != nil, " ", e.Outcome != nil))
		}
	}
	return list
}

// What nobody may see, and what is still to come when the feed is fetched, is nowhere.
func TestEventsPathwaysAndDevelopments(t *testing.T) {
	s := newSmall(t)
	s.secret = strings.Repeat("5ec4e7a1", 8)
	s.feed["events.ndjson"] = `{"id":"ev-2","type":"outcome.recorded","occurred_at":"2026-11-18T08:00:00+01:00","partner":"north","advert":"ad-1","borough":"camden","outcome":"hired"}
{"id":"ev-1","type":"opportunity.published","occurred_at":"2026-11-19T05:59:59Z"}
{"id":"ev-5","type":"opportunity.published","occurred_at":"2026-11-19T23:59:59Z"}
{"id":"ev-6","type":"outcome.recorded","occurred_at":"2026-11-19T23:59:59Z","partner":"north","outcome":"hired"}
{"id":"ev-0","type":"opportunity.published","occurred_at":"2026-11-20T00:00:00Z"}
{"id":"ev-3","type":"application.created","occurred_at":"2026-11-18T09:00:00Z","advert":"ad-1"}
{"id":"ev-4","type":"outcome.recorded","occurred_at":"2026-11-18T10:00:00Z","advert":"ad-1","outcome":"hired"}
{"id":"ev-7","type":"click.recorded","occurred_at":"2026-11-18T10:00:00Z","advert":"ad-1","outcome":"hired"}
`
	s.feed["pathways.ndjson"] = `{"id":"pw-1","slug":"b","title":"B","sector":"digital","updated_on":"2026-01-02","steps":[{"order":2,"title":"second","level":3},{"order":1,"title":"first","soc":"2134"},{"order":2,"title":"third"}],"apprenticeship_standards":[{"code":"ST2","title":"Two","level":3},{"code":"ST1","title":"One","level":2},{"code":"ST2","title":"Again","level":4}]}
{"id":"pw-0","slug":"a","title":"A","summary":"About A.","sector":"digital","updated_on":"2026-01-03","steps":[]}
`
	site := `{"id":"site-%[1]d","borough":%[2]q,"obligations":2,"jobs_created":%[3]d,"apprenticeships_started":%[3]d,` +
		`"local_people_employed":%[4]d,"training_places":5,"contributions_gbp":6}` + "\n"
	s.feed["s106.ndjson"] = fmt.Sprintf(site, 1, "camden", 5, 30) + fmt.Sprintf(site, 2, "hackney", 4, 2) + fmt.Sprintf(
		site, 3, "camden", 5, 8)
	r := s.run()
	if got, want := strings.Join(s.events(r),
		"; "), "ev-1 05:59:59  false false; ev-2 07:00:00 north true true"; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	var steps, codes []string
	for _, p := range rowsOf[snapshots.PathwayStepsRow](s, r, "pathway_steps") {
		steps = append(steps, fmt.Sprintf("%s/%d/%d %s %t %t", p.Pathway, p.Position, p.Step, p.Title, p.SOC != nil,
			p.Level != nil))
	}
	for _, p := range rowsOf[snapshots.PathwayStandardsRow](s, r, "pathway_standards") {
		codes = append(codes, p.Code+p.Title)
	}
	if got, want := strings.Join(steps,
		"; "), "pw-1/1/1 first true false; pw-1/2/2 second false true; pw-1/3/2 third false false"; got != want {
		t.Errorf("steps %s, want %s", got, want)
	}
	if got := strings.Join(codes, " "); got != "ST1One ST2Two" {
		t.Errorf("standards %s", got)
	}
	if p := rowsOf[snapshots.PathwaysRow](s, r, "pathways"); len(p) != 2 || p[0].Slug != "a" ||
		p[0].Summary != "About A." || p[1].ID != "pw-1" {
		t.Errorf("pathways %+v", p)
	}
	var places []string
	for _, d := range rowsOf[snapshots.S106Row](s, r, "s106") {
		places = append(places, fmt.Sprint(d.Place, " ", d.Developments, d.Obligations, d.TrainingPlaces,
			d.ContributionsGBP))
	}
	for _, d := range rowsOf[snapshots.S106PeopleRow](s, r, "s106_people") {
		jobs, err := figure.ParseCount(d.JobsCreated, d.JobsCreatedStatus)
		started, err2 := figure.ParseCount(d.ApprenticeshipsStarted, d.ApprenticeshipsStartedStatus)
		employed, err3 := figure.ParseCount(d.LocalPeopleEmployed, d.LocalPeopleEmployedStatus)
		if err := errors.Join(err, err2, err3); err != nil {
			t.Fatal(err)
		}
		places = append(places, fmt.Sprint(d.Place, " ", jobs, " ", started, " ", employed))
	}
	// All jobs are 15, which is less than 20: of the boroughs what prints 10 or more is published, and all of
	// the measure whose total is not. The draw is that of the secret.
	if got, want := strings.Join(places,
		"; "), " 3 6 15 18; camden 2 4 10 12; hackney 1 2 5 6;  15 15 40; camden 10 10 35; hackney null null <5"; got != want {
		t.Errorf("s106 %s, want %s", got, want)
	}
}

// residents writes so many residents of a borough.
func (s *small) residents(borough string, n int, more string) {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%s-%s-%d","borough":%q,"seeking_work":%t%s}`+"\n", borough,
			fmt.Sprint(len(s.feed["residents.ndjson"])), i, borough, i%2 == 0, more)
	}
	s.feed["residents.ndjson"] += b.String()
}

func (s *small) candidates(r Result) map[string]string {
	out := map[string]string{}
	for _, row := range rowsOf[snapshots.CandidatesRow](s, r, "candidates") {
		c, err := row.Count()
		if err != nil {
			s.t.Fatal(err)
		}
		out[strings.TrimSpace(row.Dimension+" "+row.Value)] = c.String()
	}
	return out
}

// TestSizesOfTheFeedStayOut: neither the manifest nor anything else reveals the sizes of
// the files with people's applications.
func TestSizesOfTheFeedStayOut(t *testing.T) {
	s := newSmall(t)
	sizes := map[bool]int{}
	for _, in := range s.manifest(s.run()).Inputs {
		for _, o := range in.Objects {
			sizes[in.Source == "platform"] += int(min(o.Bytes, 1))
		}
	}
	if sizes[true] != 0 || sizes[false] == 0 {
		t.Errorf("sizes of the platform's files: %d, of others: %d", sizes[true], sizes[false])
	}
}

// TestReportDoesNotCountPeople: an exporter's last line with a total in it tells how many
// residents there are, if the report says in which line it stood. So do skills that nobody knows.
func TestReportDoesNotCountPeople(t *testing.T) {
	s := newSmall(t)
	s.residents("camden", 7, `,"skills":[{"skill":"glass-harmonica","level":2}]`)
	s.feed["residents.ndjson"] += `{"residents":8}` + "\n"
	s.feed["boroughs.ndjson"] += `{"boroughs":2}` + "\n"
	r := s.run()
	if of := r.Report.EnsureSource("platform"); of.UnknownSkills() != 7 || of.ReceivedRecords() <= of.Records {
		t.Errorf("the operator reads of %d unknown skills and %d records", of.UnknownSkills(), of.ReceivedRecords())
	}
	b, err := os.ReadFile(filepath.Join(s.store().SnapshotDir(r.ID), snapshots.ReportFileName))
	if err != nil {
		t.Fatal(err)
	}
	report := string(b)
	if !strings.Contains(report, `"where": "line 3"`) || strings.Contains(report, "line 9") ||
		strings.Contains(report, "unknown_skills") || strings.Count(report, "lacks the property") < 2 {
		t.Errorf("%s", report)
	}
}

// TestCandidatesArePrinted: multiples of 5, a sector is sought by those who seek work, and
// the same figures until the next quarter.
func TestCandidatesArePrinted(t *testing.T) {
	s := newSmall(t)
	s.feed["residents.ndjson"] = ""
	s.residents("camden", 40,
		`,"sector_sought":"digital","skills":[{"skill":"teamwork","level":2},{"skill":"python","level":4}]`)
	s.residents("hackney", 20, "")
	first := s.candidates(s.run())
	for name, want := range map[string]string{"all": "60", "seeking_work": "30", "borough camden": "40",
		"borough hackney": "20",
		"level 4":         "40", "level 2": "0", "sector_sought digital": "20", "sector_sought care-services": "0"} {
		if first[name] != want {
			t.Errorf("%s: %s, want %s", name, first[name], want)
		}
	}
	s.residents("hackney", 10, "")
	if d := cmp.Diff(first, s.candidates(s.run())); d != "" {
		t.Errorf("ten more in the same quarter can be seen:\n%s", d)
	}
	s.clock = s.clock.AddDate(0, 2, 0)
	if next := s.candidates(s.run()); next["all"] != "70" || next["borough hackney"] != "30" ||
		next["borough camden"] != "40" {
		t.Errorf("in the next quarter: %v", next)
	}
	s.residents("hackney", 2, "")
	s.clock = s.clock.AddDate(0, 3, 0)
	next := s.candidates(s.run())
	if !slices.Contains([]string{"70", "75"}, next["all"]) || !slices.Contains([]string{"30", "35"},
		next["borough hackney"]) || next["borough camden"] != "40" {
		t.Errorf("with two more in the quarter after: %v", next)
	}
}

// A job keeps the time at which it was first seen, in whole runs and light ones; what is
// new has the time of the fetch.
func TestJobsKeepWhenTheyWereFirstSeen(t *testing.T) {
	s := newSmall(t)
	seen := map[string]time.Time{}
	check := func(r Result) {
		t.Helper()
		for _, j := range rowsOf[snapshots.JobsRow](s, r, "jobs") {
			if was, known := seen[j.ID]; known && !j.FirstSeen.Equal(was) || !known &&
				!j.FirstSeen.Equal(s.clock.UTC().Truncate(time.Second)) {
				t.Errorf("%s: first seen at %v, before %v, now %v", j.ID, j.FirstSeen, was, s.clock)
			}
			seen[j.ID] = j.FirstSeen
		}
	}
	for round := range 4 {
		s.feed["adverts.ndjson"] += advertLine(fmt.Sprintf("round-%d", round), "")
		if round%2 == 1 {
			check(s.light())
			continue
		}
		s.clock = s.clock.Add(time.Hour)
		r, err := s.runOnly("")
		if err != nil {
			t.Fatal(err)
		}
		check(r)
	}
	if len(seen) < 4 {
		t.Errorf("only %d jobs", len(seen))
	}
}
