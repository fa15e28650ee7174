package ingest

import (
	"runtime"
	"slices"
	"strings"

	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/counting"
	"labour/sources"
)

// batchAdverts is the number of adverts in a batch, which one goroutine codes.
const batchAdverts = 128

// codingPool codes adverts, which means finding their place, occupation and skills. It does this in
// several goroutines while the caller writes earlier adverts to files. It returns the adverts in
// the order of submission, and holds only a few batches in memory. It does not use parallel.Map,
// because a source passes adverts one by one (Emit), and Map takes its values from an iterator.
type codingPool struct {
	coders  chan *coding.Coder // coders that no goroutine is using
	filling []codedAdvert
	// batches of adverts in order; each is being coded or waits to be delivered
	pending []chan []codedAdvert
}

// codedAdvert is an advert with the results of coding: its place, occupation and skills. They do
// not depend on other adverts.
type codedAdvert struct {
	advert   sources.Advert
	coded    coding.CodedAdvert
	fields   counting.AdvertFields
	employer string // name of the employer in normalised form, for comparing
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

// submit adds an advert to the pool. If many batches are pending, it waits for the oldest one and
// calls emit with each advert in it.
func (p *codingPool) submit(x *sources.Advert, emit func(*codedAdvert)) {
	p.filling = append(p.filling, codedAdvert{advert: *x})
	if len(p.filling) == batchAdverts {
		p.start()
	}
	if len(p.pending) > 2*cap(p.coders) {
		p.deliver(emit)
	}
}

// start codes the current batch of adverts in a new goroutine. It then begins a new batch.
func (p *codingPool) start() {
	batch, done := p.filling, make(chan []codedAdvert, 1)
	p.filling, p.pending = make([]codedAdvert, 0, batchAdverts), append(p.pending, done)
	go func() {
		coder := <-p.coders
		for i := range batch {
			batch[i].code(coder)
		}
		p.coders <- coder
		done <- batch
	}()
}

// deliver waits until the oldest batch of adverts is coded, and calls emit with each advert in it.
func (p *codingPool) deliver(emit func(*codedAdvert)) {
	batch := <-p.pending[0]
	p.pending = p.pending[1:]
	for i := range batch {
		emit(&batch[i])
	}
}

// drain waits until all submitted adverts are coded, and calls emit with each. The pool is then
// empty.
func (p *codingPool) drain(emit func(*codedAdvert)) {
	if len(p.filling) > 0 {
		p.start()
	}
	for len(p.pending) > 0 {
		p.deliver(emit)
	}
}

func (c *codedAdvert) code(by *coding.Coder) {
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
