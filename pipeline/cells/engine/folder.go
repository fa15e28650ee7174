package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"gocloud.dev/blob"

	"labour/snapshots/objects"
)

// folder is a folder that this machine and the cluster use to exchange the files of a session.
// Names in it use slashes. The empty name is the folder itself.
type folder interface {
	// make creates the folder; allowOpen permits a work folder that every user of the machine can read
	make(allowOpen bool) error
	url(name string) string // url returns the address under which the cluster finds a file
	// put copies a local file into the folder under the given name
	put(ctx context.Context, name, file string) error
	// get copies the Parquet files below the given name to a local directory
	get(ctx context.Context, name, to string) error
	remove(ctx context.Context, name string) error
	close() error
}

func openFolder(ctx context.Context, location onCluster) (folder, error) {
	name := "labour-" + location.Session
	if filepath.IsAbs(location.WorkFolder) {
		return directory(filepath.Join(location.WorkFolder, name)), nil
	}
	u, err := url.Parse(location.WorkFolder)
	if err != nil {
		return nil, errors.New("engine.work: it must be a path, or like s3://bucket/folder?region=eu-west-2")
	}
	b := bucket{key: path.Join(strings.Trim(u.Path, "/"), name) + "/", host: u.Host}
	u.Path = ""
	if b.Bucket, err = objects.OpenBucket(ctx, u.String()); err != nil {
		return nil, err
	}
	return b, nil
}

// directory is a folder in a file system that this machine and the cluster share.
type directory string

func (d directory) mode() (fs.FileMode, error) {
	info, err := os.Stat(filepath.Dir(string(d)))
	if err != nil {
		return 0, err
	}
	if !info.IsDir() {
		return 0, fmt.Errorf("%s is no directory", filepath.Dir(string(d)))
	}
	return info.Mode() & (fs.ModePerm | fs.ModeSetgid), nil
}

func (d directory) make(allowOpen bool) error {
	mode, err := d.mode()
	if err != nil {
		return fmt.Errorf("engine.work: %w", err)
	}
	if mode&0o007 != 0 && !allowOpen {
		return fmt.Errorf(
			"engine.work %s is open to every user of the machine: chmod o= it, or set engine.allow_open_work",
			filepath.Dir(string(d)))
	}
	return d.mkdir(string(d), mode)
}

func (d directory) mkdir(dir string, mode fs.FileMode) error {
	if err := os.MkdirAll(dir, mode.Perm()); err != nil {
		return err
	}
	return os.Chmod(dir, mode) // independent of the umask
}

func (d directory) url(name string) string { return "file://" + filepath.Join(string(d), name) }

func (d directory) put(_ context.Context, name, file string) error {
	mode, err := d.mode()
	if err != nil {
		return err
	}
	to := filepath.Join(string(d), name)
	if err := d.mkdir(filepath.Dir(to), mode); err != nil {
		return err
	}
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close() // opened for reading only
	if err := copyTo(to, in); err != nil {
		return err
	}
	return os.Chmod(to, mode.Perm()&0o666)
}

func (d directory) get(_ context.Context, name, to string) error {
	from := filepath.Join(string(d), name)
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(to, 0o700) // some clusters write nothing if there are no rows
	}
	return os.CopyFS(to, os.DirFS(from)) // a file that disappears is an error
}

func (d directory) remove(_ context.Context, name string) error {
	return os.RemoveAll(filepath.Join(string(d), name))
}

func (d directory) close() error { return nil }

// copyTo writes the content of in to a new file, and creates missing parent directories. It fails
// if the file exists.
func copyTo(file string, in io.Reader) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}

// bucket is a folder in object storage (S3). key is the path of the folder in the bucket, with a
// slash at the end. host is the name of the bucket.
type bucket struct {
	*blob.Bucket
	host, key string
}

func (b bucket) make(bool) error { return nil }

func (b bucket) url(name string) string { return "s3a://" + b.host + "/" + b.key + name }

func (b bucket) put(ctx context.Context, name, file string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close() // opened for reading only
	return b.Upload(ctx, b.key+name, in, &blob.WriterOptions{ContentType: "application/vnd.apache.parquet"})
}

// each calls fn for each object under name in the folder, or for all objects if name is empty. key
// is the object's key, and rest is the part of the key after name and the slash.
func (b bucket) each(ctx context.Context, name string, fn func(key, rest string) error) error {
	prefix := b.key
	if name != "" {
		prefix += name + "/"
	}
	for list := b.List(&blob.ListOptions{Prefix: prefix}); ; {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = fn(o.Key, strings.TrimPrefix(o.Key, prefix))
		}
		if err != nil {
			return err
		}
	}
}

func (b bucket) get(ctx context.Context, name, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	return b.each(ctx, name, func(key, rest string) error {
		if path.Ext(key) != ".parquet" { // other files, such as _SUCCESS, are marks of the engine
			return nil
		}
		in, err := b.NewReader(ctx, key, nil)
		if err != nil {
			return err
		}
		defer in.Close() // opened for reading only
		return copyTo(filepath.Join(to, rest), in)
	})
}

func (b bucket) remove(ctx context.Context, name string) error {
	return b.each(ctx, name, func(key, _ string) error { return b.Delete(ctx, key) })
}

func (b bucket) close() error { return b.Close() }
