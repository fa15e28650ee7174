package objects

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gocloud.dev/gcerrors"

	"labour/snapshots"
)

// Got is what a pull did.
type Got struct {
	ID    snapshots.ID `json:"id"`
	Got   int          `json:"files_got"`
	There int          `json:"files_there"` // that were there already
	Bytes int64        `json:"bytes_got"`
	New   bool         `json:"new"` // the store did not have it before
}

// Pull takes the current snapshot over into a store, without promoting it. Every file is compared
// with the manifest, and then verify judges the directory as a whole; what either refuses does not
// get a name. A pull that was stopped goes on with the files that it had.
func (r *Remote) Pull(ctx context.Context, store *snapshots.Store, verify func(dir string) error) (Got, error) {
	id, err := r.Current(ctx)
	if err != nil {
		return Got{}, fmt.Errorf("pull: %w", err)
	}
	got := Got{ID: id}
	text, err := r.read(ctx, key(id, snapshots.ManifestName))
	if err != nil {
		return got, fmt.Errorf("pull %s: %w", id, err)
	}
	m, err := snapshots.DecodeManifest(text)
	if err != nil {
		return got, fmt.Errorf("pull %s: %w", id, err)
	}
	if m.ID != id {
		return got, fmt.Errorf("pull %s: its manifest names %s", id, m.ID)
	}
	if err := sealedOtherwise(store, id, text); err != nil {
		return got, fmt.Errorf("pull %s: %w", id, err)
	}
	err = store.Adopt(ctx, id, func(dir string) error {
		got.New = true
		if err := r.fill(ctx, dir, m, &got); err != nil {
			return err
		}
		return verify(dir)
	})
	if err != nil {
		return got, fmt.Errorf("pull %s: %w", id, err)
	}
	return got, nil
}

// sealedOtherwise refuses a name that the store has with other bytes.
func sealedOtherwise(store *snapshots.Store, id snapshots.ID, text []byte) error {
	_, sum, err := snapshots.ReadManifest(store.Dir(id))
	if err != nil {
		return nil // not there, or of no use: the adoption decides
	}
	if hash := sha256.Sum256(text); hex.EncodeToString(hash[:]) != sum {
		return snapshots.ErrSealed
	}
	return nil
}

// fill copies every file of the snapshot into dir.
func (r *Remote) fill(ctx context.Context, dir string, m snapshots.Manifest, got *Got) (err error) {
	signed, err := r.bucket.Exists(ctx, key(m.ID, snapshots.SignatureName))
	if err != nil {
		return fmt.Errorf("look for the signature: %w", err)
	}
	defer func() { err = errors.Join(err, ignoreMissing(os.Remove(filepath.Join(dir, partName)))) }()
	for _, name := range m.Names(signed) {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("the manifest names %q, which is outside the snapshot", name)
		}
		if err := r.fetch(ctx, dir, m, name, got); err != nil {
			return err
		}
	}
	return nil
}

// partName is the file that is being copied.
const partName = ".part"

// fetch copies one file under that name first, so that a file under its name is whole.
func (r *Remote) fetch(ctx context.Context, dir string, m snapshots.Manifest, name string, got *Got) error {
	to := snapshots.Within(dir, name)
	stated, known := m.Sum(name)
	if there, err := snapshots.HashFile(to); err == nil && known && there.SHA256 == stated.SHA256 {
		got.There++
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	beside, err := os.Create(filepath.Join(dir, partName))
	if err != nil {
		return err
	}
	counted := &counter{w: beside}
	sum, err := r.copyTo(ctx, key(m.ID, name), counted)
	if err := errors.Join(err, beside.Close()); err != nil {
		if gcerrors.Code(err) == gcerrors.NotFound {
			return fmt.Errorf("%s is missing at the address: %w", name, err)
		}
		return err
	}
	if known && sum != stated.SHA256 {
		return fmt.Errorf("%s is not what the manifest states: SHA-256 %s, stated %s", name, sum, stated.SHA256)
	}
	got.Got, got.Bytes = got.Got+1, got.Bytes+counted.n
	return os.Rename(beside.Name(), to)
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// counter counts the bytes that go through it.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
