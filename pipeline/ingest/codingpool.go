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

// batchAdverts is how many adverts one core codes at a time.
const batchAdverts = 128

// codingPool codes adverts on every core while earlier ones are staged, and delivers them in the
// order in which they were submitted. A few batches per core are in memory.
type codingPool struct {
	coders  chan *coding.Coder // idle coders
	filling []codedAdvert
	pending []chan []codedAdvert // batches in order, being coded or waiting to be delivered
}

// codedAdvert is an advert with everything that depends only on this advert.
type codedAdvert struct {
	advert    sources.Advert
	coded     coding.Advert
	candidate counting.Candidate
	employer  string // normalised name
}

// newCodingPool returns a pool that codes adverts in up to the given number of threads; 0 means one
// for each core.
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

// submit adds an advert. If enough adverts are pending, it delivers the oldest batch to each.
func (p *codingPool) submit(x *sources.Advert, each func(*codedAdvert)) {
	p.filling = append(p.filling, codedAdvert{advert: *x})
	if len(p.filling) == batchAdverts {
		p.start()
	}
	if len(p.pending) > 2*cap(p.coders) {
		p.deliver(each)
	}
}

// start starts coding of the current batch.
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

// deliver waits for the oldest batch and passes it to each.
func (p *codingPool) deliver(each func(*codedAdvert)) {
	batch := <-p.pending[0]
	p.pending = p.pending[1:]
	for i := range batch {
		each(&batch[i])
	}
}

// drain delivers all pending adverts.
func (p *codingPool) drain(each func(*codedAdvert)) {
	if len(p.filling) > 0 {
		p.start()
	}
	for len(p.pending) > 0 {
		p.deliver(each)
	}
}

func (c *codedAdvert) code(by *coding.Coder) {
	a := &c.advert
	c.coded = by.Code(a)
	c.candidate = counting.NewCandidate(a, c.coded.Place.Country, placeKey(&c.coded.Place, a))
	c.employer = counting.NormaliseEmployer(a.Employer)
}

// placeKey returns the value for comparing places: the councils, or the wording if none could be
// coded.
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
