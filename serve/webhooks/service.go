// Package webhooks sends events to the HTTPS endpoints that partners register. Each published event
// is sent to every endpoint that subscribes to its type. Messages are signed as the Standard
// Webhooks specification requires (https://www.standardwebhooks.com).
//
// # Delivery
//
// One transaction stores an event and its deliveries. Publishing an event again changes nothing.
// The table of deliveries is the queue. A server claims a delivery for two minutes and attempts it.
// If the server is killed, any server attempts the delivery after these two minutes.
//
// An endpoint gets each event at least once. It gets an event twice only if a server is killed
// before it has recorded the response. Each attempt of an event has the same message id, so a
// receiver can deduplicate.
//
// An attempt fails unless a 2xx response arrives within 15 seconds. It is then repeated at growing
// intervals for about three days, and not before the time in Retry-After. Of this time, at most 24
// hours count. A response 410 Gone cancels the delivery and disables the endpoint. An endpoint is
// also disabled if all its attempts fail for five days. Two days without an attempt begin the five
// days again.
//
// # Allowed addresses
//
// Messages are sent only over https and only to public addresses. Redirects are not followed, and
// no proxy is used. AllowLoopback also permits this machine, with or without TLS. The address is
// checked when the connection is made, after the DNS lookup (see guard).
//
// # Contents of a message
//
// A message is {"id", "type", "timestamp", "data"}. The data never identify a person.
//
// # Secrets
//
// A signing secret must be known to sign, so it is not stored as a hash. It is encrypted
// (AES-256-GCM) with a key that the operator keeps outside the database; see EncryptionKeys. Without
// such a key it is stored in plain text. Anyone who can read the database can then forge messages.
// No secret is logged.
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

// statements has the SQL statements of this package, one in each file.
//
//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// Options configures the webhook service. DB, Now, Random and Log are required.
type Options struct {
	DB     *state.DB
	Now    func() time.Time
	Random io.Reader // source of secure random bytes
	Log    *slog.Logger

	// EncryptionKeys encrypt the signing secrets: the first key encrypts, and any key decrypts. New
	// encrypts all secrets again with the first key. To rotate, put the new key before the old one,
	// restart, and then remove the old one. With several servers, first restart all of them with
	// the new key in second place. Without keys, secrets are stored in plain text.
	EncryptionKeys []EncryptionKey
	// AllowLoopback permits endpoints on this machine, also without TLS, for trials.
	AllowLoopback bool
	// RootCAs are the trusted certificate authorities; nil = the system's.
	RootCAs *x509.CertPool

	tuning
}

// tuning holds settings that only tests change.
type tuning struct {
	retries      []time.Duration
	disableAfter time.Duration
	timeout      time.Duration // time limit of one attempt to send a message
	// time after which another server may attempt the deliveries that a killed server had begun
	rescueAfter time.Duration
	poll        time.Duration
	grace       time.Duration // time that running attempts get to finish when Run ends
	resolver    *net.Resolver
}

func (t tuning) withDefaults() tuning {
	if t.retries == nil {
		t.retries = retries()
	}
	t.disableAfter = cmp.Or(t.disableAfter, disableAfter)
	t.timeout = cmp.Or(t.timeout, answerTimeout)
	t.rescueAfter = cmp.Or(t.rescueAfter, 2*time.Minute)
	t.poll = cmp.Or(t.poll, time.Second)
	t.grace = cmp.Or(t.grace, 10*time.Second)
	return t
}

// Service manages the webhook endpoints of partners and sends events to them. Several servers may
// share one database. It is safe for concurrent use.
type Service struct {
	db     *state.DB
	now    func() time.Time
	random io.Reader
	log    *slog.Logger
	tuning tuning

	guard  guard
	vault  vault
	client *http.Client
	wake   chan struct{} // signal to Run that a delivery may be due
}

// New returns the webhook service. It first encrypts all stored signing secrets with the first key
// of the options. The error wraps ErrNoDecryptionKey if no key can decrypt a secret.
func New(ctx context.Context, o Options) (*Service, error) {
	s := &Service{db: o.DB, now: o.Now, random: o.Random, log: o.Log, tuning: o.tuning.withDefaults(),
		guard: guard{loopback: o.AllowLoopback}, vault: vault{o.EncryptionKeys}, wake: make(chan struct{}, 1)}
	s.client = newClient(s.guard, s.tuning.resolver, o.RootCAs, s.tuning.timeout)
	if err := s.reseal(ctx); err != nil {
		return nil, fmt.Errorf("read the webhook secrets: %w", err)
	}
	return s, nil
}

// CountPendingDeliveries returns the number of deliveries that wait for their first or next attempt.
func (s *Service) CountPendingDeliveries(ctx context.Context) (n int64, err error) {
	defer state.WrapError(&err, "count waiting deliveries")
	err = s.db.QueryRowContext(ctx, statement("count_deliveries"), StatusPending).Scan(&n)
	return n, err
}
