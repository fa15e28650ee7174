package archive

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"labour/sources"
	"labour/sources/journal"
)

// PutBody stores a downloaded body of a source. It returns the SHA-256 in lower-case hex and the
// size in bytes. If the body has more than max bytes, it is not stored and the error is
// ErrTooLarge. Storing a body again repairs a damaged file.
func (a *Archive) PutBody(source string, r io.Reader, max int64) (sha string, n int64, err error) {
	a.mu.Lock()
	err = a.beginWrite(source)
	a.mu.Unlock()
	if err != nil {
		return "", 0, err
	}
	f, err := os.CreateTemp(a.tempDir(source), "body-*")
	if err == nil {
		defer os.Remove(f.Name()) // does nothing after the rename
		sha, n, err = compress(f, r, max)
		err = cmp.Or(err, f.Close())
	}
	if err == nil {
		err = a.moveToFinalPath(f.Name(), sha)
	}
	if err != nil {
		return "", n, fmt.Errorf("file a body: %w", err)
	}
	return sha, n, nil
}

// compress writes the bytes of r to f with zstd compression and syncs f. It returns the SHA-256 and
// the size of the uncompressed bytes. If r has more than max bytes, it returns ErrTooLarge.
func compress(f *os.File, r io.Reader, max int64) (string, int64, error) {
	z := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(z)
	z.Reset(f)
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(h, z), io.LimitReader(r, max+1))
	if err == nil && n > max {
		err = fmt.Errorf("%w: more than the bound of %d bytes", ErrTooLarge, max)
	}
	if err = cmp.Or(err, z.Close()); err == nil {
		err = f.Sync()
	}
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// moveToFinalPath moves the temporary file temp to its final path and syncs the directory. The path depends
// on sha, the SHA-256 of the uncompressed body.
func (a *Archive) moveToFinalPath(temp, sha string) error {
	to := a.BodyPath(sha)
	dir := filepath.Dir(to)
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		err = journal.SyncDir(filepath.Dir(dir))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := os.Rename(temp, to); err != nil {
		return err
	}
	return journal.SyncDir(dir)
}

// Open opens an archived body for reading. It returns sources.ErrNotFound if the file is missing.
//
// If the bytes have changed, Read returns sources.ErrDamaged, possibly only at the end. Callers
// must therefore read to io.EOF before they trust the bytes.
func (a *Archive) Open(o sources.ArchivedObject) (sources.Body, error) {
	f, err := os.Open(a.BodyPath(o.SHA256))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open %s (sha256 %s): %w", o.Name, o.SHA256, sources.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", o.Name, err)
	}
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", o.Name, err), f.Close())
	}
	return &body{object: o, file: f, zstd: z, hash: sha256.New()}, nil
}

// encoders is a pool of zstd encoders. Creating an encoder takes longer than compressing most
// bodies.
var encoders = sync.Pool{New: func() any {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are invalid
	}
	return z
}}

// HasBody reports whether the archive has a file for a SHA-256, in lower-case hex. It does not
// check the file's bytes.
func (a *Archive) HasBody(sha string) bool {
	_, err := os.Stat(a.BodyPath(sha))
	return err == nil
}

// VerifyBody reads the archived body of o. It returns an error if the bytes do not match the
// SHA-256.
func (a *Archive) VerifyBody(o sources.ArchivedObject) error {
	b, err := a.Open(o)
	if err != nil {
		return err
	}
	defer b.Close()
	_, err = io.Copy(io.Discard, b)
	return err
}

// IsUndamaged reports whether all objects of an extract (the result of one fetch) are complete and
// unchanged in the archive. It reads all of them.
func (a *Archive) IsUndamaged(x sources.Extract) bool {
	isDamaged := func(o sources.ArchivedObject) bool { return a.VerifyBody(o) != nil }
	return !slices.ContainsFunc(x.Objects, isDamaged)
}

// body is a reader of one archived body. It verifies the SHA-256 at the end.
type body struct {
	object sources.ArchivedObject
	file   *os.File
	zstd   *zstd.Decoder
	hash   hash.Hash
	err    error // first error of Read, which every later Read returns as well
}

func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.zstd.Read(p)
	b.hash.Write(p[:n])
	if err == io.EOF {
		if got := hex.EncodeToString(b.hash.Sum(nil)); got != b.object.SHA256 {
			err = errors.New("its bytes have the sha256 " + got)
		}
	}
	if b.err = err; err != nil && err != io.EOF {
		b.err = fmt.Errorf("read %s (sha256 %s): %w: %v", b.object.Name, b.object.SHA256, sources.ErrDamaged, err)
	}
	return n, b.err
}

func (b *body) Close() error {
	b.zstd.Close()
	b.err = cmp.Or(b.err, os.ErrClosed)
	return b.file.Close()
}
