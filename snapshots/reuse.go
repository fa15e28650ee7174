package snapshots

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Reuse takes a file of a sealed snapshot over unchanged: its name is relative to
// the snapshot, with forward slashes. The bytes are shared where the file system
// has hard links, else they are copied. A file that is shared is sealed like its
// twin.
func (w *Writer) Reuse(from ID, name string) error {
	file := Within(w.store.Dir(from), name)
	err := os.Link(file, w.FilePath(name))
	if err != nil {
		err = copyFile(file, w.FilePath(name))
	}
	if err != nil {
		return fmt.Errorf("reuse %s of snapshot %s: %w", name, from, err)
	}
	return nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() // only read, nothing to lose
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, openFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
