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

// NoteNoArchive is a note to the reader of a trace that no archive was found.
const NoteNoArchive = "The archive is not here, so it is not known from where and when the bytes were fetched, and " +
	"whether they are kept."

// NoteNoKey is a note to the reader of a trace that the key for the manifest's hashes is missing.
// Without it, the platform's files cannot be found in the archive.
const NoteNoKey = "The hashes of the platform's files need a key of the operator, which is not here, so the " +
	"archive's records of these files cannot be found."

// AddFetchRecords adds what the archive recorded about the fetch of each input. key is the secret
// key for hashes in manifests, or nil. If the archive is missing or not readable for this user, it
// adds a note. Other failures are errors.
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
		if err := addFetchRecords(a, &t.Sources[i], t.Snapshot, key); err != nil {
			return fmt.Errorf("trace %s to the archive: %w", t.Sources[i].Key, err)
		}
	}
	if key == nil && slices.ContainsFunc(t.Sources, hasKeyedHashes) {
		t.Notes = append(t.Notes, NoteNoKey)
	}
	return nil
}

// hasKeyedHashes reports whether the manifest has keyed hashes for the files of a source. Only the
// platform's files have them.
func hasKeyedHashes(s Source) bool {
	return slices.ContainsFunc(s.Inputs, func(in Input) bool { return in.HMACSHA256 != "" })
}

// object is one archived file, by its name and hash.
type object struct{ name, sum string }

// addFetchRecords adds what the archive recorded about the fetches of a source to the source's
// inputs.
func addFetchRecords(a *archive.Archive, s *Source, id snapshots.ID, key snapshots.ManifestKey) error {
	if len(s.Inputs) == 0 {
		return nil
	}
	inputs, err := inputsByContent(a, s, id, key)
	if err != nil {
		return err
	}
	for f, err := range a.FetchRecords(s.Key) {
		if err != nil {
			return err
		}
		for _, in := range inputs[object{f.ObjectName, f.SHA256}] {
			if second(f.EndedAt).After(in.LastUsed) {
				continue
			}
			in.Received = &ArchiveRecord{URL: f.URL, Status: f.Status, FetchedAt: second(f.EndedAt),
				ReceivedAt: second(f.ReceivedAt),
				Outcome:    string(f.Outcome), Kept: a.HasBody(f.SHA256)}
		}
	}
	for x, err := range a.ExtractsNewestFirst(s.Key) {
		if err != nil {
			return err
		}
		noteCarried(x, inputs)
	}
	return nil
}

// inputsByContent returns the inputs of a source by their names and SHA-256. Equal files of the
// platform may be several inputs, because their keyed hashes differ. An input with a keyed hash is
// left out if key is nil, or if the archive has no such file.
func inputsByContent(a *archive.Archive, s *Source, id snapshots.ID,
	key snapshots.ManifestKey) (map[object][]*Input, error) {
	inputs, keyed := map[object][]*Input{}, map[object]*Input{}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if in.HMACSHA256 == "" {
			inputs[object{in.Name, in.SHA256}] = []*Input{in}
		} else if key != nil {
			keyed[object{in.Name, in.HMACSHA256}] = in
		}
	}
	if len(keyed) == 0 {
		return inputs, nil
	}
	isUsed := map[time.Time]bool{} // times of fetches that delivered the inputs with keyed hashes
	for _, in := range keyed {
		isUsed[second(in.FirstUsed)] = true
	}
	for x, err := range a.ExtractsNewestFirst(s.Key) {
		if err != nil {
			return nil, err
		}
		if isUsed[second(x.FetchedAt)] {
			addKeyed(inputs, keyed, x, id, key)
		}
	}
	return inputs, nil
}

// addKeyed finds the input for each file of the extract x in keyed, whose keys have the name and
// the keyed hash of a file. It adds what it finds to inputs, whose keys have the name and the plain
// hash. addKeyed also recognises the keyed hashes that earlier versions of this program wrote.
func addKeyed(inputs map[object][]*Input, keyed map[object]*Input, x sources.Extract, id snapshots.ID,
	key snapshots.ManifestKey) {
	for _, o := range x.Objects {
		in := keyed[object{o.Name, key.FileHash(id, x.FetchedAt, o.Name, o.SHA256)}]
		if in == nil {
			in = keyed[object{o.Name, key.FormerFileHash(id, o.SHA256)}]
		}
		content := object{o.Name, o.SHA256}
		if in != nil && !slices.Contains(inputs[content], in) {
			inputs[content] = append(inputs[content], in)
		}
	}
}

// noteCarried records which files of the extract (fetch) x were carried forward from an older
// fetch, because they could not be fetched again. It records this only in those inputs that no
// later extract uses.
func noteCarried(x sources.Extract, inputs map[object][]*Input) {
	for _, o := range x.Objects {
		for _, in := range inputs[object{o.Name, o.SHA256}] {
			if in.Received != nil && second(x.FetchedAt).Equal(in.LastUsed) {
				in.Received.Carried = o.Carried
			}
		}
	}
}

// second truncates a time to whole seconds, as manifests do.
func second(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }
