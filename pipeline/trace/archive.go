package trace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
)

// NoteNoArchive is the note that a trace has if no archive was found.
const NoteNoArchive = "The archive is not here, so it is not known from where and when the bytes were fetched, and " +
	"whether they are kept."

// NoteNoKey is the note in a trace if the secret key for the hashes in the manifest is missing.
// Without this key, the platform's files cannot be found in the archive.
const NoteNoKey = "The hashes of the platform's files need a key of the operator, which is not here, so the " +
	"archive's records of these files cannot be found."

// AddFetchRecords adds to each input of the trace what the archive in dir recorded about its fetch.
// key is the secret key for hashes in manifests, or nil if there is none. If the archive does not
// exist or may not be read, AddFetchRecords adds a note instead. Any other failure to read it is an
// error.
func AddFetchRecords(t *Trace, dir string, key snapshots.ManifestKey) (err error) {
	if _, err := os.ReadDir(dir); errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		t.Notes = append(t.Notes, NoteNoArchive)
		return nil
	}
	a, err := archive.Open(dir)
	if err != nil {
		return fmt.Errorf("trace to the archive: %w", err)
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	for i := range t.Sources {
		if err := join(a, &t.Sources[i], t.Snapshot, key); err != nil {
			return fmt.Errorf("trace %s to the archive: %w", t.Sources[i].Key, err)
		}
	}
	if key == nil && slices.ContainsFunc(t.Sources, hasKeyedHashes) {
		t.Notes = append(t.Notes, NoteNoKey)
	}
	return nil
}

// hasKeyedHashes reports whether manifests name the files of a source by a keyed hash, as they do
// for the platform.
func hasKeyedHashes(s Source) bool {
	return slices.ContainsFunc(s.Inputs, func(in Input) bool { return in.HMACSHA256 != "" })
}

// object is one archived object (file) of a source.
type object struct{ name, sum string }

// join reads the archive's journal of fetches and its extracts for one source, and adds what they
// record to the inputs of the source.
func join(a *archive.Archive, s *Source, id snapshots.ID, key snapshots.ManifestKey) error {
	inputs := map[object]*Input{}
	for i, in := range s.Inputs {
		inputs[object{in.Name, in.SHA256 + in.HMACSHA256}] = &s.Inputs[i]
	}
	// find returns the input for an archived object, by its hash or its keyed hash.
	find := func(name, sum string) *Input {
		if in := inputs[object{name, sum}]; in != nil || key == nil {
			return in
		}
		return inputs[object{name, key.NameInManifest(id, sum)}]
	}
	if len(inputs) == 0 {
		return nil
	}
	for f, err := range a.FetchRecords(s.Key) {
		if err != nil {
			return err
		}
		in := find(f.ObjectName, f.SHA256)
		if in == nil || second(f.EndedAt).After(in.LastUsed) {
			continue
		}
		in.Received = &ArchiveRecord{URL: f.URL, Status: f.Status, FetchedAt: second(f.EndedAt),
			ReceivedAt: second(f.ReceivedAt),
			Outcome:    string(f.Outcome), Kept: a.HasBody(f.SHA256)}
	}
	for x, err := range a.ExtractsNewestFirst(s.Key) {
		if err != nil {
			return err
		}
		noteCarried(x, find)
	}
	return nil
}

// noteCarried records, for each object (file), whether it was carried forward in the last extract
// that uses it. This means that the object could not be fetched again, so that the extract took it
// from an older fetch.
func noteCarried(x sources.Extract, find func(name, sum string) *Input) {
	for _, o := range x.Objects {
		in := find(o.Name, o.SHA256)
		if in != nil && in.Received != nil && second(x.FetchedAt).Equal(in.LastUsed) {
			in.Received.Carried = o.Carried
		}
	}
}

// second returns a time truncated to the second, as manifests have it.
func second(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }
