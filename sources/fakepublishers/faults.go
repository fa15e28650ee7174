package fakepublishers

import (
	"net/http"
	"strconv"
	"sync"
)

// Fault is one way in which a publisher of adverts misbehaves.
type Fault int

// The faults that Faults.Set takes.
const (
	Healthy     Fault = iota
	TooMany           // the first request is answered 429 with Retry-After, the next is healthy
	ErrorOnce         // the first request is answered 500, the next is healthy
	ErrorAlways       // every request is answered 500
	HTMLPage          // a page of HTML in the place of JSON, with status 200
	Truncated         // the body breaks off in the middle
	HalfTheRows       // half of the rows are missing, the announced number is not
	NoRows            // an empty list in the place of a full one
)

// Faults says which board or part of a publisher misbehaves, and how. The zero
// value is a healthy publisher. It may be changed while requests are served.
type Faults struct {
	mu    sync.Mutex
	set   map[string]Fault
	asked map[string]int
}

// Set makes a part misbehave from now on: a board by its token, the
// apprenticeship service by "". Healthy ends it.
func (f *Faults) Set(part string, fault Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.set == nil {
		f.set, f.asked = map[string]Fault{}, map[string]int{}
	}
	f.set[part] = fault
	f.asked[part] = 0
}

// next is the fault of the request at hand.
func (f *Faults) next(part string) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	fault := f.set[part]
	if fault == TooMany || fault == ErrorOnce {
		f.asked[part]++
		if f.asked[part] > 1 {
			return Healthy
		}
	}
	return fault
}

// rows is how many of the rows a list holds under a fault.
func (x Fault) rows(n int) int {
	switch x {
	case HalfTheRows:
		return n / 2
	case NoRows:
		return 0
	}
	return n
}

// retryAfterSeconds is what a publisher asks for with 429.
const retryAfterSeconds = 1

// answer sends a body, or what the fault makes of it.
func (x Fault) answer(w http.ResponseWriter, contentType string, body []byte) {
	switch x {
	case TooMany:
		w.Header().Set("Retry-After", strconv.Itoa(retryAfterSeconds))
		http.Error(w, "Too Many Requests", http.StatusTooManyRequests)
		return
	case ErrorOnce, ErrorAlways:
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	case HTMLPage:
		contentType, body = "text/html; charset=utf-8", []byte("<!DOCTYPE html><html><body>We are back soon.</body></html>")
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if x == Truncated {
		// The status goes out and half of the announced body; the panic makes net/http
		// close the connection, silently. Errors mean that the client is gone already.
		_, _ = w.Write(body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	w.Write(body) // the client may be gone
}
