package manifestinputs

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
	"labour/sources/sourcetest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const key, today, tomorrow = "a key for tests", snapshots.ID("2026-11-20.1"), snapshots.ID("2026-11-21.1")

func extract(source string, hours int, names ...string) sources.Extract {
	x := sources.Extract{Source: source, FetchedAt: noon.Add(time.Duration(hours)*time.Hour + time.Millisecond)}
	for _, n := range names {
		x.Objects = append(x.Objects, sources.ArchivedObject{Name: n, SHA256: "5e" + n, Bytes: 17})
	}
	return x
}

// An input has the names, hashes and sizes of the files. Files of the platform have a keyed hash of
// the snapshot and no size.
func TestInputOfAnExtract(t *testing.T) {
	x := extract("boards", 0, "a", "b")
	x.FetchedAt = x.FetchedAt.In(time.FixedZone("", 3600))
	want := snapshots.ArchivedFetch{Source: "boards", FetchedAt: noon,
		Objects: []snapshots.ArchivedObject{{Name: "a", SHA256: "5ea", Bytes: 17}, {Name: "b", SHA256: "5eb", Bytes: 17}}}
	if got := InputFromExtract(x, snapshots.ManifestKey(key), today); !reflect.DeepEqual(got, want) {
		t.Errorf("the input is %+v, want %+v", got, want)
	}
	x = extract(platform.Key, 0, "a")
	plain := []snapshots.ArchivedObject{{Name: "a", SHA256: "5ea"}}
	if got := InputFromExtract(x, nil, today).Objects; !slices.Equal(got, plain) {
		t.Errorf("without a key the files are %+v, want %+v", got, plain)
	}
	keyed := []snapshots.ArchivedObject{snapshots.ArchivedObject{Name: "a",
		SHA256: "5ea"}.WithKeyedHash(snapshots.ManifestKey(key), today, noon)}
	if got := InputFromExtract(x, snapshots.ManifestKey(key), today).Objects; !slices.Equal(got, keyed) ||
		got[0].SHA256 != "" {
		t.Errorf("under a key the files are %+v, want %+v", got, keyed)
	}
}

// Two inputs are the same fetch if the source, the second and the files are the same, in any order.
func TestSameFetchHasTheSameFiles(t *testing.T) {
	input := func(x sources.Extract) snapshots.ArchivedFetch { return InputFromExtract(x, nil, today) }
	other := input(extract("boards", 0, "a", "b"))
	other.Objects[1].SHA256 = "other"
	for name, c := range map[string]struct {
		in   snapshots.ArchivedFetch
		want bool
	}{
		"the same":       {input(extract("boards", 0, "a", "b")), true},
		"another order":  {input(extract("boards", 0, "b", "a")), true},
		"another source": {input(extract("others", 0, "a", "b")), false},
		"another time":   {input(extract("boards", 1, "a", "b")), false},
		"a file less":    {input(extract("boards", 0, "a")), false},
		"another name":   {input(extract("boards", 0, "a", "c")), false},
		"other bytes":    {other, false},
	} {
		if got := CanBeSameFetch(input(extract("boards", 0, "a", "b")), c.in); got != c.want {
			t.Errorf("%s: the same fetch %v, want %v", name, got, c.want)
		}
	}
}

// The files of two fetches and the files of one fetch have different keyed hashes, although all of
// them are equal.
func TestEqualFilesHaveDifferentHashes(t *testing.T) {
	hashes := map[string]bool{}
	for hours := range 3 {
		x := extract(platform.Key, hours, "events", "s106")
		x.Objects[0].SHA256 = x.Objects[1].SHA256
		for _, id := range []snapshots.ID{today, tomorrow} {
			for _, o := range InputFromExtract(x, snapshots.ManifestKey(key), id).Objects {
				hashes[o.HMACSHA256] = true
			}
		}
	}
	if len(hashes) != 12 {
		t.Errorf("12 equal files have %d hashes", len(hashes))
	}
}

// A light snapshot has the other sources' inputs of the previous one, the first fetch of the feed
// there under its own name, and what the run has read of the feed.
func TestInputsOfALightSnapshot(t *testing.T) {
	a := sourcetest.OpenArchive(t)
	first, second, third := extract(platform.Key, 0, "a"), extract(platform.Key, 1, "a"), extract(platform.Key, 2, "a")
	for _, x := range []sources.Extract{first, second, third} {
		if err := a.AppendExtract(x); err != nil {
			t.Fatal(err)
		}
	}
	in := func(x sources.Extract, id snapshots.ID) snapshots.ArchivedFetch {
		return InputFromExtract(x, snapshots.ManifestKey(key), id)
	}
	boards := in(extract("boards", 0, "a"), today)
	before := func(inputs ...snapshots.ArchivedFetch) *previous.Snapshot {
		return &previous.Snapshot{Manifest: snapshots.Manifest{ID: today, Inputs: inputs}}
	}
	gone := in(extract(platform.Key, 9, "a"), today)
	former := in(first, today)
	former.Objects = []snapshots.ArchivedObject{{Name: "a",
		HMACSHA256: snapshots.ManifestKey(key).FormerFileHash(today, "5ea")}}
	unkeyed := InputFromExtract(first, nil, today)
	for _, c := range []struct {
		name  string
		from  *previous.Snapshot
		made  []snapshots.ArchivedFetch
		want  []snapshots.ArchivedFetch
		fails bool
	}{
		{"a new fetch", before(boards, in(second, today), in(first, today)), []snapshots.ArchivedFetch{in(third, tomorrow)},
			[]snapshots.ArchivedFetch{boards, in(first, tomorrow), in(third, tomorrow)}, false},
		{"the same fetch", before(in(first, today)), []snapshots.ArchivedFetch{in(first, tomorrow)},
			[]snapshots.ArchivedFetch{in(first, tomorrow)}, false},
		{"no feed before", before(boards), []snapshots.ArchivedFetch{in(third, tomorrow)},
			[]snapshots.ArchivedFetch{boards, in(third, tomorrow)}, false},
		{"another source of the run", before(boards), []snapshots.ArchivedFetch{in(extract("statistics", 0, "a"), tomorrow)},
			[]snapshots.ArchivedFetch{boards}, false},
		{"a snapshot of an earlier version", before(former), nil,
			[]snapshots.ArchivedFetch{in(first, tomorrow)}, false},
		{"without a keyed hash", before(unkeyed), nil, []snapshots.ArchivedFetch{unkeyed}, false},
		{"not in the archive", before(gone), nil, nil, true},
	} {
		got, err := LightInputs(a, snapshots.ManifestKey(key), c.from, tomorrow, c.made)
		if errors.Is(err, previous.ErrWholeRunNeeded) != c.fails ||
			!c.fails && (err != nil || !reflect.DeepEqual(got, c.want)) {
			t.Errorf("%s: the inputs are %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
}
