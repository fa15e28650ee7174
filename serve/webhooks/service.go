// Package webhooks sends events to partners. They register HTTPS endpoints, and each published
// event is sent to every endpoint that subscribed to its type, signed according to the Standard
// Webhooks specification (https://www.standardwebhooks.com).
//
// # Delivery
//
// An event and its deliveries are written in one transaction of the state database, so an event is
// published completely or not at all, and publishing it again changes nothing. The table of
// deliveries is the queue: a server claims a delivery for two minutes before it attempts it. After
// that, another server, or the same one after a restart, attempts the claims of a killed server. An
// endpoint gets each event at least once: twice only if a server was killed between the response
// and its entry in the log. The id of a message is the id of its event in every attempt, so a
// receiver can deduplicate.
//
// Anything but a 2xx response within 15 seconds is a failed attempt. A delivery is tried again at
// growing intervals with jitter over about three days, not earlier than Retry-After. 410 Gone ends
// it and disables the endpoint. An endpoint whose attempts have all failed for five days is
// disabled; its pending deliveries are cancelled.
//
// # Allowed addresses
//
// Only https, no redirects, no proxy, and only public addresses (AllowLoopback adds this machine,
// also over http). Each address is checked when the connection is made, after names were looked up,
// so that a changed DNS entry cannot get around the check (see guard).
//
// # Contents of a message
//
// {"id", "type", "timestamp", "data"}. Data is a struct that has no field for a person or a
// pseudonym.
//
// # Secrets
//
// A signing secret is shared with the partner, so it cannot be stored as a hash. It is encrypted
// (AES-256-GCM, bound to its endpoint) with a key that the operator keeps outside the database.
// Without such a key it is stored in plain text, and anyone who can read the state database can
// forge messages to partners. See Options.Keys for how to introduce and change the key. No secret
// is ever logged.
package webhooks

import (
	"cmp"
	"context"
	"crypto/x509"
	"embed"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"labour/serve/state"
)

//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// Options are the options of the service. The first four are required.
type Options struct {
	DB     *state.DB
	Now    func() time.Time
	Random io.Reader // secure randomness
	Log    *slog.Logger

	// Keys encrypt the signing secrets. The first key encrypts, and every key decrypts its own
	// secrets. New encrypts secrets again that the first key did not encrypt. To introduce a key,
	// add it. To rotate it on one server, give the new key and then the old one, and remove the old
	// one after that start. With several servers, first give all of them the new key in second
	// place. Without keys, secrets are stored in plain text.
	Keys []Key
	// AllowLoopback allows the addresses of this machine, for trials, also without TLS.
	AllowLoopback bool
	// RootCAs are the trusted certificate authorities; nil = the system's.
	RootCAs *x509.CertPool

	tuning
}

// tuning holds the times that tests shorten.
type tuning struct {
	retries      []time.Duration
	disableAfter time.Duration
	timeout      time.Duration // time limit of one attempt
	rescueAfter  time.Duration // time after which a delivery of a killed server is attempted again
	poll         time.Duration
	grace        time.Duration // time for running attempts at the end
	resolver     *net.Resolver
}

func (t tuning) withDefaults() tuning {
	if t.retries == nil {
		t.retries = retries()
	}
	t.disableAfter, t.timeout, t.rescueAfter = cmp.Or(t.disableAfter, disableAfter), cmp.Or(t.timeout, answerTimeout),
		cmp.Or(t.rescueAfter, 2*time.Minute)
	t.poll, t.grace = cmp.Or(t.poll, time.Second), cmp.Or(t.grace, 10*time.Second)
	return t
}

// Service manages endpoints, publishes events and, while Run runs, delivers
// them. It is safe for concurrent use, and several may share one database.
type Service struct {
	db     *state.DB
	now    func() time.Time
	random io.Reader
	log    *slog.Logger
	tuning tuning

	guard  guard
	vault  vault
	client *http.Client
	wake   chan struct{} // signals that a delivery may be due
}

// New returns the service. It checks that every stored secret can be read with the keys (otherwise
// the error wraps ErrNoSecretKey), and encrypts those again that the first key did not encrypt.
func New(ctx context.Context, o Options) (*Service, error) {
	s := &Service{db: o.DB, now: o.Now, random: o.Random, log: o.Log, tuning: o.tuning.withDefaults(),
		guard: guard{loopback: o.AllowLoopback}, vault: vault{o.Keys}, wake: make(chan struct{}, 1)}
	s.client = newClient(s.guard, s.tuning.resolver, o.RootCAs, s.tuning.timeout)
	if err := s.reseal(ctx); err != nil {
		return nil, fmt.Errorf("read the webhook secrets: %w", err)
	}
	return s, nil
}

// Backlog returns the number of deliveries that wait for their first or next attempt.
func (s *Service) Backlog(ctx context.Context) (n int64, err error) {
	defer state.Wrap(&err, "count waiting deliveries")
	err = s.db.QueryRowContext(ctx, statement("count_deliveries"), StatusPending).Scan(&n)
	return n, err
}
