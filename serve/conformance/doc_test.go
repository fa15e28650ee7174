// Package conformance holds a black-box suite for the interface: one test for each
// sentence of the specification, with its words as the comment of the test. It knows
// nothing of the program but HTTP, so it tries any server:
//
//	go test ./serve/conformance -base https://labour.example -key lmk_live_…
//
// The key needs every scope and a plan without a small hourly limit. Some sentences
// are about keys of other kinds; give such keys with -labour-key (labour:read only)
// and -evaluation-key (a new key), else those tests are skipped. -ca names a file with
// the certificate of the server's authority.
//
// Without -base the suite makes its own servers on loopback, from the sandbox's data:
// one over HTTP, one over TLS, one that keeps its state in PostgreSQL (where that is
// installed) and one without a snapshot.
package conformance
