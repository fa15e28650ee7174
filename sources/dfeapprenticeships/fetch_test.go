package dfeapprenticeships

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/fakepublishers"
	"labour/sources/fetching"
	"labour/sources/sourcetest"
)

// TestNewColumnKeepsTheLastGood publishes a new version with a column that nobody
// knows: the file is not taken over, the fault names the column, the other data
// set is fetched, and what the last good version said still comes out.
func TestNewColumnKeepsTheLastGood(t *testing.T) {
	bootcamps := fakepublishers.EducationDataSet{ID: bootcampID, Title: "Skills bootcamps", Published: published,
		CSV: []byte(sourcetest.ReadSample(t, "bootcamps.csv"))}
	starts := fakepublishers.EducationDataSet{ID: startsID, Title: "Starts", Published: published,
		CSV: []byte(sourcetest.ReadSample(t, "starts.csv"))}
	var handler http.Handler
	publish := func(sets ...fakepublishers.EducationDataSet) {
		handler = fakepublishers.NewEducationStatistics(sets...)
	}
	server := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	defer server.Close()
	store := sourcetest.OpenArchive(t)
	s := newSource(t, server.URL, DataSet{ID: startsID, Metric: MetricApprenticeships},
		DataSet{ID: bootcampID, Metric: MetricBootcamps})
	run := func() (int, []sources.Fault) {
		x, faults, err := fetching.FetchSource(context.Background(), s,
			fetching.Options{Archive: store, UserAgent: "test (data@works.example)",
				Now: func() time.Time { return published }})
		if err != nil {
			t.Fatal(err)
		}
		records, more, err := sourcetest.ReadExtract(s, x, store)
		if err != nil {
			t.Fatal(err)
		}
		return len(records), append(faults, more...)
	}
	publish(starts, bootcamps)
	want, faults := run()
	if want == 0 || len(faults) != 0 {
		t.Fatalf("%d records, %v", want, faults)
	}
	whole := starts.CSV
	starts.Version, starts.CSV = "2.0", []byte(strings.Replace(string(starts.CSV), "age_summary", "shoe_size", 1))
	publish(starts, bootcamps)
	got, faults := run()
	if got != want {
		t.Errorf("%d records after the bad version, %d before", got, want)
	}
	if len(faults) != 1 {
		t.Fatalf("faults: %+v", faults)
	}
	for _, f := range faults {
		if f.Code != sources.FaultColumnUnknown || !strings.Contains(f.Detail, "shoe_size") ||
			!strings.HasPrefix(f.Object, startsID) {
			t.Errorf("fault: %+v", f)
		}
	}
	starts.Version, starts.CSV = "3.0", append(whole[:len(whole):len(whole)], "\"no end"...)
	publish(starts, bootcamps)
	if got, faults := run(); got != want || len(faults) != 1 || faults[0].Code != sources.FaultSchema {
		t.Errorf("a table that breaks off: %d records, %d before: %+v", got, want, faults)
	}
	starts.Version, starts.CSV = "4.0", whole
	publish(starts, bootcamps)
	handler = cutting(handler, startsID+"/csv", func(body []byte) int { return len(body) - 12 })
	if got, faults := run(); got != want || len(faults) != 1 || faults[0].Code != sources.FaultWrongFormat {
		t.Errorf("compression that breaks off: %d records, %d before: %+v", got, want, faults)
	}
	starts.Version, starts.Uncompressed = "5.0", true
	publish(starts, bootcamps)
	handler = cutting(handler, startsID+"/csv", func(body []byte) int {
		return bytes.LastIndexByte(body[:len(body)-1], '\n') + 1
	})
	got, faults = run()
	const says = "version 5.0: the publisher announces 60 rows and the file has 59; it is cut off and is not used: " +
		"fetch it again"
	if got != want || len(faults) != 1 {
		t.Fatalf("cut at the end of a line: %d records, %d before: %+v", got, want, faults)
	}
	if f := faults[0]; f.Code != sources.FaultIncomplete || !strings.Contains(f.Detail, says) {
		t.Errorf("cut at the end of a line: %+v, want %s", f, says)
	}
}

// cutting shortens the answers of one path to the length that keep returns, as of a file that was cut
// before it was published.
func cutting(h http.Handler, path string, keep func(body []byte) int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, path) {
			h.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		body := answer.Body.Bytes()
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		_, _ = w.Write(body[:keep(body)]) // the other side may be gone
	})
}

// TestRefusedFileIsFetchedAgain: a proxy sends a cut file once, with the ETag of the whole file. The
// next fetch of the same version gets the whole file. A third fetch does not download it again.
func TestRefusedFileIsFetchedAgain(t *testing.T) {
	var statuses []int
	server := httptest.NewServer(cuttingOnce(fakepublishers.NewEducationStatistics(
		fakepublishers.EducationDataSet{ID: startsID, Title: "Starts", Published: published, Uncompressed: true,
			CSV: []byte(sourcetest.ReadSample(t, "starts.csv"))}), &statuses))
	defer server.Close()
	s := newSource(t, server.URL, DataSet{ID: startsID, Metric: MetricApprenticeships})
	options := fetching.Options{Archive: sourcetest.OpenArchive(t), UserAgent: "test (data@works.example)",
		Now: func() time.Time { return published }}
	for n, want := range []sources.FaultCode{sources.FaultIncomplete, "", ""} {
		_, _, err := fetching.FetchSource(context.Background(), s, options)
		if (err != nil) != (want != "") || err != nil && sources.FaultCodeOf(err) != want {
			t.Errorf("fetch %d: %v; want the fault %q", n, err, want)
		}
	}
	if want := []int{200, 200, 304}; !slices.Equal(statuses, want) {
		t.Errorf("the answers have the statuses %v, want %v", statuses, want)
	}
}

// cuttingOnce cuts the last row off the data file in the first answer of h, and keeps its ETag. It
// appends to statuses the status of each answer for the data file.
func cuttingOnce(h http.Handler, statuses *[]int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/csv") {
			h.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		body := answer.Body.Bytes()
		if len(*statuses) == 0 {
			body = body[:bytes.LastIndexByte(body[:len(body)-1], '\n')+1]
		}
		*statuses = append(*statuses, answer.Code)
		w.Header().Set("ETag", answer.Header().Get("ETag"))
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body) // the other side may be gone
	})
}
