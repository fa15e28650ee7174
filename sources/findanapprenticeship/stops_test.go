package findanapprenticeship

import (
	"context"
	"errors"
	"strings"
	"testing"

	"labour/sources"
)

// failingSink is a sink that cannot keep a record.
type failingSink struct{ err error }

// Emit fails.
func (f failingSink) Emit(sources.Record) error { return f.err }

// Fault ignores a fault.
func (f failingSink) Fault(sources.Fault) {}

// TestReadingOfVacanciesStops with the run, or at a sink that fails, which names the page.
func TestReadingOfVacanciesStops(t *testing.T) {
	p := pages{[]byte(`{"vacancies":[{"vacancyReference":"VAC1","title":"x","course":{"larsCode":1}}],"totalPages":1}`)}
	s := connector(t, "https://x.example")
	full := failingSink{errors.New("the disk is full")}
	x := p.extract()
	if err := s.Read(t.Context(), x, p, full); !errors.Is(err, full.err) ||
		!strings.HasPrefix(err.Error(), "read find_an_apprenticeship: "+x.Objects[0].Name+": ") {
		t.Errorf("a sink that fails: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := s.Read(ended, x, p, discard{}); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "read find_an_apprenticeship: ") {
		t.Errorf("a run that has ended: %v", err)
	}
}
