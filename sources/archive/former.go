package archive

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"labour/sources"
	"labour/sources/journal"
)

// TakenOver ends the names of the journals of an earlier version, which had one of each
// kind for all sources, after their records were filed by source.
const TakenOver = ".taken-over"

// takeOver files the records of an earlier version's journal by source. While another
// process does so, or a run of the earlier version writes, it waits. It locks the journal
// first: who finds it taken over meanwhile leaves the archive's own lock alone, which
// those who write want and do not wait for.
func (a *Archive) takeOver(folder string) error {
	former := filepath.Join(a.dir, folder+suffix)
	own, err := lockFile(former, os.O_RDONLY, unix.LOCK_EX)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // as ever but once
	} else if err != nil {
		return err
	}
	defer own.Close()
	if _, err := os.Stat(former); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := lockFile(filepath.Join(a.dir, "lock"), os.O_CREATE|os.O_RDWR, unix.LOCK_EX)
	if err == nil {
		err = errors.Join(a.split(former, folder), lock.Close())
	}
	if err != nil {
		return fmt.Errorf("take over %s of an earlier version: %w", former, err)
	}
	return nil
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
		if there[sha256.Sum256(line)] {
			continue
		}
		var record sources.Extract // a Fetch names its source in the same way
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
