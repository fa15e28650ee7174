package ingest

import (
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"labour/sources"
)

// PastAdvertCache caches adverts that are no longer listed. Without it, each run would read two
// years of past fetches again. It is valid for one version of the program and one configuration of
// the sources.
type PastAdvertCache struct {
	dir       string
	validFor  string          // version of the program, and configuration, for which the cache is valid
	usedFiles map[string]bool // names of the cache files that this run has used
}

// OpenPastAdvertCache opens the cache of past adverts in dir, and creates dir if necessary. It
// ignores adverts that were cached by another version of the program or with another configuration.
// A rebuild, or a build for an earlier date, must not use the cache.
func OpenPastAdvertCache(dir, version string, configuration any) (*PastAdvertCache, error) {
	var info os.FileInfo
	program, err := os.Executable()
	if err == nil {
		info, err = os.Stat(program)
	}
	if err != nil {
		return nil, fmt.Errorf("find the program: %w", err)
	}
	config, err := json.Marshal(configuration)
	if err != nil {
		return nil, fmt.Errorf("note the configuration: %w", err)
	}
	p := &PastAdvertCache{dir: dir, usedFiles: map[string]bool{},
		validFor: fmt.Sprintf("%s %d %s\n%s\n", version, info.Size(), info.ModTime(), config)}
	return p, os.MkdirAll(p.dir, 0o700)
}

// file returns the path of the cache file for an extract (one fetch). It also marks the file as
// used.
func (p *PastAdvertCache) file(x sources.Extract) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s%s %s\n", p.validFor, x.Source, x.FetchedAt)
	for _, o := range x.Objects {
		fmt.Fprintf(h, "%s %s\n", o.SHA256, o.Name)
	}
	name := hex.EncodeToString(h.Sum(nil)) + ".gob.zst"
	p.usedFiles[name] = true
	return filepath.Join(p.dir, name)
}

// load returns the adverts in a cache file. ok is false if the file is missing or damaged.
func (p *PastAdvertCache) load(file string) (adverts []sources.Advert, ok bool) {
	f, err := os.Open(file)
	if err != nil {
		return nil, false
	}
	defer f.Close() // opened for reading only
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, false
	}
	defer z.Close()
	return adverts, gob.NewDecoder(z).Decode(&adverts) == nil
}

// keep writes adverts to a cache file atomically, so that no run reads an incomplete file.
func (p *PastAdvertCache) keep(file string, adverts []sources.Advert) error {
	f, err := os.CreateTemp(p.dir, "new-")
	if err != nil {
		return fmt.Errorf("keep past adverts: %w", err)
	}
	z, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(1))
	if err == nil {
		err = errors.Join(gob.NewEncoder(z).Encode(adverts), z.Close())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keep past adverts: %w", err), os.Remove(f.Name()))
	}
	return nil
}

// removeUnused removes the cache files that this run did not use, and unfinished files of an
// interrupted run.
func (p *PastAdvertCache) removeUnused() error {
	entries, err := os.ReadDir(p.dir)
	for _, e := range entries {
		if !p.usedFiles[e.Name()] {
			err = errors.Join(err, os.Remove(filepath.Join(p.dir, e.Name())))
		}
	}
	return err
}
