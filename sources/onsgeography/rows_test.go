package onsgeography

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/fetching"
	"labour/sources/sourcetest"
)

// featureOf is a record with these texts, and the object id 7.
func featureOf(texts map[string]string) feature {
	f := feature{Attributes: map[string]json.RawMessage{"FID": json.RawMessage("7")}}
	for name, text := range texts {
		f.Attributes[name] = json.RawMessage(fmt.Sprintf("%q", text))
	}
	return f
}

// kept keeps the records and faults of a reader, and fails at a record if err is set.
type kept struct {
	records []sources.Record
	faults  []sources.Fault
	err     error
}

// Emit keeps a record, or fails.
func (k *kept) Emit(r sources.Record) error {
	if k.err == nil {
		k.records = append(k.records, r)
	}
	return k.err
}

// Fault keeps a fault.
func (k *kept) Fault(f sources.Fault) { k.faults = append(k.faults, f) }

func nations(out sources.RecordSink) *reader {
	return &reader{v: Service{ServiceName: "S", AreaKinds: []string{KindNation}, CodeChangeKind: KindCouncil}, out: out,
		emittedNames: map[any]string{}, objectIDs: map[int64]bool{}, layout: layout{objectID: "FID",
			columns: map[string]columns{KindNation: {code: "C", name: "N", edition: "2025"}}}}
}

// TestAreaHasOneName in an edition, and is given once.
func TestAreaHasOneName(t *testing.T) {
	r := nations(nil)
	for i, c := range []struct{ code, name, want string }{
		{"E92000001", "England", "England"}, {"E92000001", "England", "none"},
		{"E92000001", "Anglia", "the nation E92000001 has two names in the edition of 2025"},
		{"W92000004", "", "the nation W92000004 has no name"}, {"", "", "none"},
	} {
		record, err := r.area(KindNation, featureOf(map[string]string{"C": c.code, "N": c.name}))
		got := "none"
		if a, ok := record.(sources.Area); ok {
			got = a.Name
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("record %d: %s, want %s", i, got, c.want)
		}
	}
}

// TestChangeIsGivenOnce, and needs both codes.
func TestChangeIsGivenOnce(t *testing.T) {
	r := nations(nil)
	was, now := columns{code: "A", edition: "2023"}, columns{code: "B", edition: "2025"}
	for i, c := range []struct {
		from, to string
		is, ok   bool
	}{
		{"E08000016", "E08000038", true, true}, {"E08000016", "E08000038", false, true}, {"", "E08000038", false, true},
		{"E08000016", "", false, true}, {"E92000001", "E08000038", false, false}, {"E08000016", "E92000001", false, false},
	} {
		record, err := r.change(was, now, featureOf(map[string]string{"A": c.from, "B": c.to}))
		if (record != nil) != c.is || (err == nil) != c.ok {
			t.Errorf("change %d: %+v, %v", i, record, err)
		}
		if want := (sources.AreaCodeChange{Source: Key, Kind: KindCouncil, From: c.from, To: c.to, Edition: "2025"}); c.is &&
			record != sources.Record(want) {
			t.Errorf("change %d: %+v, want %+v", i, record, want)
		}
	}
}

// TestRecordIsReadOnce by its object id; one without an id is a fault, and an error of the sink is returned.
func TestRecordIsReadOnce(t *testing.T) {
	out := &kept{}
	r := nations(out)
	england := featureOf(map[string]string{"C": "E92000001", "N": "England"})
	wales := featureOf(map[string]string{"C": "W92000004", "N": "Wales"}) // with the same object id
	for _, f := range []feature{england, wales, {}} {
		if err := r.feature("page", f); err != nil {
			t.Fatal(err)
		}
	}
	if len(out.records) != 1 || len(out.faults) != 1 || out.faults[0].Object != "page" ||
		out.faults[0].Code != sources.FaultSchema ||
		out.faults[0].Detail != "a record has no object id FID; look at what the portal changed" {
		t.Errorf("%+v, %+v", out.records, out.faults)
	}
	full := &kept{err: errors.New("the disk is full")}
	if err := nations(full).feature("page", england); !errors.Is(err, full.err) {
		t.Errorf("%v, want %v", err, full.err)
	}
}

// TestServiceWithoutRecordsIsNotTaken: it announces none, or no number at all, or is not there.
func TestServiceWithoutRecordsIsNotTaken(t *testing.T) {
	for answer, want := range map[string]struct {
		code sources.FaultCode
		says string
	}{
		"{}":           {sources.FaultSchema, "CTRY: the answer to returnCountOnly holds no count"},
		`{"count":0}`:  {sources.FaultSuddenlyEmpty, "CTRY: the service reports that it has no records"},
		`{"count":-1}`: {sources.FaultSuddenlyEmpty, "CTRY: the service reports that it has no records"},
		"":             {sources.FaultUnavailable, "CTRY/count.json: unexpected status 404"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if answer == "" {
				w.WriteHeader(http.StatusNotFound)
			}
			io.WriteString(w, answer)
		}))
		s := newSource(t, server.URL, []Service{{ServiceName: "CTRY", AreaKinds: []string{KindNation}}})
		_, faults, err := fetching.FetchSource(context.Background(), s, fetching.Options{Archive: sourcetest.OpenArchive(t),
			UserAgent: "test (data@works.example)", Now: time.Now, MaxAttempts: 1})
		server.Close()
		if err == nil || len(faults) == 0 || faults[0].Object != "CTRY" || faults[0].Code != want.code ||
			!strings.HasPrefix(faults[0].Detail, want.says) {
			t.Errorf("%s: %+v, %v; want %s: %s", answer, faults, err, want.code, want.says)
		}
	}
}

// TestRecordsReadAreThoseAnnounced, or the service is incomplete; without a number nothing is said.
func TestRecordsReadAreThoseAnnounced(t *testing.T) {
	for answer, fault := range map[string]bool{`{"count":1}`: false, `{"count":2}`: true, `{"count":0}`: true, "{}": false} {
		out := &kept{}
		r := nations(out)
		r.objectIDs[7] = true
		r.from = whole(answer)
		x := sources.Extract{Objects: []sources.ArchivedObject{{Name: countName("S")}}}
		if err := r.checkCount(x); err != nil || (len(out.faults) == 1) != fault || fault &&
			(out.faults[0].Code != sources.FaultIncomplete || out.faults[0].Object != countName("S")) {
			t.Errorf("%s: %+v, %v", answer, out.faults, err)
		}
	}
	out := &kept{}
	r := nations(out)
	r.from = whole(`{"count":1}`)
	x := sources.Extract{Objects: []sources.ArchivedObject{{Name: countName("S")}}}
	err := errors.Join(r.feature("page", feature{}), r.checkCount(x))
	if err != nil || len(out.faults) != 1 || !strings.HasPrefix(out.faults[0].Detail, "a record has no object id") {
		t.Errorf("a record without an object id is there, and not to be fetched again: %+v, %v", out.faults, err)
	}
	if out := (&kept{}); nations(out).checkCount(sources.Extract{}) != nil || len(out.faults) > 0 {
		t.Errorf("without an announcement: %+v", out.faults)
	}
}

// whole is an archive of one body.
type whole string

// Open opens the body.
func (w whole) Open(sources.ArchivedObject) (sources.Body, error) {
	return io.NopCloser(strings.NewReader(string(w))), nil
}
