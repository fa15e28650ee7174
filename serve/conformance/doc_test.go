// Package conformance holds a black-box test suite for the API. It has one test for each sentence of
// the specification, which the comment of the test quotes. The suite uses only HTTP and no package
// of the server, so it can test any server:
//
//	go test ./serve/conformance -base https://labour.example -key lmk_live_…
//
// The key needs every scope and a plan without a small hourly limit. Some sentences are about other
// kinds of keys. Give such keys with -labour-key (scope labour:read only) and -evaluation-key (a new
// key); without them these tests are skipped. -ca names a file with the certificate of the server's
// authority.
//
// Without -base the suite generates the sandbox's data and starts its own servers on loopback: one
// over HTTP, one over TLS, one with its state in PostgreSQL (if that is installed) and one without a
// snapshot.
package conformance
