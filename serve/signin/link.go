// Package signin lets people of a partner into its pages: one-time links, which the
// operator makes or which are mailed, and the sessions that they open. Both are
// stored as hashes only.
//
// The sessions are this package's own rather than a library's: a session here is a
// row that names a partner and nothing else, it ends by the clock that the service
// was given, and revoking a partner ends all of its sessions in one statement.
package signin

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"labour/serve/state"
)

//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// How long a link may be used after it was made: one that the operator hands over,
// and one that somebody asked to be mailed.
const (
	InvitationLasts = 48 * time.Hour
	MailedLasts     = 30 * time.Minute
)

// ErrLink is returned for a link that cannot be used: unknown, used before, or too
// old. Which of these is not told.
var ErrLink = errors.New("this sign-in link is not valid any more")

// tokenBytes is the randomness of a link and of a session.
const tokenBytes = 32

// Store keeps links and sessions in the state database. It is safe for concurrent
// use.
type Store struct {
	db     *state.DB
	now    func() time.Time
	random io.Reader
}

// New is a store on db. random must be a secure source of randomness.
func New(db *state.DB, now func() time.Time, random io.Reader) *Store {
	return &Store{db: db, now: now, random: random}
}

// token makes a secret and its hash. A plain hash is enough: 256 bits of randomness
// cannot be searched.
func (s *Store) token() (token, hashed string, err error) {
	b := make([]byte, tokenBytes)
	if _, err := io.ReadFull(s.random, b); err != nil {
		return "", "", fmt.Errorf("draw a token: %w", err)
	}
	token = base64.RawURLEncoding.EncodeToString(b)
	return token, hash(token), nil
}

func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Invite makes a link for a partner (its id) and gives the token that it ends with,
// which is nowhere else. It may be used once, until the time that is given back.
func (s *Store) Invite(ctx context.Context, partner string) (token string, until time.Time, err error) {
	return s.link(ctx, s.db, partner, InvitationLasts, 0)
}

func (s *Store) link(ctx context.Context, to state.Asker, partner string, lasts time.Duration, mailed int) (string, time.Time, error) {
	token, hashed, err := s.token()
	if err != nil {
		return "", time.Time{}, err
	}
	at := s.now()
	until := at.Add(lasts)
	if _, err := to.ExecContext(ctx, statement("add_link"), hashed, partner, mailed, state.Unix(at), state.Unix(until)); err != nil {
		return "", time.Time{}, fmt.Errorf("make a sign-in link for %s: %w", partner, err)
	}
	return token, state.Time(state.Unix(until)), nil
}

// Usable says whether a link could be used now, and does not use it up: programs
// that look into mail follow every address in it. The error is ErrLink.
func (s *Store) Usable(ctx context.Context, token string) error {
	var n int
	if err := s.db.QueryRowContext(ctx, statement("usable_link"), hash(token), state.Unix(s.now())).Scan(&n); err != nil {
		return fmt.Errorf("look at a sign-in link: %w", err)
	}
	if n == 0 {
		return ErrLink
	}
	return nil
}

// Use uses a link up and opens a session of its partner, whose token it gives. Of
// several that use a link at once, one succeeds. The error is ErrLink.
func (s *Store) Use(ctx context.Context, token string) (session string, err error) {
	session, hashed, err := s.token()
	if err != nil {
		return "", err
	}
	at := state.Unix(s.now())
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		var partner string
		if err := tx.QueryRowContext(ctx, statement("use_link"), at, hash(token)).Scan(&partner); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, statement("open_session"), hashed, partner, at)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return "", ErrLink
	}
	if err != nil {
		return "", fmt.Errorf("use a sign-in link: %w", err)
	}
	return session, nil
}
