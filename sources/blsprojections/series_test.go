package blsprojections

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/archive"
	"labour/sources/fetching"
	"labour/sources/sourcetest"
)

// TestAnswers: the API sends its failures with status 200.
func TestAnswers(t *testing.T) {
	const data = `{"series":[{"seriesID":"XXS1","data":[{"year":"2025","period":"A01","periodName":"Annual",` +
		`"value":"1.5"}]}]}`
	for name, c := range map[string]struct {
		text string
		want sources.FaultCode // "" = one value
	}{
		"success":           {`{"status":"REQUEST_SUCCEEDED","message":[],"Results":` + data + `}`, ""},
		"results in a list": {`{"status":"REQUEST_SUCCEEDED","message":[],"Results":[` + data + `]}`, ""},
		"unknown series": {`{"status":"REQUEST_SUCCEEDED","message":["Series does not exist for Series XXS1"],` +
			`"Results":{}}`, sources.FaultSuddenlyEmpty},
		"empty list": {`{"status":"REQUEST_SUCCEEDED","message":[],"Results":[]}`, sources.FaultSuddenlyEmpty},
		"no results": {`{"status":"REQUEST_SUCCEEDED"}`, sources.FaultSuddenlyEmpty},
		"another series": {`{"status":"REQUEST_SUCCEEDED","Results":` + strings.Replace(data, "XXS1", "XXS2", 1) +
			`}`, sources.FaultSuddenlyEmpty},
		"value missing": {`{"status":"REQUEST_SUCCEEDED","Results":` + strings.Replace(data, "1.5", "-", 1) + `}`,
			sources.FaultSuddenlyEmpty},
		"over the limit": {`{"status":"REQUEST_NOT_PROCESSED","message":["daily threshold"],"Results":{}}`,
			sources.FaultSchema},
		"results a text": {`{"status":"REQUEST_SUCCEEDED","Results":"none"}`, sources.FaultSchema},
		"not JSON":       {`<html>`, sources.FaultNotJSON},
	} {
		list, err := observations([]byte(c.text), "XXS1")
		if sources.FaultCodeOf(err) != c.want || (c.want == "") != (len(list) == 1) {
			t.Errorf("%s: %v, %v, want %q", name, list, err, c.want)
		}
	}
}

// fetchFrom fetches once from an API that answers `answer`, and gives the faults and
// every text that was written.
func fetchFrom(t *testing.T, answer string, asked *int, secret string,
	series ...Series) ([]sources.Fault, string, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		*asked++
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(answer))
	}))
	defer server.Close()
	s, err := New(Config{BaseURL: server.URL, Series: series})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	_, faults, err := fetching.FetchSource(context.Background(), s,
		fetching.Options{Archive: a, UserAgent: "labour-test/1 (data@works.example)",
			Now:        func() time.Time { return time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC) },
			FindSecret: func(string) (string, bool) { return secret, secret != "" }})
	var files []string
	filepath.WalkDir(dir, func(path string, d os.DirEntry, werr error) error {
		if werr == nil && !d.IsDir() {
			files = append(files, path)
		}
		return werr
	})
	text, jerr := json.Marshal(faults)
	if jerr != nil {
		t.Fatal(jerr)
	}
	for _, path := range files {
		b, rerr := os.ReadFile(path)
		if rerr != nil {
			t.Fatal(rerr)
		}
		text = append(append(text, path...), b...)
	}
	return faults, string(text), err
}

// TestLimit: when the queries of the day are used up the rest is not asked for.
func TestLimit(t *testing.T) {
	asked := 0
	faults, _, err := fetchFrom(t,
		`{"status":"REQUEST_NOT_PROCESSED","responseTime":1,"message":["Request could not be serviced, as the daily `+
			`threshold has been reached."],"Results":{}}`,
		&asked, "", Series{ID: "XXS1", Title: "a"}, Series{ID: "XXS2", Title: "b"})
	if err == nil || asked != 1 || len(faults) < 2 {
		t.Fatalf("asked %d times, %v, %+v", asked, err, faults)
	}
	for _, f := range faults {
		if f.Code != sources.FaultUnavailable || !strings.Contains(f.Detail, "REQUEST_NOT_PROCESSED") ||
			!strings.Contains(f.Detail, "threshold") {
			t.Errorf("%+v", f)
		}
	}
}

// TestKeyIsNotKept: an answer that repeats the key is neither archived nor quoted.
func TestKeyIsNotKept(t *testing.T) {
	const key = "a1b2c3d4e5f6"
	for _, status := range []string{"REQUEST_NOT_PROCESSED", "REQUEST_SUCCEEDED"} {
		asked := 0
		_, written, err := fetchFrom(t, `{"status":"`+status+`","message":["The key:`+key+
			` provided by the User is invalid."],"Results":{}}`,
			&asked, key, Series{ID: "XXS1", Title: "a"})
		if err == nil || asked == 0 || strings.Contains(written, key) || strings.Contains(err.Error(), key) {
			t.Errorf("%s: asked %d times, %v\n%s", status, asked, err, written)
		}
		if strings.Contains(written, ".zst") {
			t.Errorf("%s: the answer was archived:\n%s", status, written)
		}
	}
}

// FuzzObservations: no answer makes the reader panic, and every value is a number.
func FuzzObservations(f *testing.F) {
	f.Add([]byte(sourcetest.ReadSample(f, "series.json")))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := observations(text, "XXS1")
		if (err == nil) != (len(list) > 0) {
			t.Fatalf("%v, %v", list, err)
		}
		if err == nil {
			if e := (Series{ID: "XXS1", Title: "t"}).evidence(list,
				sources.Date{Year: 2026, Month: 1, Day: 1}); e.Statement == "" {
				t.Fatalf("%+v", e)
			}
		}
	})
}
