package access

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// Authenticate returns the key of a secret and notes that it was used. It asks the
// database each time, so a revocation counts at once, whichever process made it. The
// error wraps ErrMalformed, ErrUnknown, ErrRevoked or ErrExpired when the secret is
// not accepted; any other error is a fault of the store.
func (s *Store) Authenticate(ctx context.Context, secret string, at time.Time) (Key, error) {
	if _, err := parseSecret(secret); err != nil {
		return Key{}, err
	}
	if err := s.db.Present(); err != nil {
		return Key{}, err
	}
	sum := sha256.Sum256([]byte(secret))
	want := hex.EncodeToString(sum[:])
	found, err := scanKey(s.bySecret.QueryRowContext(ctx, want).Scan)
	if errors.Is(err, sql.ErrNoRows) || err == nil && subtle.ConstantTimeCompare([]byte(found.hash), []byte(want)) != 1 {
		return Key{}, ErrUnknown
	}
	if err != nil {
		return Key{}, fmt.Errorf("look up a key: %w", err)
	}
	if err := found.refused(at); err != nil {
		return Key{}, err
	}
	s.noteUse(found.ID, at)
	return found.Key, nil
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
