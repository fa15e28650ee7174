package ingest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"labour/pipeline/counting"
	"labour/pipeline/report"
	"labour/pipeline/staging"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// stageError wraps an error of staging.
func (s *stager) stageError(err error) error {
	if err != nil {
		return fmt.Errorf("%w %s: %w", errStage, s.info.Key, err)
	}
	return nil
}

// errStage marks an error of our own disk, which stops a build; any other error is a fault of the
// source.
var errStage = errors.New("staging")

// stager stages the records of one source.
type stager struct {
	*reader
	info        sources.Info
	report      *report.Source
	fetched     time.Time             // when the extract was fetched
	read        map[string]bool       // objects of newer extracts
	seen        map[counting.Key]bool // adverts of newer extracts
	sameExtract []counting.Key        // new adverts of this extract, if an older one follows
	newest      bool                  // this extract is the newest one to read
	oldest      bool                  // this extract is the last one to read
	damaged     bool                  // an extract that was read is damaged
	failed      error                 // error of staging; nothing is staged after it
	// adverts of a past extract that are in no newer one; nil if they are not gathered
	gone     []sources.Advert
	goneFile string // the file that stores them for the next run
	whole    bool   // everything in the extract has been gathered
	room     []staging.ResidentSkill
}

// stage writes a row to a staged file. Nothing is staged after an error.
func stage[T any](s *stager, w *parquetio.Writer[T], row T) {
	if s.failed == nil {
		s.failed = s.stageError(w.Append(row))
	}
}

// superseded reports whether a newer extract has the advert, and records its id for older extracts.
// Two adverts with the same id in one extract are both staged: the counting rules handle
// duplicates.
func (s *stager) superseded(a *sources.Advert) bool {
	if s.newest && s.oldest {
		return false // there is no other extract, so nothing to record
	}
	id := counting.AdvertKey(a)
	if s.seen[id] {
		return true
	}
	if !s.oldest {
		s.sameExtract = append(s.sameExtract, id)
	}
	return false
}

// Fault records a fault found in reading. The faults of an older extract of a listing were reported
// when it was the newest one; only damage to its bytes is new.
func (s *stager) Fault(f sources.Fault) {
	s.damaged = s.damaged || f.Code == sources.FaultDamaged
	if s.newest || f.Code == sources.FaultDamaged {
		s.report.AddFault(f)
		s.whole = false
	}
}

// borough returns a borough of the feed with the current code of its council. If the council was
// merged or split, no current council has that code, and the operator has to state which one is
// meant.
func (s *stager) borough(r sources.Borough) {
	r.Code = s.staged.History.Same(r.Code)
	if today := s.staged.History.Today(r.Code); !slices.Contains(today, r.Code) {
		s.Fault(sources.Fault{Source: s.info.Key, Where: "borough " + r.Slug, Code: sources.FaultPlace,
			Detail: fmt.Sprintf("borough %q: council %s is %s today; correct the feed's boroughs", r.Slug, r.Code,
				strings.Join(today, " and "))})
	}
	s.staged.Boroughs = append(s.staged.Boroughs, r)
}
