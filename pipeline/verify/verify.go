// Package verify checks that the files of a snapshot are complete, unchanged and valid. It collects
// all faults, each with its file and row.
//
// It cannot check whether a figure is true. Package check decides whether the snapshot may replace
// the previous one.
package verify

import (
	"context"
	"errors"
	"fmt"
	"os"

	"labour/snapshots"
	"labour/snapshots/signature"
	"labour/snapshots/store"
)

// WholeFile is the row number of a fault that concerns a whole file and no single row.
const WholeFile = -1

// maxPerFile is the largest number of faults that are listed for one check of one file. One more
// fault states how many were left out.
const maxPerFile = 1000

// Fault is one error that was found in a snapshot.
type Fault struct {
	Check string `json:"check"` // name of the check, such as "schema"
	File  string `json:"file"`  // path inside the snapshot, forward slashes
	Row   int64  `json:"row"`   // from 0, or WholeFile
	Text  string `json:"what"`
}

// String returns the fault as one line of text for the operator.
func (f Fault) String() string {
	if f.Row == WholeFile {
		return fmt.Sprintf("%s: %s (%s)", f.File, f.Text, f.Check)
	}
	return fmt.Sprintf("%s, row %d: %s (%s)", f.File, f.Row, f.Text, f.Check)
}

// Report is the result of checking one snapshot.
type Report struct {
	Dir    string       `json:"dir"`
	ID     snapshots.ID `json:"id"`    // empty if the manifest cannot be read
	Files  int          `json:"files"` // number of files hashed
	Rows   int64        `json:"rows"`  // number of rows read in tables
	Faults []Fault      `json:"faults"`
}

// HasNoFaults reports whether there are no faults.
func (r Report) HasNoFaults() bool { return len(r.Faults) == 0 }

// Err returns nil if there are no faults, otherwise an error with one line for each fault.
func (r Report) Err() error {
	if r.HasNoFaults() {
		return nil
	}
	faults := make([]error, 0, len(r.Faults))
	for _, f := range r.Faults {
		faults = append(faults, errors.New(f.String()))
	}
	return fmt.Errorf("snapshot %s has %d faults:\n%w", r.Dir, len(faults), errors.Join(faults...))
}

// subject is the snapshot being checked, with the faults found so far.
type subject struct {
	Options
	dir      string
	manifest snapshots.Manifest
	found    map[string]snapshots.File // files in the directory; nil before they are hashed
	report   *Report
	counts   map[[2]string]int // number of faults by check and file
}

// check is one of the checks. run records faults in s. It returns an error only if it could not
// check, such as after ctx has ended.
type check struct {
	name string
	run  func(ctx context.Context, s *subject) error
}

// checks returns all checks, in the order in which they run.
func checks() []check {
	return []check{
		{"files", checkFiles},
		{"sums", checkSums},
		{"manifest", checkManifest},
		{"schema", checkSchemas},
		{"rows", checkRows},
		{"changes", checkChanges},
		{"signature", checkSignature},
		{"chain", checkChain},
	}
}

// Options says which checks to add or leave out.
type Options struct {
	// PublicKey is the public key of the signature. With it, a missing or wrong signature is a fault.
	// Without it, signatures are not checked.
	PublicKey *signature.Verifier
	// Store is the store of the snapshot. With it, a snapshot that contradicts the store's index or
	// the chain of manifests has a fault.
	Store *store.Store
	// SkipCellRows leaves out the rows of the tables adverts, adverts_total and the rankings. Their
	// hashes and schemas are still checked. They have millions of rows, none about people, and a
	// server must open a snapshot within seconds.
	SkipCellRows bool
}

// VerifyDir checks the snapshot in a directory and returns a report with its faults. The error is not nil
// if the directory or a temporary file cannot be used, or if ctx has ended.
func VerifyDir(ctx context.Context, dir string, o Options) (Report, error) {
	report := Report{Dir: dir, Faults: []Fault{}}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return report, errors.Join(fmt.Errorf("verify %s: not a directory", dir), err)
	}
	s := &subject{Options: o, dir: dir, report: &report, counts: map[[2]string]int{}}
	manifest, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		// Without a manifest it is not known which files should exist; the sums may still show
		// which files changed.
		s.fault("manifest", snapshots.ManifestName, WholeFile, "cannot be read: %v", err)
		err := checkSums(ctx, s)
		s.summarise()
		return report, err
	}
	s.manifest, report.ID = manifest, manifest.ID
	for _, c := range checks() {
		if err := c.run(ctx, s); err != nil {
			return report, fmt.Errorf("verify %s, %s: %w", dir, c.name, err)
		}
	}
	s.summarise()
	return report, nil
}
