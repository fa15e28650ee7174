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

// WholeFile is the value of Fault.Row for a fault that is in a whole file, not in one row.
const WholeFile = -1

// maxPerFile is the largest number of faults that one check lists for one file. One more fault
// states the number of the others.
const maxPerFile = 1000

// Fault is one error that was found in a snapshot.
type Fault struct {
	Check string `json:"check"` // name of the check that found the fault, such as "schema"
	File  string `json:"file"`  // path of the faulty file inside the snapshot, with forward slashes
	// number of the faulty row, from 0; WholeFile if the fault is not in one row
	Row  int64  `json:"row"`
	Text string `json:"what"`
}

// String returns the fault as one line of text for the operator.
func (f Fault) String() string {
	if f.Row == WholeFile {
		return fmt.Sprintf("%s: %s (%s)", f.File, f.Text, f.Check)
	}
	return fmt.Sprintf("%s, row %d: %s (%s)", f.File, f.Row, f.Text, f.Check)
}

// Report is the result of verifying a snapshot. It has the faults, and the number of files and rows
// that were read.
type Report struct {
	Dir    string       `json:"dir"`
	ID     snapshots.ID `json:"id"`    // ID of the snapshot; empty if its manifest cannot be read
	Files  int          `json:"files"` // number of files that were hashed
	Rows   int64        `json:"rows"`  // number of rows of tables that were read
	Faults []Fault      `json:"faults"`
}

// HasNoFaults reports whether no faults were found in the snapshot.
func (r Report) HasNoFaults() bool { return len(r.Faults) == 0 }

// Err returns an error with one line for each fault. It returns nil if there are no faults.
func (r Report) Err() error {
	if r.HasNoFaults() {
		return nil
	}
	faults := make([]error, 0, len(r.Faults))
	for _, f := range r.Faults {
		faults = append(faults, errors.New(f.String()))
	}
	return fmt.Errorf("snapshot %s is not sound, faults: %d\n%w", r.Dir, len(faults), errors.Join(faults...))
}

// subject is the snapshot that is checked, with the faults found so far.
type subject struct {
	Options
	dir      string
	manifest snapshots.Manifest
	// hash of each file in the snapshot's directory, by path; nil before the files are hashed
	hashes map[string]snapshots.File
	report *Report
	counts map[[2]string]int // number of faults by name of the check and path of the file
}

// check is one check of a snapshot. run records faults in s. It returns an error only if it could
// not finish the check.
type check struct {
	name string
	run  func(ctx context.Context, s *subject) error
}

// checks returns all checks of a snapshot, in their order.
func checks() []check {
	return []check{
		{"files", checkFiles},
		{"sums", checkSums},
		{"json", checkJSON},
		{"manifest", checkManifest},
		{"schema", checkSchemas},
		{"rows", checkRows},
		{"changes", checkChanges},
		{"signature", checkSignature},
		{"chain", checkChain},
	}
}

// Options selects the optional checks of a snapshot.
type Options struct {
	// PublicKey verifies the signature of the snapshot. With it, a missing or wrong signature is a
	// fault. If it is nil, signatures are not checked.
	PublicKey *signature.Verifier
	// Store is the store that contains the snapshot. With it, a snapshot that contradicts the
	// store's index or the chain of manifests has a fault. If it is nil, this is not checked.
	Store *store.Store
	// AllowIncompleteIndex leaves out faults of the store as a whole: an index or a file CURRENT
	// that cannot be read, and gaps in the chain of manifests. They must not stop a promotion,
	// because it repairs the index and CURRENT. It has no effect without Store.
	AllowIncompleteIndex bool
	// SkipLargeTableRows leaves out the rows of the tables adverts, adverts_total and the rankings, but
	// not their hashes and schemas. These tables have millions of rows, none about people, and a
	// server must open a snapshot within seconds.
	SkipLargeTableRows bool
}

// VerifyDir checks the snapshot in a directory and reports its faults. It returns an error only if
// it could not finish, for example because ctx has ended.
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
		s.fault("manifest", snapshots.ManifestFileName, WholeFile, "cannot be read: %v", err)
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
