package verify

import (
	"context"
	"path/filepath"

	"labour/snapshots"
)

// In says that the snapshot lies in a store, and makes it a fault when the store's
// index or the chain of the manifests says otherwise than the snapshot does.
func In(store *snapshots.Store) Option { return func(s *subject) { s.store = store } }

// checkChain takes from the chain of the store what concerns this snapshot: its
// manifest is the one that was sealed, and the one before it is the one that it
// names. Gaps elsewhere are for `labour snapshot list`.
func checkChain(ctx context.Context, s *subject) error {
	if s.store == nil || filepath.Clean(s.store.Dir(s.manifest.ID)) != filepath.Clean(s.dir) {
		return nil
	}
	_, links, err := s.store.Chain(ctx)
	if err != nil {
		return err
	}
	for _, l := range links {
		if l.Fault && (l.ID == s.manifest.ID || l.ID == "") {
			s.fault("chain", snapshots.ManifestName, WholeFile, "%s", l.What)
		}
	}
	p := s.manifest.Previous
	if p == nil {
		return nil
	}
	// A previous snapshot that was removed or never pulled is said by the index.
	if _, sum, err := snapshots.ReadManifest(s.store.Dir(p.ID)); err == nil && sum != p.ManifestSHA256 {
		s.fault("chain", snapshots.ManifestName, WholeFile, "follows %s with SHA-256 %s; the one in the store has %s", p.ID, p.ManifestSHA256, sum)
	}
	return nil
}
