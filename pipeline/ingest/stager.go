package ingest

import (
	"errors"
	"fmt"
	"time"

	"labour/pipeline/report"
	"labour/pipeline/staging"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// stageError wraps err, which is an error of writing intermediate files. The result also wraps
// errStage, and names the source. It is nil if err is nil.
func (s *stager) stageError(err error) error {
	if err != nil {
		return fmt.Errorf("%w %s: %w", errStage, s.info.Key, err)
	}
	return nil
}

// errStage means that an intermediate file could not be written. This error stops a build. Other
// errors are faults of a source.
var errStage = errors.New("staging")

// stager writes the records of one source to staged files, which are intermediate files of a build.
type stager struct {
	reader     *reader // has the staged files and the records of the sources that were read before
	info       sources.Info
	report     *report.SourceEntry
	history    extractHistory
	fetchTime  time.Time // time at which the current extract was fetched
	writeError error     // first error of writing staged files; nothing is staged after it
	// buffer for the skills of one resident, reused for the next
	residentRows []staging.ResidentSkill
}

// appendRow appends a row to an intermediate file. It does nothing if an earlier write failed.
func appendRow[T any](s *stager, w *parquetio.Writer[T], row T) {
	if s.writeError == nil {
		s.writeError = s.stageError(w.Append(row))
	}
}

// Fault adds the fault f to the source's entry in the report. It ignores faults of older fetches,
// because they were reported earlier. Damage is always reported.
func (s *stager) Fault(f sources.Fault) {
	damaged := f.Code == sources.FaultDamaged
	if damaged {
		s.history.addDamage()
	}
	if damaged || s.history.newest {
		s.report.AddFault(f)
	}
}
