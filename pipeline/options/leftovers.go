package options

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"labour/pipeline/protected"
	"labour/snapshots/store"
)

// RemoveUnrounded removes the intermediate files and the unrounded counts of people of this and
// earlier runs. They are not needed after a build.
func (o *Options) RemoveUnrounded() error {
	err := errors.Join(os.RemoveAll(protected.StagingDir(o.DataDir)), os.RemoveAll(protected.TruthDir(o.DataDir)))
	if err != nil {
		return fmt.Errorf("remove staged rows: %w", err)
	}
	return nil
}

// RemoveLeftovers removes files of an interrupted run from the data directory. It also ends that
// run's session on a Spark cluster. The caller holds the writer's lock of the snapshots.
func (o *Options) RemoveLeftovers(ctx context.Context) error {
	cluster, err := o.SparkClusterSettings()
	if err != nil {
		return err
	}
	return errors.Join(cluster.EndOrphanedSession(ctx), o.removeLeftoverFiles())
}

// RemoveLeftoversAndValidate removes the files of interrupted runs, and then validates the options.
// It removes the files even if the options are invalid, because the run then fails before its build
// could remove them. While another run builds, it removes nothing, because that run has removed the
// files.
func (o *Options) RemoveLeftoversAndValidate() error {
	if !o.hasLeftoverFiles() {
		return o.Validate()
	}
	folder, err := store.Open(o.DataDir)
	if err != nil {
		return err
	}
	err = folder.WithWriterLock(o.removeLeftoverFiles)
	if err != nil && !errors.Is(err, store.ErrWriterActive) {
		return err
	}
	return o.Validate()
}

// hasLeftoverFiles reports whether the protected zone has files of a run or a rebuild, which may be
// interrupted or still active.
func (o *Options) hasLeftoverFiles() bool {
	for _, dir := range []string{protected.StagingDir(o.DataDir), protected.TruthDir(o.DataDir),
		protected.SpillDir(o.DataDir)} {
		if _, err := os.Lstat(dir); err == nil {
			return true
		}
	}
	return len(o.rebuildDirs()) > 0
}

// removeLeftoverFiles removes the files of interrupted runs and rebuilds from the protected zone.
// The caller holds the writer's lock of the snapshots, so no other run is active. It keeps the
// directories of active rebuilds.
func (o *Options) removeLeftoverFiles() error {
	err := errors.Join(o.RemoveUnrounded(), os.RemoveAll(protected.SpillDir(o.DataDir)))
	for _, dir := range o.rebuildDirs() {
		err = errors.Join(err, removeIfUnlocked(dir))
	}
	return err
}

// rebuildDirs returns the directories of active and interrupted rebuilds.
func (o *Options) rebuildDirs() []string {
	pattern := filepath.Join(protected.Dir(o.DataDir), protected.RebuildDirPattern)
	dirs, _ := filepath.Glob(pattern) // the only error is a faulty pattern
	return dirs
}

// MakeRebuildDir creates a temporary directory for a rebuild in the protected zone, the private part
// of the data directory. The directory is locked, so other runs do not remove it as a leftover. The
// lock ends when the process ends. remove deletes the directory and ends its lock.
func (o *Options) MakeRebuildDir() (dir string, remove func() error, err error) {
	zone := protected.Dir(o.DataDir)
	if err := os.MkdirAll(zone, 0o700); err != nil {
		return "", nil, err
	}
	if dir, err = os.MkdirTemp(zone, protected.RebuildDirPattern); err != nil {
		return "", nil, err
	}
	lock, err := lockDir(dir)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	return dir, func() error { return errors.Join(os.RemoveAll(dir), lock.Close()) }, nil
}

// removeIfUnlocked removes a directory unless another process or MakeRebuildDir has locked it.
func removeIfUnlocked(dir string) error {
	lock, err := lockDir(dir)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(dir), lock.Close())
}

// lockDir locks a directory until the returned file is closed. It returns unix.EWOULDBLOCK if the
// directory is locked.
func lockDir(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", dir, err), f.Close())
	}
	return f, nil
}
