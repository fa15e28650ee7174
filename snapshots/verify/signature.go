package verify

import (
	"context"
	"os"
	"path/filepath"

	"labour/snapshots"
)

// checkSignature holds SHA256SUMS against its signature, where a key was given.
// That the sums are those of the files is the check of the sums.
func checkSignature(_ context.Context, s *subject) error {
	const name = snapshots.SignatureName
	if s.key == nil {
		return nil
	}
	sums, err := os.ReadFile(filepath.Join(s.dir, snapshots.SumsName))
	if err != nil {
		return nil // a fault of the sums already
	}
	signed, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.fault("signature", name, WholeFile, "is missing or cannot be read, and a signature is asked for")
		return nil
	}
	if err := s.key.Check(s.manifest.ID, sums, signed); err != nil {
		s.fault("signature", name, WholeFile, "%v", err)
	}
	return nil
}
