package pipeline

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// rowsOf reads a table of the snapshot that a run has made.
func rowsOf[T any](s *small, r Result, table string) []T {
	s.t.Helper()
	store, err := snapshots.Open(s.data)
	if err != nil {
		s.t.Fatal(err)
	}
	rows, err := parquetio.ReadAll[T](filepath.Join(store.Dir(r.ID), "tables", table+".parquet"))
	if err != nil {
		s.t.Fatal(err)
	}
	return rows
}

// advertLine is an advert of the feed with other properties than usual.
func advertLine(id, change string) string {
	line := fmt.Sprintf(`{"id":%q,"employer":"Employer %s","title":"Chef %s","kind":"job","boroughs":["hackney"]`, id, id, id)
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

// TestJobsAreWhatMayBeShown: live, counted, once per vacancy, and under terms that
// permit republishing. Nothing of an employer's board is shown, whoever delivers it.
func TestJobsAreWhatMayBeShown(t *testing.T) {
	s := newSmall(t)
	s.feed["adverts.ndjson"] = strings.Join([]string{
		advertLine("shown", `"closes_on":"2026-11-30","salary_text":"£20,000","link":"https://works.example/shown","sector":"digital","soc":"2134"`),
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
		strings.Replace(advertLine("twice-2", `"requisition":"R1","posted_on":"2026-11-02"`), "Employer twice-2", "Employer twice-1", 1),
		strings.Replace(advertLine("both", ""), `["hackney"]`, `["hackney","camden"]`, 1),
	}, "")
	var got []string
	for _, j := range rowsOf[snapshots.JobsRow](s, s.run(), "jobs") {
		got = append(got, strings.TrimPrefix(j.ID, "platform:")+" "+j.Boroughs)
		if j.ID == "platform:shown" {
			if j.Title != "Chef shown" || j.Employer != "Employer shown" || j.Type != "job" || *j.SalaryText != "£20,000" || j.SourceKey != "platform" ||
				*j.Link != "https://works.example/shown" || j.Sector != "digital" || j.SOC != "2134" || j.ClosesOn.Format("2006-01-02") != "2026-11-30" {
				t.Errorf("%+v", j)
			}
		}
	}
	want := []string{"both camden,hackney", "closes-today hackney", "shown hackney", "twice-1 hackney", "today hackney"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestEventsPathwaysAndDevelopments(t *testing.T) {
	s := newSmall(t)
	s.feed["events.ndjson"] = `{"id":"ev-2","type":"outcome.recorded","occurred_at":"2026-11-18T08:00:00+01:00","partner":"north","advert":"ad-1","borough":"camden","outcome":"hired"}
{"id":"ev-1","type":"opportunity.published","occurred_at":"2026-11-19T23:59:59Z"}
{"id":"ev-0","type":"opportunity.published","occurred_at":"2026-11-20T00:00:00Z"}
`
	s.feed["pathways.ndjson"] = `{"id":"pw-1","slug":"b","title":"B","sector":"digital","updated_on":"2026-01-02","steps":[{"order":2,"title":"second","level":3},{"order":1,"title":"first","soc":"2134"},{"order":2,"title":"third"}],"apprenticeship_standards":[{"code":"ST2","title":"Two","level":3},{"code":"ST1","title":"One","level":2},{"code":"ST2","title":"Again","level":4}]}
{"id":"pw-0","slug":"a","title":"A","summary":"About A.","sector":"digital","updated_on":"2026-01-03","steps":[]}
`
	site := `{"id":"site-%d","borough":%q,"obligations":2,"jobs_created":3,"apprenticeships_started":4,"local_people_employed":%d,"training_places":5,"contributions_gbp":6}` + "\n"
	s.feed["s106.ndjson"] = fmt.Sprintf(site, 1, "camden", 30) + fmt.Sprintf(site, 2, "hackney", 2) + fmt.Sprintf(site, 3, "camden", 10)
	r := s.run()
	var events []string
	for _, e := range rowsOf[snapshots.EventsRow](s, r, "events") {
		events = append(events, fmt.Sprint(e.ID, " ", e.OccurredAt.Format("15:04:05"), " ", e.Partner, " ", e.Advert != nil, " ", e.Outcome != nil))
	}
	if got, want := strings.Join(events, "; "), "ev-2 07:00:00 north true true; ev-1 23:59:59  false false"; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	var steps, codes []string
	for _, p := range rowsOf[snapshots.PathwayStepsRow](s, r, "pathway_steps") {
		steps = append(steps, fmt.Sprintf("%s/%d/%d %s %t %t", p.Pathway, p.Position, p.Step, p.Title, p.SOC != nil, p.Level != nil))
	}
	for _, p := range rowsOf[snapshots.PathwayStandardsRow](s, r, "pathway_standards") {
		codes = append(codes, p.Code+p.Title)
	}
	if got, want := strings.Join(steps, "; "), "pw-1/1/1 first true false; pw-1/2/2 second false true; pw-1/3/2 third false false"; got != want {
		t.Errorf("steps %s, want %s", got, want)
	}
	if got := strings.Join(codes, " "); got != "ST1One ST2Two" {
		t.Errorf("standards %s", got)
	}
	if p := rowsOf[snapshots.PathwaysRow](s, r, "pathways"); len(p) != 2 || p[0].Slug != "a" || p[0].Summary != "About A." || p[1].ID != "pw-1" {
		t.Errorf("pathways %+v", p)
	}
	var places []string
	for _, d := range rowsOf[snapshots.S106Row](s, r, "s106") {
		c, err := d.Employed()
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, fmt.Sprint(d.Place, " ", d.Developments, d.Obligations, d.JobsCreated, d.ApprenticeshipsStarted, d.TrainingPlaces, d.ContributionsGBP, " ", c))
	}
	if got, want := strings.Join(places, "; "), " 3 6 9 12 15 18 42; camden 2 4 6 8 10 12 null; hackney 1 2 3 4 5 6 <5"; got != want {
		t.Errorf("s106 %s, want %s", got, want)
	}
}

// residents writes so many residents of a borough.
func (s *small) residents(borough string, n int, more string) {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%s-%s-%d","borough":%q,"seeking_work":%t%s}`+"\n", borough, fmt.Sprint(len(s.feed["residents.ndjson"])), i, borough, i%2 == 0, more)
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

// TestSizesOfTheFeedStayOut: neither the manifest nor anything else says how large
// the files are in which people's applications lie.
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

// TestCandidatesArePrinted: true numbers, small ones as tokens with their covers,
// everything null under ten, and the same figures until the next quarter end.
func TestCandidatesArePrinted(t *testing.T) {
	s := newSmall(t)
	s.feed["residents.ndjson"] = ""
	s.residents("camden", 40, `,"sector_sought":"digital","skills":[{"skill":"teamwork","level":2},{"skill":"python","level":4}]`)
	s.residents("hackney", 20, "")
	first := s.candidates(s.run())
	for name, want := range map[string]string{"all": "60", "seeking_work": "30", "borough camden": "40", "borough hackney": "20",
		"level 4": "40", "level 2": "0", "sector_sought digital": "40", "sector_sought care-services": "0"} {
		if first[name] != want {
			t.Errorf("%s: %s, want %s", name, first[name], want)
		}
	}
	s.residents("hackney", 10, "")
	if d := cmp.Diff(first, s.candidates(s.run())); d != "" {
		t.Errorf("ten more in the same quarter can be seen:\n%s", d)
	}
	s.clock = s.clock.AddDate(0, 2, 0)
	if next := s.candidates(s.run()); next["all"] != "70" || next["borough hackney"] != "30" || next["borough camden"] != "40" {
		t.Errorf("after the quarter's end: %v", next)
	}
	s.residents("hackney", 3, "")
	s.clock = s.clock.AddDate(0, 3, 0)
	if next := s.candidates(s.run()); next["all"] != "null" || next["borough hackney"] != "null" {
		t.Errorf("three more at the next quarter's end can be seen: %v", next)
	}
	few := newSmall(t)
	few.feed["residents.ndjson"] = ""
	few.residents("camden", 9, "")
	for name, token := range few.candidates(few.run()) {
		if token != "null" {
			t.Errorf("nine residents: %s is %s", name, token)
		}
	}
}

// TestSeekingWorkHidesThoseWhoDoNot: total and seekers would give the difference.
func TestSeekingWorkHidesThoseWhoDoNot(t *testing.T) {
	for seeking, want := range map[int64]string{0: "0", 3: "<5", 30: "30", 57: "null", 60: "60", 55: "55", 56: "null"} {
		truth := map[[2]string]int64{{"all", ""}: 60, {"seeking_work", ""}: seeking}
		rows, _, err := printCandidates(disclosure.Rules{}, truth, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := rows[1].Count(); err != nil || rows[1].Dimension != snapshots.CandidatesSeeking || c.String() != want {
			t.Errorf("%d of 60 seek work: %s, %v, want %s", seeking, c, err, want)
		}
	}
}
