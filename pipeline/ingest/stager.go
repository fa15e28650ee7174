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

// stageError wraps an error of writing staged files, so that it is errStage. It returns nil for
// nil.
func (s *stager) stageError(err error) error {
	if err != nil {
		return fmt.Errorf("%w %s: %w", errStage, s.info.Key, err)
	}
	return nil
}

// errStage marks an error of writing staged files, which stops a build. Any other error is a fault
// of the source.
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
	// gone has the adverts of a past extract that no newer one has; nil = they are not collected
	gone     []sources.Advert
	goneFile string                  // the cache file for gone
	whole    bool                    // so far the extract has only adverts and no damage, so gone may be cached
	room     []staging.ResidentSkill // reused by residentSkills
}

// stage writes a row to a staged file. It does nothing if an earlier row failed.
func stage[T any](s *stager, w *parquetio.Writer[T], row T) {
	if s.failed == nil {
		s.failed = s.stageError(w.Append(row))
	}
}

// superseded reports whether a newer extract has the advert. It also notes the advert, for older
// extracts. It returns false for the second advert of one ID in one extract, since the counting
// rules handle duplicates.
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

// Fault adds a fault to the report. It ignores a fault of an older extract, unless the fault is
// damage: it was reported when that extract was the newest one.
func (s *stager) Fault(f sources.Fault) {
	s.damaged = s.damaged || f.Code == sources.FaultDamaged
	if s.newest || f.Code == sources.FaultDamaged {
		s.report.AddFault(f)
		s.whole = false
	}
}

// borough keeps a borough of the feed, with the current code of its council. If that council was
// merged or split, borough reports a fault, since the operator must state which council is meant.
func (s *stager) borough(r sources.Borough) {
	r.Code = s.staged.History.CodeIfRecoded(r.Code)
	if today := s.staged.History.CurrentCodes(r.Code); !slices.Contains(today, r.Code) {
		s.Fault(sources.Fault{Source: s.info.Key, Where: "borough " + r.Slug, Code: sources.FaultUnknownPlace,
			Detail: fmt.Sprintf("borough %q: council %s is %s today; correct the feed's boroughs", r.Slug, r.Code,
				strings.Join(today, " and "))})
	}
	s.staged.Boroughs = append(s.staged.Boroughs, r)
}
