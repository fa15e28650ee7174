// Package access knows the partners and their keys: making, listing, rotating,
// revoking, and finding the key of a secret. A secret is shown once and stored
// only as a hash.
package access

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"labour/serve/state"
)

//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// The reasons why a secret is not accepted, and ErrNoKey for a key id.
var (
	ErrUnknown = errors.New("no key has this secret")
	ErrExpired = errors.New("the key or its secret has expired")
	ErrRevoked = errors.New("the key was revoked")
	ErrNoKey   = errors.New("no such key")
)

// Store keeps the keys in the state database. It is safe for concurrent use.
type Store struct {
	db       *state.DB
	now      func() time.Time
	random   io.Reader
	bySecret *sql.Stmt // prepared, since every call asks it

	mu   sync.Mutex
	used map[string]time.Time // key id -> last use not yet written
}

// New is a store on db, which it must not outlive. random must be a secure
// source of randomness.
func New(ctx context.Context, db *state.DB, now func() time.Time, random io.Reader) (*Store, error) {
	bySecret, err := db.PrepareContext(ctx, statement("key_by_secret"))
	if err != nil {
		return nil, fmt.Errorf("prepare the look-up of keys: %w", err)
	}
	return &Store{db: db, now: now, random: random, bySecret: bySecret, used: map[string]time.Time{}}, nil
}

// row is a key with one of its secrets.
type row struct {
	Key
	hash       string
	validUntil *time.Time
}

func scanKey(scan func(...any) error) (r row, err error) {
	var scopes string
	err = scan(&r.ID, &r.PartnerID, &r.PartnerName, &r.Label, &r.Mode, &r.Plan, &scopes, &r.Hourly, &r.Monthly, &r.Prefix, &r.LastFour,
		state.Into(&r.CreatedAt), state.IntoNull(&r.LastUsedAt), state.IntoNull(&r.ExpiresAt), state.IntoNull(&r.RevokedAt), &r.hash, state.IntoNull(&r.validUntil))
	r.Scopes = split(scopes)
	return r, err
}

func ended(end *time.Time, at time.Time) bool { return end != nil && !at.Before(*end) }

func (s *Store) noteUse(id string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.After(s.used[id]) {
		s.used[id] = at
	}
}

// FlushUsed writes the noted uses. They are written in batches and not with
// each call, because no call should wait for them.
func (s *Store) FlushUsed(ctx context.Context) error {
	s.mu.Lock()
	batch := s.used
	s.used = map[string]time.Time{}
	s.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		// In one order, so that two servers never wait for each other.
		for _, id := range slices.Sorted(maps.Keys(batch)) {
			if _, err := tx.ExecContext(ctx, statement("note_use"), state.Unix(batch[id]), id); err != nil {
				return fmt.Errorf("note the use of key %s: %w", id, err)
			}
		}
		return nil
	})
}

// Run writes the noted uses at each interval until ctx ends, and once more then.
// A batch that cannot be written is reported and left out: it is worth less than
// an answered call.
func (s *Store) Run(ctx context.Context, interval time.Duration, report func(error)) {
	state.FlushEvery(ctx, interval, s.FlushUsed, report)
}

// List is every key, or with a partner's name only its keys, by partner and
// then by creation.
func (s *Store) List(ctx context.Context, partner string) ([]Key, error) {
	return s.keys(ctx, statement("keys"), partner)
}

func (s *Store) keys(ctx context.Context, statement, partner string) (_ []Key, err error) {
	defer state.Wrap(&err, "list keys")
	return state.All(ctx, s.db, statement, func(scan func(...any) error) (Key, error) {
		r, err := scanKey(scan)
		return r.Key, err
	}, partner)
}
