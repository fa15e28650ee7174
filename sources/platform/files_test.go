package platform

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/sourcetest"
)

func TestBrokenCompressionIsOneFault(t *testing.T) {
	whole := strings.Repeat("\n", 100_000)
	for i := range 3000 {
		whole += fmt.Sprintf(`{"slug":"b-%[1]d-%[2]d","name":"B","code":"E08%06[1]d"}`+"\n", i,
			rand.New(rand.NewPCG(1, uint64(i))).Uint64())
	}
	for name, file := range map[string]string{"boroughs.ndjson.gz": gzipped(t, whole),
		"boroughs.ndjson.zst": zstandard(t, whole)} {
		records, faults := collect(t, name, file[:len(file)*3/4], "boroughs-z.ndjson", good)
		if len(faults) == 0 || faults[len(faults)-1].Code != sources.FaultTruncated ||
			!strings.Contains(faults[len(faults)-1].Detail, "export it again") {
			t.Errorf("%s: %+v", name, faults)
		}
		if len(records) == 0 || records[len(records)-1].(sources.Borough).Slug != "camden" {
			t.Errorf("%s: the next file was lost", name)
		}
	}
}

func TestIndexFaults(t *testing.T) {
	_, faults := collect(t, "index.json", `{"files":["boroughs.ndjson","people.csv","../adverts.ndjson"]}`,
		"boroughs.ndjson", good)
	if len(faults) != 2 || faults[0].Code != sources.FaultWrongFormat ||
		!strings.Contains(faults[0].Detail, "people.csv") {
		t.Errorf("%+v", faults)
	}
	m := memory{"boroughs.ndjson": good, "index.json": `{"files":[]}`}
	_, all, err := sourcetest.ReadExtract(New(Config{}), m.extract("boroughs.ndjson", "index.json"), m)
	if err != nil || len(all) != 3 || all[0].Code != sources.FaultFileMissing {
		t.Errorf("adverts, residents and applications are missing: %+v %v", all, err)
	}
}

// The list may begin with a byte order mark, as the files of lines may.
func TestIndexWithByteOrderMark(t *testing.T) {
	m := memory{"index.json": "\ufeff" + `{"files":["boroughs.ndjson"],"complete_until":"2027-01-01T00:00:00Z"}`}
	x := m.extract("index.json")
	if files, err := ListedFiles(m, x); err != nil || !slices.Equal(files, []string{"boroughs.ndjson"}) {
		t.Errorf("the list is %q: %v", files, err)
	}
	if until, err := ReadCompleteUntil(m, x); err != nil || until.IsZero() {
		t.Errorf("the feed is complete until %v: %v", until, err)
	}
}

func TestKindOfFile(t *testing.T) {
	for name, want := range map[string]RecordKind{
		"adverts.ndjson": KindAdverts, "adverts-2026-10.ndjson.zst": KindAdverts, "s106.ndjson.gz": KindS106,
		"residents_7.ndjson": KindResidents, "adverts.json": "", "adverts.ndjson.bz2": "", "index.json": "",
		"jobs.ndjson": "", "../adverts.ndjson": "", "adverts/../x.ndjson": "", "adverts%2f.ndjson": "",
	} {
		if got, _ := KindOfFile(name); got != want {
			t.Errorf("KindOfFile(%q) = %q, want %q", name, got, want)
		}
	}
}
