package access

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Version numbers the states of all keys in the database: every change of one gives a
// larger number, in the transaction of the change.
type Version int64

// maxRemembered bounds how many secrets are remembered.
const maxRemembered = 4096

// remembered is a key with what makes its secret good.
type remembered struct {
	row
	version Version // of the keys when it was read
}

// memory is the secrets seen lately, by their hash. The zero value remembers none.
type memory struct {
	sync.RWMutex
	keys map[[sha256.Size]byte]remembered
}

func (m *memory) find(sum [sha256.Size]byte) (remembered, bool) {
	m.RLock()
	defer m.RUnlock()
	known, ok := m.keys[sum]
	return known, ok
}

func (m *memory) add(sum [sha256.Size]byte, known remembered) {
	m.Lock()
	defer m.Unlock()
	if m.keys == nil || len(m.keys) >= maxRemembered {
		m.keys = map[[sha256.Size]byte]remembered{}
	}
	m.keys[sum] = known
}

// Recognise finds the key of a secret at a moment and notes that it was used. It may
// answer from memory: the key is as it was in the version that it gives, and whoever
// counts a call on it must look whether the database still has that version
// (usage.Counter does, in the same transaction), and otherwise Forget and ask again.
// So a revocation counts at once, whichever process made it. Errors are as with
// Identify; a secret that was refused is not remembered.
func (s *Store) Recognise(ctx context.Context, secret string, at time.Time) (Key, Version, error) {
	if _, err := parseSecret(secret); err != nil {
		return Key{}, 0, err
	}
	sum := sha256.Sum256([]byte(secret))
	known, ok := s.remembered.find(sum)
	if !ok || known.refused(at) != nil {
		var err error
		if known, err = s.lookUp(ctx, sum, at); err != nil {
			return Key{}, 0, err
		}
		s.remembered.add(sum, known)
	}
	s.noteUse(known.ID, at)
	return known.Key, known.version, nil
}

// Forget makes Recognise ask the database again.
func (s *Store) Forget() {
	s.remembered.Lock()
	defer s.remembered.Unlock()
	s.remembered.keys = nil
}

// Identify is Recognise by the database alone, for whoever does not count.
// The error wraps ErrMalformed, ErrUnknown, ErrRevoked or ErrExpired when the
// secret is not accepted; any other error is a fault of the store.
func (s *Store) Identify(ctx context.Context, secret string, at time.Time) (Key, error) {
	if _, err := parseSecret(secret); err != nil {
		return Key{}, err
	}
	known, err := s.lookUp(ctx, sha256.Sum256([]byte(secret)), at)
	if err != nil {
		return Key{}, err
	}
	s.noteUse(known.ID, at)
	return known.Key, nil
}

// lookUp reads the key of a secret's hash.
func (s *Store) lookUp(ctx context.Context, sum [sha256.Size]byte, at time.Time) (remembered, error) {
	var found remembered
	var err error
	want := hex.EncodeToString(sum[:])
	asked := s.bySecret.QueryRowContext(ctx, want)
	found.row, err = scanKey(func(into ...any) error { return asked.Scan(append(into, &found.version)...) })
	if errors.Is(err, sql.ErrNoRows) || err == nil && subtle.ConstantTimeCompare([]byte(found.hash), []byte(want)) != 1 {
		return remembered{}, ErrUnknown
	}
	if err != nil {
		return remembered{}, fmt.Errorf("look up a key: %w", err)
	}
	return found, found.refused(at)
}

// refused says why the secret is not good at a moment; nil when it is.
func (r *row) refused(at time.Time) error {
	switch {
	case r.RevokedAt != nil:
		return ErrRevoked
	case ended(r.ExpiresAt, at) || ended(r.validUntil, at):
		return ErrExpired
	}
	return nil
}
