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

// stageError marks an error of writing staged files: the result wraps err and errStage. It returns
// nil if err is nil.
func (s *stager) stageError(err error) error {
	if err != nil {
		return fmt.Errorf("%w %s: %w", errStage, s.info.Key, err)
	}
	return nil
}

// errStage is wrapped by every error that occurs while staged files are written. Such an error
// stops a build. Any other error is a fault of the source.
var errStage = errors.New("staging")

// stager writes the records of one source to staged files.
type stager struct {
	*reader
	info    sources.Info
	report  *report.SourceEntry
	fetched time.Time // time at which the current extract was fetched
	// objects (files) of newer extracts, which are already read, by name and hash
	read map[string]bool
	seen map[counting.TextHash]bool // adverts of newer extracts, which are already staged
	// adverts that are new in the current extract; collected only if an older one follows
	sameExtract []counting.TextHash
	newest      bool  // true while the newest extract is read
	oldest      bool  // true while the oldest extract is read; extracts are read newest first
	damaged     bool  // true once an extract that was read is damaged
	failed      error // first error of writing staged files; nothing is staged after it
	// gone has the adverts of a past extract that no newer extract has, to be cached. It is nil if
	// they are not collected.
	gone     []sources.Advert
	goneFile string // path of the cache file for the adverts in gone
	// true while the extract has only adverts and no damage, so that gone may be cached
	whole bool
	room  []staging.ResidentSkill // buffer for the skills of one resident, reused for the next
}

// stage writes a row to a staged file. It does nothing if an earlier write failed.
func stage[T any](s *stager, w *parquetio.Writer[T], row T) {
	if s.failed == nil {
		s.failed = s.stageError(w.Append(row))
	}
}

// superseded reports whether the advert is in a newer extract, which has already been read. It also
// records the advert, so that older versions are recognised. For a second advert with the same ID
// in one extract it returns false, because the counting rules handle duplicates.
func (s *stager) superseded(a *sources.Advert) bool {
	if s.newest && s.oldest {
		return false // there is no other extract, so nothing to record
	}
	id := counting.HashOfAdvertID(a)
	if s.seen[id] {
		return true
	}
	if !s.oldest {
		s.sameExtract = append(s.sameExtract, id)
	}
	return false
}

// Fault adds a fault to the report. It ignores a fault of an older extract, because the fault was
// reported when that extract was the newest. Damage is an exception and is always reported.
func (s *stager) Fault(f sources.Fault) {
	s.damaged = s.damaged || f.Code == sources.FaultDamaged
	if s.newest || f.Code == sources.FaultDamaged {
		s.report.AddFault(f)
		s.whole = false
	}
}

// borough keeps a borough of the platform's feed, with the current code of its council. If that
// council was merged or split, borough reports a fault, since the operator must state which
// council is meant.
func (s *stager) borough(r sources.Borough) {
	r.Code = s.staged.AreaHistory.CodeIfRecoded(r.Code)
	if today := s.staged.AreaHistory.CurrentCodes(r.Code); !slices.Contains(today, r.Code) {
		s.Fault(sources.Fault{Source: s.info.Key, Where: "borough " + r.Slug, Code: sources.FaultUnknownPlace,
			Detail: fmt.Sprintf("borough %q: council %s is %s today; correct the feed's boroughs", r.Slug, r.Code,
				strings.Join(today, " and "))})
	}
	s.staged.Boroughs = append(s.staged.Boroughs, r)
}
