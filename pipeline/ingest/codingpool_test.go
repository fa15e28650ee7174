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
	if len(a.waiting) != 1 || s.report.Faults[sources.FaultBadValue] != 1 {
		t.Errorf("%+v, %v", a.waiting, s.report.Faults)
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

// Adverts wait until there are many, and are then coded together.
func TestAdvertsWaitForOthers(t *testing.T) {
	p := newCodingPool(2, func() *coding.Coder { return coderOfNothing(t) })
	given := 0
	each := func(*codedAdvert) { given++ }
	for n := 1; n <= mostWaiting+1; n++ {
		p.submit(&sources.Advert{}, each)
		if len(p.waiting) != n%mostWaiting || given != n/mostWaiting*mostWaiting {
			t.Fatalf("after %d adverts %d wait and %d are coded", n, len(p.waiting), given)
		}
	}
	p.drain(each)
	if given != mostWaiting+1 || len(p.waiting) != 0 || len(p.coders) != 2 {
		t.Errorf("%d adverts are coded, %d wait, %d coders are free", given, len(p.waiting), len(p.coders))
	}
}

// An advert that cannot be coded is left out with a fault, and the run goes on.
func TestPanicLeavesOutTheAdvert(t *testing.T) {
	p := newCodingPool(1, func() *coding.Coder { return nil }) // coding without a coder panics
	s := &stager{reader: &reader{pool: p}, info: sources.Info{Key: "board"},
		report:  &report.SourceEntry{Records: 1, Faults: map[sources.FaultCode]int64{}},
		history: extractHistory{newest: true}}
	p.submit(&sources.Advert{ID: "a1"}, s.stageCoded)
	s.flushAdverts()
	if s.report.Records != 0 || s.report.Faults[sources.FaultBadValue] != 1 {
		t.Errorf("%d records, faults %v", s.report.Records, s.report.Faults)
	}
	if len(s.report.Samples) != 1 || s.report.Samples[0].Where != "advert a1" {
		t.Errorf("examples %+v", s.report.Samples)
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
