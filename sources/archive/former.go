package archive

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"labour/sources"
	"labour/sources/journal"
)

// TakenOver ends the names of the journals of an earlier version, which had one of each
// kind for all sources, after their records were filed by source.
const TakenOver = ".taken-over"

// takeOver files the records of an earlier version's journals by source. While another
// process does so, or a run of the earlier version writes, it waits.
func (a *Archive) takeOver() error {
	for _, folder := range []string{fetches, extracts} {
		former := filepath.Join(a.dir, folder+suffix)
		if err := a.fileBySource(former, folder); err != nil {
			return fmt.Errorf("take over %s of an earlier version: %w", former, err)
		}
	}
	return nil
}

// fileBySource files the records of a former journal by source. It locks the journal
// first: who finds it taken over meanwhile leaves the archive's own lock alone, which
// those who write want and do not wait for.
func (a *Archive) fileBySource(former, folder string) error {
	own, err := waitFor(former, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // as ever but once
	} else if err != nil {
		return err
	}
	defer own.Close()
	if _, err := os.Stat(former); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := waitFor(filepath.Join(a.dir, "lock"), os.O_CREATE|os.O_RDWR)
	if err != nil {
		return err
	}
	return errors.Join(a.split(former, folder), lock.Close())
}

// waitFor opens a file and locks it, alone; closing it gives the lock back.
func waitFor(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// split appends every record of a former journal to that of its source, unless it is
// there since a crash, and puts the journal aside.
func (a *Archive) split(former, folder string) error {
	there, err := a.lines(folder)
	if err != nil {
		return err
	}
	for line, err := range journal.New(former, 0o600).Lines() {
		if err != nil {
			return err
		}
		var record struct {
			Source string `json:"source"`
		}
		if there[sha256.Sum256(line)] {
			continue
		}
		if err := decode(line, &record); err != nil {
			return err
		}
		if err := a.journal(folder, record.Source).Append(json.RawMessage(line)); err != nil {
			return err
		}
	}
	for _, j := range a.journals {
		if err := errors.Join(j.Sync(), j.Close()); err != nil {
			return err
		}
	}
	return errors.Join(os.Rename(former, former+TakenOver), journal.SyncDir(a.dir))
}

// lines returns the hashes of all records of a kind.
func (a *Archive) lines(folder string) (map[[sha256.Size]byte]bool, error) {
	files, err := filepath.Glob(filepath.Join(a.dir, folder, "*"+suffix))
	there := map[[sha256.Size]byte]bool{}
	for _, file := range files {
		for line, err := range journal.New(file, 0o600).Lines() {
			if err != nil {
				return nil, err
			}
			there[sha256.Sum256(line)] = true
		}
	}
	return there, err
}

// Fetches returns the record of every download of a source, oldest first, those that failed too.
func (a *Archive) Fetches(source string) iter.Seq2[Fetch, error] {
	return records[Fetch](journal.New(filepath.Join(a.dir, fetches, source+suffix), 0o600).Lines())
}

// FirstAt is when the first extract of a source was made; the zero time when there is none.
func (a *Archive) FirstAt(source string) (time.Time, error) {
	for x, err := range records[sources.Extract](journal.New(filepath.Join(a.dir, extracts, source+suffix), 0o600).Lines()) {
		return x.At, err
	}
	return time.Time{}, nil
}

// Has reports whether a body is filed under that SHA-256 (lower-case hex). Whether its
// bytes are still those that were received shows when it is read.
func (a *Archive) Has(sha string) bool {
	_, err := os.Stat(a.Path(sha))
	return err == nil
}
