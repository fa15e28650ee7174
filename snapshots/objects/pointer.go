package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
	"golang.org/x/sys/unix"

	"labour/snapshots"
)

// pointer moves CURRENT by compare-and-set.
type pointer interface {
	// move writes text if CURRENT still has the version that was read ("" for none
	// yet), else snapshots.ErrConflict.
	move(ctx context.Context, r *Remote, text []byte, version string) error
}

// s3Pointer leaves the comparison to the service: a conditional write.
type s3Pointer struct{}

func (s3Pointer) move(ctx context.Context, r *Remote, text []byte, version string) error {
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
	err := r.bucket.Upload(ctx, snapshots.CurrentName, bytes.NewReader(text), options)
	if conflicts(err) {
		return fmt.Errorf("move %s: %w", snapshots.CurrentName, snapshots.ErrConflict)
	}
	if err != nil {
		return fmt.Errorf("move %s: %w", snapshots.CurrentName, err)
	}
	return nil
}

// conflicts says that a condition of a write did not hold.
func conflicts(err error) bool {
	var service interface{ ErrorCode() string }
	if errors.As(err, &service) && (service.ErrorCode() == "PreconditionFailed" || service.ErrorCode() == "ConditionalRequestConflict") {
		return true
	}
	return gcerrors.Code(err) == gcerrors.FailedPrecondition
}

// filePointer compares under a lock of the folder, since a file system has no
// conditional write.
type filePointer struct{ dir string }

func (p filePointer) move(ctx context.Context, r *Remote, text []byte, version string) (err error) {
	lock, err := os.OpenFile(filepath.Join(p.dir, ".current.lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("move %s: %w", snapshots.CurrentName, err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }() // closing gives the lock back
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("move %s: lock: %w", snapshots.CurrentName, err)
	}
	_, now, err := r.current(ctx)
	if err != nil && !errors.Is(err, snapshots.ErrNoCurrent) {
		return err
	}
	if now != version {
		return fmt.Errorf("move %s: %w", snapshots.CurrentName, snapshots.ErrConflict)
	}
	if err := r.bucket.WriteAll(ctx, snapshots.CurrentName, text, nil); err != nil {
		return fmt.Errorf("move %s: %w", snapshots.CurrentName, err)
	}
	return nil
}
