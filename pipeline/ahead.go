package pipeline

import (
	"runtime"
	"strings"
	"unicode"

	"labour/pipeline/coding"
	"labour/pipeline/counting"
	"labour/sources"
)

// batchAdverts is how many adverts one core codes at a time.
const batchAdverts = 128

// ahead codes adverts on every core while those before them are staged, and gives them
// in the order in which they were put in. A few batches per core are in memory.
type ahead struct {
	coders  chan *coding.Coder // those that are idle
	filling *batch
	under   []*batch        // being coded, or waiting to be given, in order
	free    [][]codedAdvert // the memory of batches that were given
}

// batch is some adverts that follow each other.
type batch struct {
	adverts []codedAdvert
	done    chan struct{} // closed when all are coded
}

// codedAdvert is an advert with all that is worked out of it alone.
type codedAdvert struct {
	advert    sources.Advert
	coded     coding.Advert
	candidate counting.Candidate
	employer  string // normalised name
}

// newAhead uses up to threads cores, 0 = every one.
func newAhead(threads int, newCoder func() *coding.Coder) *ahead {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	a := &ahead{coders: make(chan *coding.Coder, threads)}
	for range threads {
		a.coders <- newCoder()
	}
	return a
}

// put takes an advert. Where enough are under way it gives the oldest batch to each.
func (a *ahead) put(x *sources.Advert, each func(*codedAdvert) error) error {
	if a.filling == nil {
		a.filling = &batch{adverts: a.room(), done: make(chan struct{})}
	}
	a.filling.adverts = append(a.filling.adverts, codedAdvert{advert: *x})
	if len(a.filling.adverts) < batchAdverts {
		return nil
	}
	a.start()
	if len(a.under) > 2*cap(a.coders) {
		return a.give(each)
	}
	return nil
}

// room is the memory of one batch.
func (a *ahead) room() []codedAdvert {
	n := len(a.free)
	if n == 0 {
		return make([]codedAdvert, 0, batchAdverts)
	}
	room := a.free[n-1]
	a.free = a.free[:n-1]
	return room
}

// start has the batch coded that was being filled.
func (a *ahead) start() {
	b := a.filling
	a.filling, a.under = nil, append(a.under, b)
	go func() {
		defer close(b.done)
		coder := <-a.coders
		for i := range b.adverts {
			b.adverts[i].code(coder)
		}
		a.coders <- coder
	}()
}

// give waits for the oldest batch and gives it. What each is given is good until it
// returns.
func (a *ahead) give(each func(*codedAdvert) error) error {
	b := a.under[0]
	a.under = a.under[1:]
	<-b.done
	for i := range b.adverts {
		if err := each(&b.adverts[i]); err != nil {
			return err
		}
	}
	clear(b.adverts) // what they hold is not held up by their memory
	a.free = append(a.free, b.adverts[:0])
	return nil
}

// flush gives all that was put in and not yet given.
func (a *ahead) flush(each func(*codedAdvert) error) error {
	if a.filling != nil {
		a.start()
	}
	for len(a.under) > 0 {
		if err := a.give(each); err != nil {
			return err
		}
	}
	return nil
}

// drop waits for what is being coded, and forgets it and all else that was put in.
func (a *ahead) drop() {
	for _, b := range a.under {
		<-b.done
	}
	a.filling, a.under = nil, nil
}

func (c *codedAdvert) code(by *coding.Coder) {
	a := &c.advert
	c.coded = by.Code(a)
	c.candidate = counting.NewCandidate(a, country(c.coded.Place.Country), placeKey(&c.coded.Place, a))
	c.employer = strings.ToLower(spaced(a.Employer))
}

// spaced is s with one space between its words and none around them.
func spaced(s string) string {
	before := ' '
	for _, r := range s {
		if unicode.IsSpace(r) && (r != ' ' || before == ' ') {
			before = ' '
			break
		}
		before = r
	}
	if before != ' ' || s == "" { // as nearly every name is
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}
