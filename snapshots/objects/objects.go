// Package objects publishes snapshots to object storage and downloads them from it. It uses the
// layout of the folder of snapshots: a folder for each snapshot, the records of withdrawals, and
// the file CURRENT.
//
// An upload writes the data first, then the manifest, and CURRENT last. It changes CURRENT only if
// nobody else changed it meanwhile. An interrupted upload can be continued. A download accepts only
// files that match the manifest.
//
// Addresses are s3:// and file:// URLs of gocloud.dev/blob, such as s3://bucket?region=eu-west-2. For
// a service other than AWS, add &endpoint=…&use_path_style=true. The path of an s3:// address is a
// folder in the bucket. Credentials come from the environment variables of the AWS tools.
package objects

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcerrors"

	"labour/snapshots"
	"labour/snapshots/store"
)

// RemoteSnapshots gives access to the published snapshots in object storage.
type RemoteSnapshots struct {
	bucket *blob.Bucket
	dir    string // directory of the snapshots, for a file:// address; else empty
}

// Open opens the published snapshots at an address in object storage, such as
// s3://bucket?region=eu-west-2. It makes no request, and makes the folder of a file:// address. The
// scheme must be s3 or file.
func Open(ctx context.Context, address string) (*RemoteSnapshots, error) {
	bucket, err := OpenBucket(ctx, address)
	if err != nil {
		return nil, err
	}
	r := &RemoteSnapshots{bucket: bucket}
	if u, err := url.Parse(address); err == nil && u.Scheme == fileblob.Scheme {
		r.dir = u.Path
	}
	return r, nil
}

// OpenForReading is Open for a caller that only reads. For a file:// address it returns an error
// that matches fs.ErrNotExist if the folder does not exist, for example because a share is not
// mounted. Open would make the folder.
func OpenForReading(ctx context.Context, address string) (*RemoteSnapshots, error) {
	u, err := url.Parse(address)
	if err == nil && u.Scheme == fileblob.Scheme {
		if _, err := os.Stat(u.Path); err != nil {
			return nil, fmt.Errorf("open object storage %s: %w", u.Redacted(), err)
		}
	}
	return Open(ctx, address)
}

// OpenBucket opens the bucket at an address in object storage, such as
// s3://bucket?region=eu-west-2. It makes no request. The scheme must be s3 or file. An error has only
// the bucket of the address, because people put keys into addresses.
func OpenBucket(ctx context.Context, address string) (bucket *blob.Bucket, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("address of the object storage: it must be like s3://bucket?region=eu-west-2")
	}
	if u.User != nil {
		return nil, errors.New("address of the object storage: it must have no user and password; keys come from the " +
			"environment")
	}
	switch u.Scheme {
	case s3blob.Scheme:
		if u, err = folderAsPrefix(u); err != nil {
			return nil, err
		}
		bucket, err = blob.OpenBucket(ctx, u.String())
	case fileblob.Scheme:
		bucket, err = fileblob.OpenBucket(u.Path, &fileblob.Options{CreateDir: true, NoTempDir: true,
			Metadata: fileblob.MetadataDontWrite})
	default:
		return nil, fmt.Errorf("address of the object storage: scheme %q must be s3 or file", u.Scheme)
	}
	if err != nil {
		return nil, fmt.Errorf("open object storage %s://%s: %s", u.Scheme, u.Host,
			anyAddress.ReplaceAllString(err.Error(), "the address: "))
	}
	if prefix := u.Query().Get("prefix"); u.Scheme == fileblob.Scheme && prefix != "" {
		bucket = blob.PrefixedBucket(bucket, prefix)
	}
	return bucket, nil
}

// anyAddress matches an address in the text of an error, with the colon after it.
var anyAddress = regexp.MustCompile(`[a-z0-9]+://\S+\s*`)

// folderAsPrefix moves the path of an s3:// address to the parameter prefix, because the library
// ignores the path.
func folderAsPrefix(u *url.URL) (*url.URL, error) {
	folder := strings.Trim(u.Path, "/")
	if folder == "" {
		return u, nil
	}
	query := u.Query()
	if query.Has("prefix") {
		return nil, fmt.Errorf("address of the object storage: it has a path (%s) and a prefix (%s); leave one out",
			folder, query.Get("prefix"))
	}
	query.Set("prefix", folder+"/")
	moved := *u
	moved.Path = ""
	moved.RawPath = ""
	moved.RawQuery = query.Encode()
	return &moved, nil
}

// Close closes the connection to the object storage.
func (r *RemoteSnapshots) Close() error { return r.bucket.Close() }

// Current returns the ID of the current (published) snapshot in object storage. The error is
// store.ErrNoCurrent if there is none.
func (r *RemoteSnapshots) Current(ctx context.Context) (snapshots.ID, error) {
	id, _, err := r.current(ctx)
	return id, err
}

// current returns the ID of the current snapshot in object storage, and the version (ETag) of the
// file CURRENT. A later write uses the version to detect that somebody else changed the file.
func (r *RemoteSnapshots) current(ctx context.Context) (snapshots.ID, string, error) {
	attributes, err := r.bucket.Attributes(ctx, snapshots.CurrentFileName)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return "", "", store.ErrNoCurrent
	}
	if err != nil {
		return "", "", fmt.Errorf("read %s: %w", snapshots.CurrentFileName, err)
	}
	b, err := r.read(ctx, snapshots.CurrentFileName)
	if err != nil {
		return "", "", err
	}
	id, err := snapshots.ParseID(strings.TrimSuffix(string(b), "\n"))
	if err != nil {
		return "", "", fmt.Errorf("read %s: %w; the object is damaged: delete it in the object storage, then publish "+
			"the current snapshot again", snapshots.CurrentFileName, err)
	}
	return id, attributes.ETag, nil
}

// maxSmall is the largest size, in bytes, of an object that is read into memory, such as CURRENT.
// It also limits the download of files whose size is not in the manifest.
const maxSmall = 64 << 20

func (r *RemoteSnapshots) read(ctx context.Context, key string) (b []byte, err error) {
	in, err := r.bucket.NewReader(ctx, key, nil)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if in.Size() > maxSmall {
		return nil, fmt.Errorf("read %s: %d bytes are too many", key, in.Size())
	}
	if b, err = io.ReadAll(in); err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	return b, nil
}

func key(id snapshots.ID, name string) string { return string(id) + "/" + name }

func hash(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
