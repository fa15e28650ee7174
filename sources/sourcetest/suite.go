// Package sourcetest is a test suite that every implementation of sources.Source must pass.
//
//	sourcetest.Run(t, sourcetest.Case{
//		NewSource:    func(base string) sources.Source { return mysource.New(mysource.Config{BaseURL: base}) },
//		Publisher:    sourcetest.ServeBodies(map[string]string{"/jobs": `{"jobs":[…]}`}),
//		CheckRecords: func(t *testing.T, records []sources.Record) { … },
//		WantTerms:    sources.Terms{MayFetch: true},
//	})
//
// The suite serves test data on a local server, fetches it into an archive, stops the server and
// reads the records. It then breaks the server and the archive in many ways. Each fault must have a
// code, and the good data must remain.
package sourcetest

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/sources"
)

// Case describes a test of one source: the source, the data of a fake publisher and the expected
// records.
type Case struct {
	// NewSource makes the connector (the source under test), with every address under base.
	NewSource func(base string) sources.Source
	// Publisher responds as the publisher does; see ServeBodies. It must give the same response to the
	// same request.
	Publisher http.Handler
	// CheckRecords checks the records that were read. The suite checks that there is at least one.
	CheckRecords func(t *testing.T, records []sources.Record)
	// WantFaults are the codes of the faults in a normal read, in any order; nil = none.
	WantFaults []sources.FaultCode
	// Secrets are the secrets that the connector reads, by name. The suite checks that they reach
	// only the publisher.
	Secrets map[string]string
	// WantTerms are the permissions that the source must state. They are repeated here on purpose, so
	// that a change of terms must be made in two places.
	WantTerms sources.Terms
}

// Run runs the whole test suite on one source.
func Run(t *testing.T, c Case) {
	t.Helper()
	t.Run("info", c.info)
	t.Run("read offline", c.readOffline)
	t.Run("second fetch", c.secondFetch)
	t.Run("no personal data", c.noPersonalData)
	t.Run("secrets", c.secrets)
	t.Run("passing faults", c.passingFaults)
	t.Run("lasting faults", c.lastingFaults)
	t.Run("one part fails", c.onePartFails)
	t.Run("damaged archive", c.damagedArchive)
	t.Run("garbage", c.garbage)
}

func (c Case) info(t *testing.T) {
	i := c.NewSource("http://127.0.0.1:1").Info()
	if err := i.Validate(); err != nil {
		t.Fatal(err)
	}
	if i.Terms != c.WantTerms {
		t.Errorf("terms are %+v, the case says %+v", i.Terms, c.WantTerms)
	}
	if !i.Terms.MayFetch {
		t.Error("a connector exists for a source that may not be fetched")
	}
	if again := c.NewSource("http://127.0.0.1:1").Info(); again != i {
		t.Errorf("Info changes: %+v, then %+v", i, again)
	}
}

// readOffline tests that archived data can be read twice without the server, with equal results.
func (c Case) readOffline(t *testing.T) {
	b := c.bench(t)
	x := b.mustFetch()
	b.server.Close()
	records, faults := b.mustRead(x)
	if len(records) == 0 {
		t.Fatal("no records")
	}
	checkFaults(t, x.Source, faults, c.WantFaults)
	checkHasAdverts(t, c.NewSource(b.server.URL).Info(), records)
	again, _ := b.mustRead(x)
	mustEqual(t, "a second read", again, records)
	if c.CheckRecords != nil {
		c.CheckRecords(t, records)
	}
	for _, o := range x.Objects {
		if !strings.HasPrefix(o.URL, b.server.URL) {
			t.Errorf("object %s came from %s, outside the base address", o.Name, o.URL)
		}
	}
}

// checkHasAdverts fails the test unless Info.HasAdverts states correctly whether the records contain
// adverts.
func checkHasAdverts(t *testing.T, i sources.Info, records []sources.Record) {
	t.Helper()
	adverts := slices.ContainsFunc(records, func(r sources.Record) bool { _, ok := r.(sources.Advert); return ok })
	if adverts != i.HasAdverts {
		t.Errorf("the source gives adverts: %t; it is described as one that does: %t", adverts, i.HasAdverts)
	}
}

// secondFetch tests a second fetch of unchanged data one day later. It must give the same objects
// and records.
func (c Case) secondFetch(t *testing.T) {
	b := c.bench(t)
	first := b.mustFetch()
	want, _ := b.mustRead(first)
	b.clock.advance(24 * time.Hour)
	second := b.mustFetch()
	if !second.FetchedAt.After(first.FetchedAt) {
		t.Errorf("second extract is of %s, the first of %s", second.FetchedAt, first.FetchedAt)
	}
	second.FetchedAt = first.FetchedAt
	mustEqual(t, "the second extract", second, first)
	got, _ := b.mustRead(second)
	mustEqual(t, "the records of the second fetch", got, want)
}

// noPersonalData tests that no record contains an email address or a telephone number.
func (c Case) noPersonalData(t *testing.T) {
	b := c.bench(t)
	records, _ := b.mustRead(b.mustFetch())
	for _, r := range records {
		for _, hit := range FindContacts(r) {
			t.Errorf("%T holds contact details: %s", r, hit)
		}
	}
}

// secrets tests that no file, log or error contains a secret. It also tests that requests name the
// operator's contact.
func (c Case) secrets(t *testing.T) {
	b := c.bench(t)
	b.mustFetch()
	for _, agent := range b.requests() {
		if !strings.Contains(agent, "@") {
			t.Errorf("User-Agent %q carries no contact", agent)
		}
	}
	b.breakAll(status(http.StatusInternalServerError))
	_, faults, err := b.fetch()
	texts := map[string]string{"log": b.log.String()}
	if err != nil {
		texts["error"] = err.Error()
	}
	for _, f := range faults {
		texts["fault "+f.Object] = f.Detail
	}
	for name, text := range b.archiveFiles() {
		texts[name] = text
	}
	for name, secret := range c.Secrets {
		for where, text := range texts {
			if strings.Contains(text, secret) {
				t.Errorf("secret %s shows in %s", name, where)
			}
		}
	}
}

func checkFaults(t *testing.T, source string, faults []sources.Fault, want []sources.FaultCode) {
	t.Helper()
	var codes []sources.FaultCode
	for _, f := range faults {
		codes = append(codes, f.Code)
		if f.Source != source || f.Detail == "" {
			t.Errorf("fault %+v needs its source and a detail", f)
		}
	}
	slices.Sort(codes)
	if !slices.Equal(codes, slices.Sorted(slices.Values(want))) {
		t.Fatalf("the faults are %+v, want the codes %v", faults, want)
	}
}
