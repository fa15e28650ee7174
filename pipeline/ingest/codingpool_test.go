package ingest

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/report"
	"labour/sources"
)

// TestCodingPoolKeepsTheOrder submits adverts, with a settling here and there, and
// compares what comes out with coding one after the other.
func TestCodingPoolKeepsTheOrder(t *testing.T) {
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	places, faults := place.NewGazetteer(nil, nil, []sources.Borough{{Slug: "camden", Name: "Camden", Code: "E09000007"}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	newCoder := func() *coding.Coder { return &coding.Coder{Registers: registers, Gazetteer: places} }
	titles := []string{"Care worker", "Data analyst", "Bricklayer", "", "Nurse"}
	texts := []string{"", "You need Python and Excel.", "Experience of plastering is essential.", "Driving licence"}
	rapid.Check(t, func(t *rapid.T) {
		a := newCodingPool(rapid.IntRange(1, 3).Draw(t, "threads"), newCoder)
		var given []codedAdvert
		each := func(c *codedAdvert) { given = append(given, *c) }
		serial, put := newCoder(), 0
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			for range rapid.IntRange(0, 3*batchAdverts).Draw(t, "adverts") {
				x := sources.Advert{Source: "platform", ID: fmt.Sprint(put), Title: titles[put%len(titles)],
					Employer: " Some  Firm ",
					Text:     texts[put/3%len(texts)], Locations: []sources.Location{{Slug: "camden"}}}
				put++
				a.submit(&x, each)
			}
			a.drain(each)
		}
		if len(given) != put {
			t.Fatalf("%d of %d given", len(given), put)
		}
		for i, c := range given {
			if c.advert.ID != fmt.Sprint(i) || c.employer != "some firm" ||
				!reflect.DeepEqual(c.coded, serial.CodeAdvert(&c.advert)) {
				t.Fatalf("number %d is %+v", i, c)
			}
		}
	})
}

// A fault does not hold up the adverts that are being coded: they wait for a whole batch.
func TestFaultsDoNotCutBatches(t *testing.T) {
	a := newCodingPool(1, func() *coding.Coder { return nil })
	s := &stager{reader: &reader{pool: a}, report: &report.SourceEntry{Faults: map[sources.FaultCode]int64{}},
		history: extractHistory{newest: true}}
	a.submit(&sources.Advert{}, s.stageCoded)
	s.Fault(sources.Fault{Code: sources.FaultBadValue})
	if len(a.filling) != 1 || s.report.Faults[sources.FaultBadValue] != 1 {
		t.Errorf("%+v, %v", a.filling, s.report.Faults)
	}
}

// A pool has as many coders as are asked for, or else one for each core.
func TestSizeOfAPool(t *testing.T) {
	for threads, want := range map[int]int{-1: runtime.GOMAXPROCS(0), 0: runtime.GOMAXPROCS(0), 1: 1, 7: 7} {
		made := 0
		p := newCodingPool(threads, func() *coding.Coder { made++; return nil })
		if made != want || cap(p.coders) != want || len(p.coders) != want {
			t.Errorf("%d threads: %d coders, room for %d, want %d", threads, made, cap(p.coders), want)
		}
	}
}

// A full batch is coded at once, and twice as many batches as there are coders may wait.
func TestBatchesOfAPool(t *testing.T) {
	c := coderOfNothing(t)
	p := newCodingPool(1, func() *coding.Coder { return c })
	given := 0
	each := func(*codedAdvert) { given++ }
	for n := 1; n <= 5*batchAdverts; n++ {
		p.submit(&sources.Advert{}, each)
		batches := n / batchAdverts
		if len(p.filling) != n%batchAdverts || len(p.pending) != min(batches, 2) || given != max(0,
			batches-2)*batchAdverts {
			t.Fatalf("after %d adverts %d are in the batch, %d batches wait and %d adverts are coded", n, len(p.filling),
				len(p.pending), given)
		}
	}
	p.submit(&sources.Advert{}, each)
	p.drain(each)
	if given != 5*batchAdverts+1 || len(p.filling)+len(p.pending) != 0 {
		t.Errorf("%d adverts are coded, %d are in the batch", given, len(p.filling))
	}
}

// coderOfNothing returns a coder without any council.
func coderOfNothing(t *testing.T) *coding.Coder {
	t.Helper()
	registers, err := coding.LoadRegisters(nil)
	if err != nil {
		t.Fatal(err)
	}
	places, faults := place.NewGazetteer(nil, nil, nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return &coding.Coder{Registers: registers, Gazetteer: places}
}
