package objects

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"gocloud.dev/gcerrors"

	"labour/snapshots"
	"labour/snapshots/store"
)

// PullResult counts the files and bytes that Pull has downloaded. It also lists what Pull changed
// in the local store.
type PullResult struct {
	ID           snapshots.ID `json:"id"`
	Got          int          `json:"files_got"`
	AlreadyThere int          `json:"files_there"` // number of files that the local store already had
	Bytes        int64        `json:"bytes_got"`
	IsNew        bool         `json:"new"` // true if the local store did not have the snapshot before
	// Withdrawn lists the snapshots that this pull has withdrawn in the local store.
	Withdrawn []snapshots.ID `json:"withdrawn,omitempty"`
}

// Pull downloads the current snapshot from the object storage to a local store, but does not
// promote it. Before that, Pull withdraws, in the local store, all snapshots that are withdrawn in
// the object storage. The error is store.ErrWithdrawn if the current snapshot is one of them.
//
// Pull compares every file with the manifest. verify then checks the directory dir of the snapshot,
// even if the store already had the snapshot. If a check fails, the snapshot is not added. An
// interrupted download can be continued.
func (r *RemoteSnapshots) Pull(
	ctx context.Context, local *store.Store, verify func(dir string) error,
) (got PullResult, err error) {
	withdrawn, err := r.withdrawals(ctx)
	if err == nil {
		got.Withdrawn, err = withdraw(ctx, local, withdrawn)
	}
	if err != nil {
		return got, fmt.Errorf("pull: %w", err)
	}
	id, err := r.Current(ctx)
	if err != nil {
		return got, fmt.Errorf("pull: %w", err)
	}
	defer snapshots.WrapError(&err, "pull %s", id)
	got.ID = id
	if _, gone := withdrawn[id]; gone {
		return got, store.ErrWithdrawn
	}
	text, err := r.read(ctx, key(id, snapshots.ManifestFileName))
	if err != nil {
		return got, err
	}
	m, err := snapshots.DecodeManifest(text)
	if err != nil {
		return got, err
	}
	if m.ID != id {
		return got, fmt.Errorf("its manifest names %s", m.ID)
	}
	// AddFromOtherStore handles an existing manifest that cannot be read.
	if _, sum, err := snapshots.ReadManifest(local.SnapshotDir(id)); err == nil && hash(text) != sum {
		return got, store.ErrSealedManifestDiffers
	}
	err = local.AddFromOtherStore(ctx, id, func(dir string) error {
		got.IsNew = true
		if err := r.fill(ctx, dir, m, &got); err != nil {
			return err
		}
		return verify(dir)
	})
	if err == nil && !got.IsNew {
		err = verify(local.SnapshotDir(id))
	}
	return got, err
}

// fill downloads every file of a snapshot into dir, and counts the files in got.
func (r *RemoteSnapshots) fill(ctx context.Context, dir string, m snapshots.Manifest, got *PullResult) (err error) {
	signed, err := r.bucket.Exists(ctx, key(m.ID, snapshots.SignatureFileName))
	if err != nil {
		return fmt.Errorf("look for the signature: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Join(dir, partName))) }()
	for _, name := range m.FileNames(signed) {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("the manifest names %q, which is outside the snapshot", name)
		}
		if err := r.fetch(ctx, dir, m, name, got); err != nil {
			return err
		}
	}
	return nil
}

// partName is the temporary name of a file while it is being downloaded.
const partName = ".part"

// fetch downloads one file of a snapshot to dir, unless dir already has it with the SHA-256 in the
// manifest, and counts it in got. During the download the file has a temporary name, so a file with
// its final name is complete.
func (r *RemoteSnapshots) fetch(ctx context.Context, dir string, m snapshots.Manifest, name string,
	got *PullResult) error {
	to := snapshots.JoinPath(dir, name)
	stated, known := m.FileSum(name)
	if there, err := snapshots.HashFile(to); err == nil && known && there.SHA256 == stated.SHA256 {
		got.AlreadyThere++
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	partial, err := os.Create(filepath.Join(dir, partName))
	if err != nil {
		return err
	}
	most := int64(maxSmall)
	if known {
		most = stated.Bytes
	}
	came, err := r.copyTo(ctx, key(m.ID, name), partial, most)
	if err := errors.Join(err, partial.Close()); err != nil {
		if gcerrors.Code(err) == gcerrors.NotFound {
			return fmt.Errorf("%s is missing at the address: %w", name, err)
		}
		return err
	}
	if known && came.SHA256 != stated.SHA256 {
		return fmt.Errorf("%s is not what the manifest states: SHA-256 %s, stated %s", name, came.SHA256, stated.SHA256)
	}
	got.Got, got.Bytes = got.Got+1, got.Bytes+came.Bytes
	return os.Rename(partial.Name(), to)
}
