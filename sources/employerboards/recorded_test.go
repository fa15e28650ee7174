package employerboards

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/sourcetest"
)

// recorded is where real recorded boards are, when they are there.
const recorded = "../../../shared/data/B"

// bodies is an Opener over bodies in memory, keyed by object name.
type bodies map[string][]byte

// Open opens a body.
func (b bodies) Open(o sources.ArchivedObject) (sources.Body, error) {
	body, ok := b[o.Name]
	if !ok {
		return nil, sources.ErrNotFound
	}
	return io.NopCloser(bytes.NewReader(body)), nil
}

// readOne reads one body as a page of one board.
func readOne(t testing.TB, vendor, name string, body []byte) ([]sources.Advert, []sources.Fault) {
	t.Helper()
	s := connector(t, Config{Boards: []Board{{Vendor: vendor, Token: "board", Employer: "Employer"}}})
	o := sources.ArchivedObject{Name: name}
	records, faults, err := sourcetest.ReadExtract(s, sources.Extract{Source: Key, Objects: []sources.ArchivedObject{o}},
		bodies{name: body})
	if err != nil {
		t.Fatal(err)
	}
	var found []sources.Advert
	for _, r := range records {
		found = append(found, r.(sources.Advert))
	}
	return found, faults
}

// Every job of every recorded board becomes one advert, with nothing left over.
// The numbers are those of the recordings.
func TestRecordedBoards(t *testing.T) {
	for _, c := range []struct {
		file, vendor string
		adverts      int
		requisitions int // distinct vacancies by requisition; 0 = the vendor gives none
		incomplete   bool
	}{
		{"ashby/9fin.json", "ashby", 30, 0, false}, {"ashby/Abound.json", "ashby", 6, 0, false},
		{"ashby/Aspora.json", "ashby", 18, 0, false}, {"ashby/apron.json", "ashby", 5, 0, false},
		{"ashby/ariesglobal.json", "ashby", 14, 0, false}, {"ashby/capimoney.json", "ashby", 21, 0, false},
		{"ashby/cohere.json", "ashby", 71, 0, false}, {"ashby/dolarapp.json", "ashby", 23, 0, false},
		{"ashby/elevenlabs.json", "ashby", 58, 0, false}, {"ashby/hcompany.json", "ashby", 10, 0, false},
		{"ashby/hyperexponential.json", "ashby", 27, 0, false}, {"ashby/keyrock.json", "ashby", 47, 0, false},
		{"ashby/mazedesign.json", "ashby", 10, 0, false}, {"ashby/metaview.json", "ashby", 19, 0, false},
		{"ashby/neworbit.json", "ashby", 31, 0, false}, {"ashby/relay.json", "ashby", 10, 0, false},
		{"ashby/superduper.json", "ashby", 11, 0, false}, {"ashby/taktile.json", "ashby", 26, 0, false},
		{"fixtures/awsjs-ashby_jobs.json", "ashby", 4, 0, false},
		{"fixtures/careerkit-ashby.json", "ashby", 2, 0, false},
		{"fixtures/jobfinder-ashby_jobs.json", "ashby", 54, 0, false},
		{"fixtures/salaryradar-ashby.json", "ashby", 2, 0, false},
		{"greenhouse/capco.json", "greenhouse", 754, 687, false},
		{"greenhouse/capitalontap.json", "greenhouse", 38, 37, false},
		{"greenhouse/convene.json", "greenhouse", 36, 36, false},
		{"greenhouse/datacamp.json", "greenhouse", 29, 16, false},
		{"greenhouse/dunnhumby.json", "greenhouse", 68, 68, false},
		{"greenhouse/gitlab.json", "greenhouse", 200, 199, false},
		{"greenhouse/intercom.json", "greenhouse", 121, 81, false},
		{"greenhouse/jumptrading.json", "greenhouse", 106, 105, false},
		{"greenhouse/stripe.json", "greenhouse", 576, 557, false},
		{"greenhouse/wpp.json", "greenhouse", 233, 227, false},
		{"fixtures/awsjs-greenhouse_jobs.json", "greenhouse", 4, 4, false},
		{"fixtures/careerkit-greenhouse.json", "greenhouse", 2, 2, true},
		{"fixtures/jobfinder-greenhouse_jobs.json", "greenhouse", 449, 425, false},
		{"fixtures/salaryradar-greenhouse.json", "greenhouse", 2, 2, true},
		{"fixtures/awsjs-lever_postings.json", "lever", 4, 0, false},
		{"fixtures/careerkit-lever.json", "lever", 2, 0, false},
		{"fixtures/salaryradar-lever.json", "lever", 2, 0, false},
	} {
		t.Run(c.file, func(t *testing.T) {
			body := unwrap(t, c.vendor, recording(t, c.file))
			found, faults := readOne(t, c.vendor, c.vendor+"/board", body)
			wantFaults := 0
			if c.incomplete { // trimmed by who recorded it, with the publisher's total left in
				wantFaults = 1
			}
			if len(found) != c.adverts || len(faults) != wantFaults {
				t.Fatalf("%d adverts and faults %+v, want %d adverts and %d faults", len(found), faults, c.adverts,
					wantFaults)
			}
			if c.incomplete && faults[0].Code != sources.FaultIncomplete {
				t.Errorf("fault %+v, want incomplete", faults[0])
			}
			checkRecorded(t, found, c.requisitions)
		})
	}
}

func checkRecorded(t *testing.T, found []sources.Advert, requisitions int) {
	t.Helper()
	ids, reqs := map[string]bool{}, map[string]bool{}
	for _, a := range found {
		ids[a.ID] = true
		if a.Requisition != "" {
			reqs[a.Requisition] = true
		}
		if !a.Listed || a.Posted.IsZero() || len(a.Locations) == 0 || a.Link == "" {
			t.Errorf("advert %s: listed %v, posted %q, %d places, link %q", a.ID, a.Listed, a.Posted, len(a.Locations),
				a.Link)
		}
		if strings.ContainsAny(a.Text, "<>") && strings.Contains(a.Text, "</") {
			t.Errorf("advert %s: markup is left in the text", a.ID)
		}
		if hits := sourcetest.FindContacts(a); len(hits) > 0 {
			t.Errorf("advert %s holds contacts: %v", a.ID, hits)
		}
	}
	if len(ids) != len(found) || len(reqs) != requisitions {
		t.Errorf("%d ids and %d requisitions of %d adverts, want %d requisitions", len(ids), len(reqs), len(found),
			requisitions)
	}
}

func recording(t testing.TB, file string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(recorded, file))
	if os.IsNotExist(err) {
		t.Skip("the recorded boards are not there (../shared/data from the project's root)")
	}
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// unwrap gives a recorded Greenhouse list the publisher's own form again: who
// recorded it put {company, fetched_at, job_count, jobs} around it.
func unwrap(t testing.TB, vendor string, body []byte) []byte {
	t.Helper()
	if vendor != "greenhouse" {
		return body
	}
	var w struct {
		Jobs  []json.RawMessage `json:"jobs"`
		Meta  json.RawMessage   `json:"meta"`
		Count *int              `json:"job_count"`
	}
	if err := json.Unmarshal(body, &w); err != nil {
		t.Fatal(err)
	}
	if w.Count == nil {
		return body
	}
	if *w.Count != len(w.Jobs) {
		t.Fatalf("the wrapper says %d jobs and holds %d", *w.Count, len(w.Jobs))
	}
	plain, err := json.Marshal(map[string]any{"jobs": w.Jobs, "meta": map[string]int{"total": *w.Count}})
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func BenchmarkRead(b *testing.B) {
	for _, c := range []struct{ vendor, file string }{{"greenhouse", "greenhouse.json"}, {"lever", "lever.json"},
		{"ashby", "ashby.json"}} {
		b.Run(c.vendor, func(b *testing.B) {
			body := many(b, c.vendor, sourcetest.ReadSample(b, c.file), 200)
			s := connector(b, Config{Boards: []Board{{Vendor: c.vendor, Token: "board", Employer: "Employer"}}})
			x := sources.Extract{Objects: []sources.ArchivedObject{{Name: c.vendor + "/board"}}}
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Read(context.Background(), x, bodies{c.vendor + "/board": body}, discard{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// many is a list of n adverts of about 5 kB, made of the first of a sample.
func many(t testing.TB, vendor, one string, n int) []byte {
	t.Helper()
	key := "jobs"
	if strings.HasPrefix(strings.TrimSpace(one), "[") {
		one, key = `{"list":`+one+`}`, "list"
	}
	var list map[string]json.RawMessage
	var rows []map[string]any
	if err := json.Unmarshal([]byte(one), &list); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(list[key], &rows); err != nil {
		t.Fatal(err)
	}
	var out []map[string]any
	for i := range n {
		row := map[string]any{}
		for k, v := range rows[0] {
			row[k] = v
			if s, ok := v.(string); ok && (k == "content" || k == "description" || k == "descriptionHtml") {
				row[k] = strings.Repeat(s, 1+4000/len(s))
			}
		}
		row["id"] = fmt.Sprint(i)
		out = append(out, row)
	}
	var body []byte
	var err error
	if key == "list" {
		body, err = json.Marshal(out)
	} else {
		body, err = json.Marshal(map[string]any{key: out})
	}
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// discard is a Sink that keeps nothing.
type discard struct{}

// Emit drops a record.
func (discard) Emit(sources.Record) error { return nil }

// Fault drops a fault.
func (discard) Fault(sources.Fault) {}
