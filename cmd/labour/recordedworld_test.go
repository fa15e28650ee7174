package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/sources/fakepublishers"
	"labour/sources/fakepublishers/recordedtest"
)

// recordedBoard is one recorded board.
type recordedBoard struct{ Vendor, Token, Employer string }

// The ids under which the recorded files of the education statistics are served.
const (
	recordedStartsID            = "1d419801-435d-c676-b428-1217e08290c3"
	recordedEnrolmentsID        = "1977cdbc-7eae-4257-a8c9-3281bb2dbfa9"
	recordedCouncilEnrolmentsID = "1977cdbc-7eae-4257-a8c9-3281bb2dbfaa"
)

// recordedWorld is everything that was recorded, ready to be served.
type recordedWorld struct {
	Boards []recordedBoard
	// Jobs is how many jobs the recorded boards of Ashby, Greenhouse and Lever list.
	Jobs    int
	handler http.Handler
}

// openRecorded reads the recorded answers of dir.
func openRecorded(dir string) (*recordedWorld, error) {
	w := &recordedWorld{}
	mux := http.NewServeMux()
	if err := errors.Join(w.boards(dir, mux), w.samples(dir, mux)); err != nil {
		return nil, err
	}
	tables, err := recordedtest.GeographyTables(filepath.Join(dir, "F"))
	if err != nil {
		return nil, err
	}
	mux.Handle("/ons/", fakepublishers.NewArcGIS(tables))
	ees, err := recordedStatistics(filepath.Join(dir, "C"))
	if err != nil {
		return nil, err
	}
	mux.Handle("/ees/", ees)
	w.handler = mux
	return w, nil
}

// ServeHTTP answers as the publishers did, each under its own first element.
func (w *recordedWorld) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.handler.ServeHTTP(rw, r)
}

// boards serves every recorded Ashby and Greenhouse board and the samples of Lever.
func (w *recordedWorld) boards(dir string, mux *http.ServeMux) error {
	for _, vendor := range []struct{ name, files, path string }{
		{"ashby", "B/ashby/*.json", "/ashby/posting-api/job-board/%s"},
		{"greenhouse", "B/greenhouse/*.json", "/greenhouse/v1/boards/%s/jobs"},
		{"lever", "B/fixtures/*lever*.json", "/lever/v0/postings/%s"},
		{"ashby", "B/fixtures/*ashby*.json", "/ashby/posting-api/job-board/%s"},
		{"greenhouse", "B/fixtures/*greenhouse*.json", "/greenhouse/v1/boards/%s/jobs"},
	} {
		files, err := filepath.Glob(filepath.Join(dir, vendor.files))
		if err != nil {
			return fmt.Errorf("recorded boards: %w", err)
		}
		slices.Sort(files)
		for _, file := range files {
			token := strings.TrimSuffix(filepath.Base(file), ".json")
			body, jobs, err := publisherForm(file)
			if err != nil {
				return fmt.Errorf("recorded board %s: %w", token, err)
			}
			w.Boards = append(w.Boards, recordedBoard{Vendor: vendor.name, Token: token, Employer: token})
			w.Jobs += jobs
			mux.HandleFunc(fmt.Sprintf(vendor.path, token), func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "application/json")
				_, _ = rw.Write(body) // the other side may be gone; nothing is owed to it
			})
		}
	}
	return nil
}

// samples serves the shortened answers of further vendors as they were recorded. SmartRecruiters is
// not among them: it is asked for each text, and no text was recorded.
func (w *recordedWorld) samples(dir string, mux *http.ServeMux) error {
	for _, sample := range []struct{ vendor, file, path string }{
		{"workable", "careerkit-workable.json", "/workable/api/v1/widget/accounts/sample"},
		{"recruitee", "careerkit-recruitee.json", "/recruitee/sample/api/offers/"},
		{"teamtailor", "careerkit-teamtailor.json", "/teamtailor/sample/jobs.json"},
		{"personio", "careerkit-personio.xml", "/personio/sample/xml"},
	} {
		body, err := os.ReadFile(filepath.Join(dir, "B", "fixtures", sample.file))
		if err != nil {
			return fmt.Errorf("recorded sample of %s: %w", sample.vendor, err)
		}
		kind := "application/json"
		if strings.HasSuffix(sample.file, ".xml") {
			kind = "application/xml"
		}
		w.Boards = append(w.Boards, recordedBoard{Vendor: sample.vendor, Token: "sample",
			Employer: "Sample of " + sample.vendor})
		mux.HandleFunc(sample.path, func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", kind)
			_, _ = rw.Write(body) // the other side may be gone; nothing is owed to it
		})
	}
	return nil
}

// publisherForm is a recorded list as the publisher gave it: who recorded the
// Greenhouse lists put {company, fetched_at, job_count, jobs} around them, and
// trimmed samples kept a total that no longer holds.
func publisherForm(file string) (body []byte, jobs int, err error) {
	body, err = os.ReadFile(file)
	if err != nil {
		return nil, 0, err
	}
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil {
		return body, len(list), nil
	}
	var board map[string]json.RawMessage
	if err := json.Unmarshal(body, &board); err != nil {
		return nil, 0, err
	}
	if err := json.Unmarshal(board["jobs"], &list); err != nil {
		return nil, 0, err
	}
	if _, ashby := board["apiVersion"]; ashby {
		return body, len(list), nil
	}
	body, err = json.Marshal(map[string]any{"jobs": list, "meta": map[string]int{"total": len(list)}})
	return body, len(list), err
}

func recordedStatistics(dir string) (http.Handler, error) {
	sets := []fakepublishers.EducationDataSet{
		{ID: recordedStartsID, Title: "Apprenticeship starts by deprivation"},
		{ID: recordedEnrolmentsID, Title: "Education and training, nation and regions"},
		{ID: recordedCouncilEnrolmentsID, Title: "Education and training, councils"},
	}
	for i, file := range []string{"apprenticeships-learner-deprivation-2024-25-q4.csv",
		"fe-enrolments-national-regional-eda-2015-16_2020-21.csv", "fe-enrolments-lad-2019-20_2020-21.csv"} {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return nil, fmt.Errorf("recorded statistics: %w", err)
		}
		sets[i].CSV = b
	}
	return fakepublishers.NewEducationStatistics(sets...), nil
}

// Config is a labour.yaml that points every connector to base, where the recordedWorld is served.
func (w *recordedWorld) Config(base string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `platform: {name: Recorded Works, link: "https://works.example"}
contact: data@works.example
sources:
  employer_boards:
    vendors:
      ashby: {base_url: "%[1]s/ashby"}
      greenhouse: {base_url: "%[1]s/greenhouse"}
      lever: {base_url: "%[1]s/lever"}
      workable: {base_url: "%[1]s/workable"}
      recruitee: {base_url: "%[1]s/recruitee/{token}"}
      teamtailor: {base_url: "%[1]s/teamtailor/{token}"}
      personio: {base_url: "%[1]s/personio/{token}"}
    boards:
`, base)
	for _, board := range w.Boards {
		fmt.Fprintf(&b, "      - {vendor: %s, token: %q, employer: %q}\n", board.Vendor, board.Token, board.Employer)
	}
	fmt.Fprintf(&b, `  dfe_apprenticeships:
    base_url: "%[1]s/ees"
    data_sets:
      - {id: %[2]s, metric: apprenticeship_starts, covers: full_year}
      - {id: %[3]s, metric: further_education_enrolments, covers: to_april}
      - {id: %[4]s, metric: further_education_enrolments, covers: to_april}
  ons_geography:
    base_url: "%[1]s/ons"
    services:
      - {service: CTRY, areas: [nation]}
      - {service: LAD, areas: [council, region]}
      - {service: TTWA, areas: [travel_to_work_area]}
      - {service: ITL1, areas: [itl1]}
      - {service: ITL2, areas: [itl2]}
      - {service: ITL3, areas: [itl3]}
      - {service: LSIP, areas: [lsip]}
      - {service: EDGES, boundaries: council}
`, base, recordedStartsID, recordedEnrolmentsID, recordedCouncilEnrolmentsID)
	return []byte(b.String())
}

// servedRecorded opens the recorded answers and serves them on loopback until the test ends;
// it gives the base address too. A machine without them skips the test, saying why.
func servedRecorded(t testing.TB) (*recordedWorld, string) {
	t.Helper()
	dir, err := recordedtest.RecordedDir()
	if err != nil {
		t.Skip(err)
	}
	world, err := openRecorded(dir)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(world)
	t.Cleanup(server.Close)
	return world, server.URL
}
