package objects

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
	"golang.org/x/sys/unix"

	"labour/snapshots"
	"labour/snapshots/store"
)

// sumMetadata is the name of the metadata entry in which an object states the SHA-256 of its
// content.
const sumMetadata = "sha256"

// PublishResult counts the files and bytes that Publish has sent. It also lists what Publish
// changed in the object storage.
type PublishResult struct {
	ID   snapshots.ID `json:"id"`
	Sent int          `json:"files_sent"`
	// number of files that the object storage already had
	AlreadyThere int   `json:"files_there"`
	Bytes        int64 `json:"bytes_sent"`
	// true if the snapshot is now the current one in the object storage; Publish makes it the
	// current one there only if it is also the current one in the local store
	IsNowCurrent bool `json:"current"`
	// Withdrawn lists the withdrawn snapshots of the store. Everybody who pulls withdraws them
	// too.
	Withdrawn []snapshots.ID `json:"withdrawn,omitempty"`
	// NotDeleted lists the withdrawn snapshots that still have files in the object storage. The
	// operator must delete these: all objects whose names begin with the ID and a slash.
	NotDeleted []snapshots.ID `json:"not_deleted,omitempty"`
	// RemovedCurrent is the ID of a withdrawn snapshot. Publish removed the file CURRENT from the
	// object storage because it named this snapshot. The ID is "" if Publish removed no such file.
	RemovedCurrent snapshots.ID `json:"removed_current,omitempty"`
}

// Publish uploads a snapshot that was promoted in the local store. If it is the current one there,
// Publish makes it the current one in the object storage too. It does not send files that the
// object storage already has. First it sends the records of withdrawn snapshots. If id is empty, it
// sends only these records. If CURRENT in the object storage names a withdrawn snapshot, Publish
// replaces or removes that file.
//
// The error is store.ErrWithdrawn for a withdrawn snapshot, and store.ErrNeverPromoted for one that
// was never current. It is store.ErrCurrentChanged if another snapshot was published meanwhile, and
// store.ErrSealedManifestDiffers if the object storage has another snapshot with the same ID. After
// such an error, the published snapshot is unchanged, unless it was withdrawn.
func (r *RemoteSnapshots) Publish(ctx context.Context, local *store.Store, id snapshots.ID) (sent PublishResult,
	err error) {
	defer snapshots.WrapError(&err, "publish %s", id)
	sent.ID = id
	if sent.Withdrawn, err = r.publishWithdrawals(ctx, local); err != nil {
		return sent, err
	}
	if sent.NotDeleted, err = r.withFiles(ctx, sent.Withdrawn); err != nil {
		return sent, err
	}
	localCurrent, err := local.Current()
	isCurrent := err == nil && localCurrent == id
	if !isCurrent {
		sent.RemovedCurrent, err = r.removeWithdrawnCurrent(ctx, sent.Withdrawn)
		if err != nil || id == "" {
			return sent, err
		}
	}
	err = r.publishSnapshot(ctx, local, id, isCurrent, &sent)
	return sent, err
}

// publishSnapshot uploads the files of a snapshot, and counts them in sent. If isCurrent is true,
// it then makes the snapshot the current one in the object storage.
func (r *RemoteSnapshots) publishSnapshot(ctx context.Context, local *store.Store, id snapshots.ID, isCurrent bool,
	sent *PublishResult) error {
	if slices.Contains(sent.Withdrawn, id) {
		return store.ErrWithdrawn
	}
	if err := local.CheckPromoted(id); err != nil {
		return err
	}
	was, version, err := r.current(ctx)
	if err != nil && !errors.Is(err, store.ErrNoCurrent) {
		return err
	}
	if err := r.sendAll(ctx, local, id, sent); err != nil {
		return err
	}
	if isCurrent && was != id {
		if err := r.writeCurrent(ctx, []byte(string(id)+"\n"), version); err != nil {
			return fmt.Errorf("move %s: %w", snapshots.CurrentFileName, err)
		}
	}
	sent.IsNowCurrent = isCurrent || was == id
	return nil
}

// sendAll uploads the files of a snapshot, and counts them in sent. It returns an error if the
// object storage has another snapshot with the same ID.
func (r *RemoteSnapshots) sendAll(ctx context.Context, local *store.Store, id snapshots.ID,
	sent *PublishResult) error {
	dir := local.SnapshotDir(id)
	m, sum, err := snapshots.ReadManifest(dir)
	if err != nil {
		return err
	}
	if err := r.checkSameManifest(ctx, id, sum); err != nil {
		return err
	}
	_, err = os.Lstat(snapshots.JoinPath(dir, snapshots.SignatureFileName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range m.FileNames(err == nil) {
		if err := r.send(ctx, dir, m, name, sent); err != nil {
			return err
		}
	}
	return nil
}

// checkSameManifest returns an error if the object storage has a different manifest for snapshot
// id. sum is the SHA-256 of the local manifest.
func (r *RemoteSnapshots) checkSameManifest(ctx context.Context, id snapshots.ID, sum string) error {
	b, err := r.read(ctx, key(id, snapshots.ManifestFileName))
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	if err == nil && hash(b) != sum {
		return store.ErrSealedManifestDiffers
	}
	return err
}

// send uploads one file of a snapshot, unless the object storage already has it, and counts it in
// sent. It returns an error if the local file differs from the manifest.
func (r *RemoteSnapshots) send(ctx context.Context, dir string, m snapshots.Manifest, name string,
	sent *PublishResult) error {
	local, err := snapshots.HashFile(snapshots.JoinPath(dir, name))
	if err != nil {
		return err
	}
	if stated, ok := m.FileSum(name); ok && (stated.SHA256 != local.SHA256 || stated.Bytes != local.Bytes) {
		return fmt.Errorf("%s is not what the manifest states; verify the snapshot", name)
	}
	there, err := r.has(ctx, key(m.ID, name), local)
	if err != nil {
		return err
	}
	if there {
		sent.AlreadyThere++
		return nil
	}
	if err := r.upload(ctx, key(m.ID, name), snapshots.JoinPath(dir, name), local); err != nil {
		return err
	}
	sent.Sent, sent.Bytes = sent.Sent+1, sent.Bytes+local.Bytes
	return nil
}

// has reports whether the object called key in the object storage has the size and SHA-256 in want.
// If the object does not state its SHA-256, has reads the whole object to compute it.
func (r *RemoteSnapshots) has(ctx context.Context, key string, want snapshots.File) (bool, error) {
	attributes, err := r.bucket.Attributes(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for %s: %w", key, err)
	}
	if attributes.Size != want.Bytes {
		return false, nil
	}
	if stated := attributes.Metadata[sumMetadata]; stated != "" {
		return stated == want.SHA256, nil
	}
	there, err := r.copyTo(ctx, key, io.Discard, want.Bytes)
	return err == nil && there.SHA256 == want.SHA256, err
}

func (r *RemoteSnapshots) upload(ctx context.Context, key, file string, stated snapshots.File) error {
	in, err := os.Open(file)
	if err == nil {
		defer in.Close() // opened for reading only
		err = r.bucket.Upload(ctx, key, in, &blob.WriterOptions{ContentType: contentType(key),
			Metadata: map[string]string{sumMetadata: stated.SHA256}})
	}
	if err != nil {
		return fmt.Errorf("send %s: %w", key, err)
	}
	return nil
}

func contentType(key string) string {
	switch path.Ext(key) {
	case ".parquet":
		return "application/vnd.apache.parquet"
	case ".json":
		return "application/json"
	}
	return "text/plain; charset=utf-8"
}

// copyTo copies the content of the object called key to out, and returns its SHA-256 and its size
// in bytes. It returns an error if the object is larger than limit bytes.
func (r *RemoteSnapshots) copyTo(ctx context.Context, key string, out io.Writer, limit int64) (file snapshots.File,
	err error) {
	in, err := r.bucket.NewReader(ctx, key, nil)
	if err != nil {
		return file, fmt.Errorf("read %s: %w", key, err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if in.Size() > limit {
		return file, fmt.Errorf("read %s: it has %d bytes, and may have %d", key, in.Size(), limit)
	}
	h := sha256.New()
	if file.Bytes, err = io.Copy(io.MultiWriter(out, h), io.LimitReader(in, limit+1)); err != nil {
		return file, fmt.Errorf("read %s: %w", key, err)
	}
	if file.Bytes > limit {
		return file, fmt.Errorf("read %s: it has more than %d bytes", key, limit)
	}
	file.SHA256 = fmt.Sprintf("%x", h.Sum(nil))
	return file, nil
}

// writeCurrent writes text to the file CURRENT. version is the version (ETag) of the file that was
// read before, or "" if there was no file. If the file has changed since then, the error is
// store.ErrCurrentChanged. In object storage this is a conditional write.
func (r *RemoteSnapshots) writeCurrent(ctx context.Context, text []byte, version string) error {
	if r.dir != "" {
		return r.writeCurrentFile(ctx, text, version)
	}
	options := &blob.WriterOptions{ContentType: "text/plain", CacheControl: "no-store", IfNotExist: version == ""}
	if version != "" {
		options.BeforeWrite = func(as func(any) bool) error {
			var in *s3.PutObjectInput
			if !as(&in) {
				return errors.New("the object storage offers no conditional write")
			}
			in.IfMatch = aws.String(version)
			return nil
		}
	}
	err := r.bucket.Upload(ctx, snapshots.CurrentFileName, bytes.NewReader(text), options)
	if conflicts(err) {
		return store.ErrCurrentChanged
	}
	return err
}

// conflicts reports whether err means that somebody else changed the object, so that a conditional
// write failed.
func conflicts(err error) bool {
	var service interface{ ErrorCode() string }
	if errors.As(err, &service) && (service.ErrorCode() == "PreconditionFailed" ||
		service.ErrorCode() == "ConditionalRequestConflict") {
		return true
	}
	return gcerrors.Code(err) == gcerrors.FailedPrecondition
}

// writeCurrentFile does the work of writeCurrent if the storage is a folder of the file system.
func (r *RemoteSnapshots) writeCurrentFile(ctx context.Context, text []byte, version string) error {
	return r.withFolderLock(ctx, version, func() error {
		return r.bucket.WriteAll(ctx, snapshots.CurrentFileName, text, nil)
	})
}

// removeWithdrawnCurrent removes CURRENT from the object storage if it names one of the withdrawn
// snapshots, and returns that snapshot's ID. Object storage has no conditional removal: if another
// publisher writes CURRENT at the same moment, its new CURRENT may be removed, and it must publish
// again.
func (r *RemoteSnapshots) removeWithdrawnCurrent(ctx context.Context, withdrawn []snapshots.ID) (snapshots.ID, error) {
	id, version, err := r.current(ctx)
	if errors.Is(err, store.ErrNoCurrent) {
		return "", nil
	}
	if err != nil || !slices.Contains(withdrawn, id) {
		return "", err
	}
	remove := func() error { return r.bucket.Delete(ctx, snapshots.CurrentFileName) }
	if r.dir != "" {
		err = r.withFolderLock(ctx, version, remove)
	} else {
		err = remove()
	}
	if err != nil {
		return "", fmt.Errorf("remove %s, which names the withdrawn %s: %w", snapshots.CurrentFileName, id, err)
	}
	return id, nil
}

// withFolderLock calls change, which changes CURRENT in a folder of the file system. The file
// system has no conditional write. Therefore withFolderLock locks the folder and compares the
// version first.
func (r *RemoteSnapshots) withFolderLock(ctx context.Context, version string, change func() error) (err error) {
	lock, err := os.OpenFile(filepath.Join(r.dir, ".current.lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }() // closing releases the lock
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	_, now, err := r.current(ctx)
	if err != nil && !errors.Is(err, store.ErrNoCurrent) {
		return err
	}
	if now != version {
		return store.ErrCurrentChanged
	}
	return change()
}
