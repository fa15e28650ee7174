package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"labour/sources"
	"labour/sources/journal"
)

// Put files a body of a source away and gives its SHA-256 (lower-case hex) and size in bytes. A
// body over max bytes is ErrTooLarge, with the bound in the text, and leaves nothing behind. Filing
// the same body again is harmless, and mends a damaged file.
func (a *Archive) Put(source string, r io.Reader, max int64) (sha string, n int64, err error) {
	a.mu.Lock()
	err = a.beginWrite(source)
	a.mu.Unlock()
	if err != nil {
		return "", 0, err
	}
	f, err := os.CreateTemp(a.tempDir(source), "body-*")
	if err != nil {
		return "", 0, fmt.Errorf("file a body: %w", err)
	}
	defer os.Remove(f.Name()) // does nothing after the rename
	sha, n, err = a.compress(f, r, max)
	if cerr := f.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("file a body: %w", cerr)
	}
	if err != nil {
		return "", n, err
	}
	return sha, n, a.place(f.Name(), sha)
}

// compress copies r to f, hashes it and syncs f.
func (a *Archive) compress(f *os.File, r io.Reader, max int64) (string, int64, error) {
	z, err := a.encoder(f)
	if err != nil {
		return "", 0, fmt.Errorf("compress a body: %w", err)
	}
	defer a.encoders.Put(z)
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(h, z), io.LimitReader(r, max+1))
	if err == nil && n > max {
		err = fmt.Errorf("%w: more than the bound of %d bytes", ErrTooLarge, max)
	}
	if cerr := z.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("compress a body: %w", cerr)
	}
	if err != nil {
		return "", n, err
	}
	if err := f.Sync(); err != nil {
		return "", n, fmt.Errorf("sync a body: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), n, nil
}

// place renames the finished temporary file to its name and makes the name durable.
func (a *Archive) place(temp, sha string) error {
	to := a.Path(sha)
	dir := filepath.Dir(to)
	if err := os.Mkdir(dir, 0o700); err == nil {
		if err := journal.SyncDir(filepath.Dir(dir)); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("file a body: %w", err)
	}
	if err := os.Rename(temp, to); err != nil {
		return fmt.Errorf("file a body: %w", err)
	}
	return journal.SyncDir(dir)
}

// Open opens a filed body. A missing file is sources.ErrNotFound. A file that no
// longer holds what was received makes Read fail with sources.ErrDamaged, at the
// latest at the end; so read to the end (io.EOF) before relying on the bytes.
func (a *Archive) Open(o sources.Object) (sources.Body, error) {
	f, err := os.Open(a.Path(o.SHA256))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open %s (sha256 %s): %w", o.Name, o.SHA256, sources.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", o.Name, err)
	}
	z, err := a.decoder(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open %s: %w", o.Name, err)
	}
	return &body{object: o, file: f, zstd: z, from: a, hash: sha256.New()}, nil
}

// encoder is one that is free, or a new one: its window of some megabytes is worth
// more than most bodies.
func (a *Archive) encoder(w io.Writer) (*zstd.Encoder, error) {
	if z, ok := a.encoders.Get().(*zstd.Encoder); ok {
		z.Reset(w)
		return z, nil
	}
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
}

func (a *Archive) decoder(r io.Reader) (*zstd.Decoder, error) {
	if z, ok := a.decoders.Get().(*zstd.Decoder); ok {
		return z, z.Reset(r)
	}
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
}

// Verify reads a body to its end; nil means that it is what was received.
func (a *Archive) Verify(o sources.Object) error {
	b, err := a.Open(o)
	if err != nil {
		return err
	}
	defer b.Close()
	_, err = io.Copy(io.Discard, b)
	return err
}

// body is an open object whose hash is checked on the way.
type body struct {
	object sources.Object
	file   *os.File
	zstd   *zstd.Decoder // of from, nil when closed
	from   *Archive
	hash   hash.Hash
	err    error // sticky
}

func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.zstd.Read(p)
	b.hash.Write(p[:n])
	switch {
	case err == io.EOF:
		b.err = b.check()
	case err != nil:
		b.err = b.damaged(err.Error())
	}
	return n, b.err
}

func (b *body) check() error {
	if got := hex.EncodeToString(b.hash.Sum(nil)); got != b.object.SHA256 {
		return b.damaged("its bytes have the sha256 " + got)
	}
	return io.EOF
}

func (b *body) damaged(why string) error {
	return fmt.Errorf("read %s (sha256 %s): %w: %s", b.object.Name, b.object.SHA256, sources.ErrDamaged, why)
}

func (b *body) Close() error {
	if b.err == nil {
		b.err = os.ErrClosed
	}
	if b.zstd != nil && b.zstd.Reset(nil) == nil {
		b.from.decoders.Put(b.zstd)
	}
	b.zstd = nil
	return b.file.Close()
}
