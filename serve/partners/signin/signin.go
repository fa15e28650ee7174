// Package signin signs partners in to their pages with one-time links, which the operator creates
// or which are mailed, and manages the sessions that the links open. Both are stored only as
// hashes.
//
// It does not use a library for sessions: a session here is a row that names a partner and nothing
// else, it ends by the service's clock, and revoking a partner ends all its sessions with one
// statement.
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
	"net/mail"
	"strings"
	"time"

	"labour/serve/state"
)

//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// How long a sign-in link is valid, if the operator hands it over or if it is mailed.
const (
	InvitationLifetime = 48 * time.Hour
	EmailLinkLifetime  = 30 * time.Minute
)

// ErrLink is returned for a link that cannot be used: unknown, already used, or too old. It does
// not disclose which.
var ErrLink = errors.New("this sign-in link is not valid any more")

const tokenBytes = 32

// Store keeps links and sessions in the state database. It is safe for concurrent
// use.
type Store struct {
	db     *state.DB
	now    func() time.Time
	random io.Reader
}

// New returns a store on db. random must be a secure source of randomness.
func New(db *state.DB, now func() time.Time, random io.Reader) *Store {
	return &Store{db: db, now: now, random: random}
}

// token returns a new secret and its hash. A plain hash is enough: 256 bits of randomness cannot be
// searched.
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

// Invite makes a link for a partner (its id) and returns the token at its end, which is not stored
// in plain text. It can be used once, until the returned time.
func (s *Store) Invite(ctx context.Context, partner string) (token string, until time.Time, err error) {
	return s.link(ctx, s.db, partner, InvitationLifetime, 0)
}

func (s *Store) link(ctx context.Context, to state.Asker, partner string, lasts time.Duration,
	mailed int) (_ string, _ time.Time, err error) {
	defer state.Wrap(&err, "make a sign-in link for %s", partner)
	token, hashed, err := s.token()
	if err != nil {
		return "", time.Time{}, err
	}
	at := s.now()
	until := at.Add(lasts)
	err = state.Do(ctx, to, state.NewStep(statement("add_link"), hashed, partner, mailed, state.Unix(at),
		state.Unix(until)))
	return token, state.FromUnix(state.Unix(until)), err
}

// Usable checks whether a link could be used now, without using it: programs that scan mail open
// every address in it. The error wraps ErrLink.
func (s *Store) Usable(ctx context.Context, token string) (err error) {
	defer state.Wrap(&err, "look at a sign-in link")
	var n int
	err = s.db.QueryRowContext(ctx, statement("usable_link"), hash(token), state.Unix(s.now())).Scan(&n)
	if err == nil && n == 0 {
		err = ErrLink
	}
	return err
}

// Use invalidates a link, opens a session of its partner, and returns its token. If a link is used
// several times concurrently, one use succeeds. The error wraps ErrLink.
func (s *Store) Use(ctx context.Context, token string) (session string, err error) {
	defer state.Wrap(&err, "use a sign-in link")
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
		return state.Do(ctx, tx, state.NewStep(statement("open_session"), hashed, partner, at))
	})
	return session, state.Missing(err, ErrLink)
}

// Limits of a session: the time after its last use, and the time after its start.
const (
	Idle     = 2 * time.Hour
	Absolute = 12 * time.Hour
)

// seenInterval is the accuracy of the time of the last use, so that not every page writes it.
const seenInterval = time.Minute

// ErrNoSession is returned for a session that does not exist or has ended.
var ErrNoSession = errors.New("no session")

// Session is the signed-in partner.
type Session struct {
	PartnerID   string
	PartnerName string
}

// Session finds the session of a token and records its use. The error wraps
// ErrNoSession.
func (s *Store) Session(ctx context.Context, token string) (found Session, err error) {
	defer state.Wrap(&err, "look up a session")
	at, hashed := s.now(), hash(token)
	var seen time.Time
	err = s.db.QueryRowContext(ctx, statement("session"), hashed, state.Unix(at.Add(-Absolute)),
		state.Unix(at.Add(-Idle))).Scan(&found.PartnerID, &found.PartnerName, state.Into(&seen))
	err = state.Missing(err, ErrNoSession)
	if err != nil || at.Sub(seen) < seenInterval {
		return found, err
	}
	return found, state.Do(ctx, s.db, state.NewStep(statement("note_session"), state.Unix(at), hashed))
}

// End ends the session of a token, if there is one.
func (s *Store) End(ctx context.Context, token string) (err error) {
	defer state.Wrap(&err, "end a session")
	return state.Do(ctx, s.db, state.NewStep(statement("end_session"), hash(token)))
}

// Prune deletes the links and sessions that have ended, and returns their number.
func (s *Store) Prune(ctx context.Context) (_ int64, err error) {
	defer state.Wrap(&err, "forget ended links and sessions")
	at := s.now()
	links, err := state.Change(ctx, s.db, statement("forget_links"), state.Unix(at))
	if err != nil {
		return 0, err
	}
	sessions, err := state.Change(ctx, s.db, statement("forget_sessions"), state.Unix(at.Add(-Absolute)),
		state.Unix(at.Add(-Idle)))
	return links + sessions, err
}

// maxMailed is how many links may be mailed to a partner within the lifetime of one link, so that
// the page cannot be used to fill a mailbox.
const maxMailed = 3

// Errors of storing a mail address, or of mailing a sign-in link.
var (
	ErrAddress  = errors.New("not an e-mail address such as name@example.org")
	ErrTaken    = errors.New("this address belongs to another partner")
	ErrNoLink   = errors.New("no partner has this address")
	ErrTooOften = errors.New("enough links were mailed to this partner just now")
)

// ParseAddress returns an email address in its stored form. The error wraps ErrAddress.
func ParseAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > 254 {
		return "", ErrAddress
	}
	return strings.ToLower(text), nil
}

// AddAddress allows links for a partner (its id) to be mailed to an address. The error wraps
// ErrAddress or ErrTaken.
func (s *Store) AddAddress(ctx context.Context, partner, address string) (err error) {
	defer state.Wrap(&err, "keep an address of %s", partner)
	if address, err = ParseAddress(address); err != nil {
		return err
	}
	if err := state.Do(ctx, s.db, state.NewStep(statement("add_address"), address, partner,
		state.Unix(s.now()))); err != nil {
		return err
	}
	owner, err := partnerOf(ctx, s.db, address)
	if err == nil && owner != partner {
		err = ErrTaken
	}
	return err
}

// partnerOf returns the id of the partner of an address. The error wraps ErrNoLink if there is
// none.
func partnerOf(ctx context.Context, from state.Asker, address string) (partner string, err error) {
	err = from.QueryRowContext(ctx, statement("partner_of_address"), address).Scan(&partner)
	return partner, state.Missing(err, ErrNoLink)
}

// LinkFor makes a link for the partner of an address, to be mailed there. The error wraps
// ErrAddress, ErrNoLink or ErrTooOften.
func (s *Store) LinkFor(ctx context.Context, address string) (token string, until time.Time, err error) {
	defer state.Wrap(&err, "make a sign-in link to mail")
	if address, err = ParseAddress(address); err != nil {
		return "", time.Time{}, err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		partner, err := partnerOf(ctx, tx, address)
		if err != nil {
			return err
		}
		if err := s.mayMail(ctx, tx, partner); err != nil {
			return err
		}
		token, until, err = s.link(ctx, tx, partner, EmailLinkLifetime, 1)
		return err
	})
	return token, until, err
}

// mayMail returns ErrTooOften if enough links were mailed to a partner recently. Other
// calls for the same partner wait until tx ends.
func (s *Store) mayMail(ctx context.Context, tx *sql.Tx, partner string) error {
	if err := s.db.KeepOut(ctx, tx, "sign-in links of "+partner); err != nil {
		return err
	}
	var n int
	err := tx.QueryRowContext(ctx, statement("mailed_links"), partner, state.Unix(s.now().Add(-EmailLinkLifetime))).Scan(&n)
	if err == nil && n >= maxMailed {
		err = ErrTooOften
	}
	return err
}
