package ingest

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/counting"
	"labour/sources"
	"labour/sources/parallel"
)

// batchAdverts is the number of adverts in a batch, which one goroutine codes.
const batchAdverts = 128

// mostWaiting is the number of adverts that wait before they are coded together, many batches in
// parallel.
const mostWaiting = 32 * batchAdverts

// codingPool codes adverts, which means finding their place, occupation and skills. Submitted
// adverts wait in memory until there are enough for several goroutines.
type codingPool struct {
	coders  chan *coding.Coder // coders that no goroutine is using
	waiting []codedAdvert      // adverts that are not coded yet, in the order of submission
}

// codedAdvert is an advert with the results of coding: its place, occupation and skills. They do
// not depend on other adverts.
type codedAdvert struct {
	advert   sources.Advert
	coded    coding.CodedAdvert
	fields   counting.AdvertFields
	employer string // name of the employer in normalised form, for comparing
	panicked any    // value with which coding panicked; nil if it did not
}

// newCodingPool returns a pool that codes adverts in the given number of goroutines (threads). 0
// means one for each core. Each goroutine uses its own coder, made by newCoder.
func newCodingPool(threads int, newCoder func() *coding.Coder) *codingPool {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	p := &codingPool{coders: make(chan *coding.Coder, threads)}
	for range threads {
		p.coders <- newCoder()
	}
	return p
}

// submit adds an advert to the pool. If many adverts are waiting, it codes all of them and calls
// emit with each.
func (p *codingPool) submit(x *sources.Advert, emit func(*codedAdvert)) {
	p.waiting = append(p.waiting, codedAdvert{advert: *x})
	if len(p.waiting) == mostWaiting {
		p.drain(emit)
	}
}

// drain codes the waiting adverts and calls emit with each, in the order of submission. The pool is
// then empty.
func (p *codingPool) drain(emit func(*codedAdvert)) {
	batches := slices.Chunk(p.waiting, batchAdverts)
	for batch := range parallel.Map(context.Background(), cap(p.coders), 0, batches, p.codeBatch) {
		for i := range batch {
			emit(&batch[i])
		}
	}
	clear(p.waiting)
	p.waiting = p.waiting[:0]
}

// codeBatch codes the adverts in batch and returns batch.
func (p *codingPool) codeBatch(batch []codedAdvert) []codedAdvert {
	coder := <-p.coders
	for i := range batch {
		batch[i].code(coder)
	}
	p.coders <- coder
	return batch
}

// code codes one advert. If that panics, code sets panicked, so that one advert does not end the
// run.
func (c *codedAdvert) code(by *coding.Coder) {
	defer func() { c.panicked = recover() }()
	a := &c.advert
	c.coded = by.CodeAdvert(a)
	c.fields = counting.NewAdvertFields(a, c.coded.Place.Country, placeKey(&c.coded.Place, a))
	c.employer = counting.NormaliseEmployer(a.Employer)
}

// placeKey returns a text that is the same for adverts with the same place of work. It lists the
// councils. If there are none, it lists the words of the advert's locations.
func placeKey(p *place.Coding, a *sources.Advert) string {
	if len(p.Councils) > 0 {
		return strings.Join(p.Councils, " ")
	}
	var words []string
	for _, l := range a.Locations {
		words = append(words, l.Text+l.Slug+l.Postcode)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
