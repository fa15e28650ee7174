package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/counting"
	"labour/sources"
)

// object asks the server and decodes any answer.
func (p *published) object(path string, query url.Values) map[string]any {
	p.t.Helper()
	response := p.request(path, query)
	defer response.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil || response.StatusCode != http.StatusOK {
		p.t.Fatalf("%s?%s: status %d, %v, %v", path, query.Encode(), response.StatusCode, out, err)
	}
	return out
}

// liveJob is what the oracle expects of one job.
type liveJob struct {
	id, title, kind, source string
	posted                  sources.Date
	boroughs                []string
	sector, soc             string
}

// liveJobs are the jobs that may be shown, worked out of the raw records with no
// SQL: of each counted vacancy the counted advert if it may be shown, else the
// first of the others by source, day and id.
func liveJobs(t *testing.T, p *published, records []sources.Record) []liveJob {
	t.Helper()
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	adverts, councils, boundaries, boroughs := advertsAndPlaces(records)
	gazetteer, faults := place.NewGazetteer(councils, boundaries, boroughs)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	slugs := map[string]string{}
	for _, b := range boroughs {
		slugs[b.Code] = b.Slug
	}
	coder := &coding.Coder{Registers: registers, Gazetteer: gazetteer}
	coded, candidates := make([]coding.CodedAdvert, len(adverts)), make([]counting.AdvertFields, len(adverts))
	for i := range adverts {
		coded[i] = coder.CodeAdvert(&adverts[i])
		candidates[i] = counting.NewAdvertFields(&adverts[i], coded[i].Place.Country,
			samePlace(&adverts[i], coded[i].Place.Councils))
	}
	vacancies := map[int][]int{}
	for i, v := range verdictsOn(candidates, p.options.AsOf) {
		a := adverts[i]
		open := a.Closes.IsZero() || !a.Closes.Before(p.options.AsOf)
		if v.CountedAs >= 0 && open && a.Source != "employer_boards" && a.Origin != sources.OriginEmployerBoard {
			vacancies[v.CountedAs] = append(vacancies[v.CountedAs], i)
		}
	}
	settlePlaces(adverts, coded)
	var out []liveJob
	for counted, shown := range vacancies {
		first := func(i int) string {
			a := adverts[i]
			return fmt.Sprint(i != counted, slices.Index(advertPrecedence, a.Source), a.Posted, a.Source+":"+a.ID)
		}
		best := slices.MinFunc(shown, func(a, b int) int { return strings.Compare(first(a), first(b)) })
		a := adverts[best]
		j := liveJob{id: a.Source + ":" + a.ID, title: a.Title, kind: a.Kind, source: a.Source, posted: a.Posted,
			sector: coded[best].Sector, soc: coded[best].SOC}
		if a.Origin == sources.OriginApprenticeship {
			j.source = "find_an_apprenticeship"
		}
		for _, i := range shown {
			for _, code := range coded[i].Place.Councils {
				if slug := slugs[code]; slug != "" && !slices.Contains(j.boroughs, slug) {
					j.boroughs = append(j.boroughs, slug)
				}
			}
		}
		slices.Sort(j.boroughs)
		out = append(out, j)
	}
	slices.SortFunc(out, func(a, b liveJob) int {
		return cmp.Or(b.posted.Time().Compare(a.posted.Time()), strings.Compare(b.id, a.id))
	})
	return out
}

// only are the records of one type, in their order.
func only[T sources.Record](records []sources.Record) (out []T) {
	for _, r := range records {
		if one, ok := r.(T); ok {
			out = append(out, one)
		}
	}
	return out
}

func advertsAndPlaces(records []sources.Record) (adverts []sources.Advert, councils []sources.Area,
	boundaries []sources.Boundary, boroughs []sources.Borough) {
	councils = slices.DeleteFunc(only[sources.Area](records), func(a sources.Area) bool { return a.Kind != "council" })
	return only[sources.Advert](records), councils, only[sources.Boundary](records), only[sources.Borough](records)
}

// walkJobs walks every page.
func (p *published) walkJobs(query url.Values, limit int, between func()) (rows []map[string]any) {
	p.t.Helper()
	query.Set("limit", fmt.Sprint(limit))
	snapshot := ""
	for {
		page := p.get("/v1/jobs", query)
		rows = append(rows, page.Data...)
		if snapshot != "" && page.Meta.Snapshot != snapshot {
			p.t.Fatalf("a walk over %s went on in %s", snapshot, page.Meta.Snapshot)
		}
		snapshot = page.Meta.Snapshot
		if page.Meta.NextCursor == nil {
			return rows
		}
		query.Set("cursor", *page.Meta.NextCursor)
		if between != nil {
			between()
			between = nil
		}
	}
}

// TestPlatformEndpointsAgainstRawRecords compares jobs, candidates, s106, pathways
// and events with the raw records of a made-up world, all pages walked, with a
// snapshot promoted in the middle of a walk.
func TestPlatformEndpointsAgainstRawRecords(t *testing.T) {
	p := publish(t)
	records := readRecords(t, p.options.Config, p.data)
	want := liveJobs(t, p, records)
	kinds := map[string]int{}
	for _, j := range want {
		kinds[j.source+" "+j.kind]++
	}
	t.Logf("%d live jobs: %v", len(want), kinds)
	if len(want) < 50 || kinds["find_an_apprenticeship apprenticeship"] == 0 {
		t.Errorf("too few live jobs to compare: %v", kinds)
	}
	filters := []struct {
		query url.Values
		keep  func(liveJob) bool
	}{
		{url.Values{}, func(liveJob) bool { return true }},
		{url.Values{"type": {"apprenticeship"}}, func(j liveJob) bool { return j.kind == "apprenticeship" }},
		{url.Values{"borough": {want[0].boroughs[0]}}, func(j liveJob) bool {
			return slices.Contains(j.boroughs,
				want[0].boroughs[0])
		}},
		{url.Values{"sector": {"digital"}}, func(j liveJob) bool { return j.sector == "digital" }},
		{url.Values{"soc": {"2"}}, func(j liveJob) bool { return strings.HasPrefix(j.soc, "2") }},
	}
	for i, f := range filters {
		compareJobs(t, f.query.Encode(), p.walkJobs(f.query, 1+37*i, nil), want, f.keep)
	}
	p.compareCandidates(records)
	p.compareDevelopments(records)
	p.comparePathways(records)
	p.compareEvents(records)
	compareJobs(t, "with a promotion", p.walkJobs(url.Values{}, 9, p.promoteAnother), want, filters[0].keep)
}

func compareJobs(t *testing.T, label string, got []map[string]any, all []liveJob, keep func(liveJob) bool) {
	t.Helper()
	var want, have []string
	for _, j := range all {
		if keep(j) {
			want = append(want, fmt.Sprint(j.id, " ", j.title, " ", j.kind, " ", j.source, " ", j.posted))
		}
	}
	for _, row := range got {
		day, _, _ := strings.Cut(fmt.Sprint(row["posted_at"]), "T")
		have = append(have, fmt.Sprint(row["id"], " ", row["title"], " ", row["type"], " ", row["source_key"], " ", day))
		if row["attribution_statement"] == "" {
			t.Errorf("%s: %v has no statement", label, row["id"])
		}
	}
	if d := gocmp.Diff(want, have); d != "" {
		t.Errorf("%s: %d jobs, want %d (-want +got):\n%s", label, len(have), len(want), d)
	}
}

// compareCandidates: every number shown is the true one to the nearest 5, and every "<5"
// is 1 to 4.
func (p *published) compareCandidates(records []sources.Record) {
	p.t.Helper()
	total, seeking := 0, 0
	borough, sector := map[string]int{}, map[string]int{}
	for _, r := range records {
		if r, ok := r.(sources.Resident); ok {
			total++
			borough[r.Borough]++
			if r.SeekingWork {
				seeking++
				sector[r.SectorSought]++
			}
		}
	}
	data := p.object("/v1/candidates", nil)["data"].(map[string]any)
	checkCount(p.t, "residents", data["residents"], total)
	checkCount(p.t, "seeking work", data["seeking_work"], seeking)
	for list, truth := range map[string]map[string]int{"by_borough": borough, "by_sector_sought": sector} {
		key := strings.TrimSuffix(strings.TrimPrefix(list, "by_"), "_sought")
		rows := data[list].([]any)
		numbers := 0
		for _, row := range rows {
			row := row.(map[string]any)
			n := truth[row[key].(string)]
			numbers += checkCount(p.t, list+" "+row[key].(string), row["residents"], n)
		}
		if len(rows) < 10 || numbers*2 < len(rows) {
			p.t.Errorf("%s: %d of %d are numbers", list, numbers, len(rows))
		}
	}
}

// checkCount compares a printed count with the truth, and returns 1 for a number.
func checkCount(t *testing.T, label string, printed any, truth int) int {
	t.Helper()
	switch v := printed.(type) {
	case float64:
		if !slices.Contains(tokensOf(int64(truth)), fmt.Sprint(int(v))) {
			t.Errorf("%s: %v printed for %d", label, v, truth)
		}
		return 1
	case string:
		if v != "<5" || truth < 1 || truth > 4 {
			t.Errorf("%s: %q printed for %d", label, v, truth)
		}
	}
	return 0
}

func (p *published) compareDevelopments(records []sources.Record) {
	p.t.Helper()
	sums := map[string]*sources.S106Development{"": {}}
	for _, r := range records {
		if d, ok := r.(sources.S106Development); ok {
			if sums[d.Borough] == nil {
				sums[d.Borough] = &sources.S106Development{}
			}
			for _, at := range []string{"", d.Borough} {
				sums[at].Obligations += d.Obligations
				sums[at].JobsCreated += d.JobsCreated
				sums[at].LocalPeopleEmployed += d.LocalPeopleEmployed
				sums[at].ApprenticeshipsStarted += d.ApprenticeshipsStarted
				sums[at].ContributionsGBP += d.ContributionsGBP
			}
		}
	}
	for borough, sum := range sums {
		query := url.Values{}
		if borough != "" {
			query.Set("borough", borough)
		}
		data := p.object("/v1/s106", query)["data"].(map[string]any)
		if data["obligations"] != float64(sum.Obligations) || data["contributions_gbp"] != float64(sum.ContributionsGBP) {
			p.t.Errorf("%q: %v, want %+v", borough, data, *sum)
		}
		checkCount(p.t, "jobs in "+borough, data["jobs_created"], sum.JobsCreated)
		checkCount(p.t, "employed in "+borough, data["local_people_employed"], sum.LocalPeopleEmployed)
		checkCount(p.t, "started in "+borough, data["apprenticeships_started"], sum.ApprenticeshipsStarted)
	}
}

func (p *published) comparePathways(records []sources.Record) {
	p.t.Helper()
	want := map[string]string{}
	for _, r := range records {
		if w, ok := r.(sources.Pathway); ok {
			want[w.ID] = fmt.Sprint(w.Slug, w.Title, len(w.Steps), w.Steps[0].Title)
		}
	}
	got := map[string]string{}
	for _, row := range p.get("/v1/pathways", nil).Data {
		steps := row["steps"].([]any)
		got[row["id"].(string)] = fmt.Sprint(row["slug"], row["title"], len(steps), steps[0].(map[string]any)["title"])
	}
	if d := gocmp.Diff(want, got); d != "" || len(want) == 0 {
		p.t.Errorf("pathways (-want +got):\n%s", d)
	}
}
