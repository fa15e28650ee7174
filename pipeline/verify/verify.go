// Package verify checks a snapshot from its directory only: no other snapshot, no configuration, no
// network. It collects every fault instead of stopping at the first, each with its file and row.
//
// It cannot check whether a figure is true, which is the pipeline's part, nor whether the snapshot
// may follow the one before, which is the succession check's.
package verify

import (
	"context"
	"errors"
	"fmt"
	"os"

	"labour/snapshots"
	"labour/snapshots/signature"
)

// WholeFile is the row of a fault that is not in one row.
const WholeFile = -1

// maxPerFile bounds the faults of one check in one file; the last of them gives how many more there
// were.
const maxPerFile = 1000

// Fault is one error in a snapshot.
type Fault struct {
	Check string `json:"check"` // name of the check, as in Checks
	File  string `json:"file"`  // path inside the snapshot, forward slashes
	Row   int64  `json:"row"`   // from 0; WholeFile when it is not in one row
	What  string `json:"what"`
}

// String returns the fault on one line.
func (f Fault) String() string {
	if f.Row == WholeFile {
		return fmt.Sprintf("%s: %s (%s)", f.File, f.What, f.Check)
	}
	return fmt.Sprintf("%s, row %d: %s (%s)", f.File, f.Row, f.What, f.Check)
}

// Report is the result of checking a snapshot.
type Report struct {
	Dir    string       `json:"dir"`
	ID     snapshots.ID `json:"id"`    // empty when the manifest cannot be read
	Files  int          `json:"files"` // files that were hashed
	Rows   int64        `json:"rows"`  // rows of tables that were read
	Faults []Fault      `json:"faults"`
}

// OK reports whether there are no faults.
func (r Report) OK() bool { return len(r.Faults) == 0 }

// Err returns nil if there are no faults, otherwise one error with a line per fault.
func (r Report) Err() error {
	if r.OK() {
		return nil
	}
	faults := make([]error, 0, len(r.Faults))
	for _, f := range r.Faults {
		faults = append(faults, errors.New(f.String()))
	}
	return fmt.Errorf("snapshot %s has %d faults:\n%w", r.Dir, len(faults), errors.Join(faults...))
}

// subject is the snapshot under test and its faults found so far.
type subject struct {
	Options
	dir      string
	manifest snapshots.Manifest
	found    map[string]snapshots.File // what is in the directory; nil before it was hashed
	report   *Report
	counts   map[[2]string]int // faults by check and file
}

// check checks one aspect of the snapshot. It records faults; its error means that it could not
// check, since the context has ended.
type check struct {
	name string
	run  func(ctx context.Context, s *subject) error
}

// checks lists the checks in the order in which they run. A new check is one more line.
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

// Options changes the extent of the checks.
type Options struct {
	// Key makes a missing or wrong signature of this key a fault. Without it, signatures
	// are not looked at: nothing in the directory says whose is right.
	Key *signature.Verifier
	// Store is where the snapshot lies, and makes it a fault when the store's index or the
	// chain of the manifests says otherwise than the snapshot does.
	Store *snapshots.Store
	// TrustCells leaves the rows of the cells of adverts and of lists and rankings unread: their bytes,
	// sums and schemas are compared, and whoever sealed the snapshot read the rows. A nation has
	// millions of them, none is about people, and a server takes up a snapshot within seconds.
	TrustCells bool
}

// Dir checks the snapshot in a directory. The error means that the directory cannot be read or the
// context has ended; faults are in the report.
func Dir(ctx context.Context, dir string, o Options) (Report, error) {
	report := Report{Dir: dir, Faults: []Fault{}}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return report, errors.Join(fmt.Errorf("verify %s: not a directory", dir), err)
	}
	s := &subject{Options: o, dir: dir, report: &report, counts: map[[2]string]int{}}
	manifest, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		// Without a manifest it is not known what should be there; the sums may still show which
		// files changed.
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
