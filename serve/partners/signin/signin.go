// Package signin makes one-time links with which partners sign in to the dashboard, and manages the
// sessions that these links start. The operator gives a link to the partner, or it is mailed. The
// tokens of links and sessions are stored only as hashes.
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

// statements has the SQL statements of this package, one in each file.
//
//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// InvitationLifetime and EmailLinkLifetime are how long sign-in links are valid.
const (
	// InvitationLifetime is how long a sign-in link is valid if the operator gives it to a partner.
	InvitationLifetime = 48 * time.Hour
	// EmailLinkLifetime is how long a sign-in link is valid if it is sent by e-mail.
	EmailLinkLifetime = 30 * time.Minute
)

// ErrInvalidLink means that a sign-in link is unknown, used up or expired.
var ErrInvalidLink = errors.New("this sign-in link is not valid any more")

const tokenBytes = 32 // number of random bytes in a token

// Store stores sign-in links and sessions in the state database. It is safe for concurrent use.
type Store struct {
	db     *state.DB
	now    func() time.Time
	random io.Reader
}

// New returns a Store that uses the database db. random must be a secure source of randomness.
func New(db *state.DB, now func() time.Time, random io.Reader) *Store {
	return &Store{db: db, now: now, random: random}
}

// token returns a new random token and its hash. A slow password hash is not needed, because the
// token has 256 random bits.
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

// CreateInvitation makes a sign-in link that works once. partner is the partner's id. It returns
// the token at the end of the link, and the time when the link expires.
func (s *Store) CreateInvitation(ctx context.Context, partner string) (token string, expiry time.Time, err error) {
	return s.link(ctx, s.db, partner, InvitationLifetime, 0)
}

// link makes a sign-in link for a partner. lasts is how long the link is valid. mailed is 1 for a
// link that is sent by e-mail, and otherwise 0. link returns the token at the end of the link, and
// the time when the link expires.
func (s *Store) link(ctx context.Context, to state.Querier, partner string, lasts time.Duration,
	mailed int) (_ string, _ time.Time, err error) {
	defer state.WrapError(&err, "make a sign-in link for %s", partner)
	token, hashed, err := s.token()
	if err != nil {
		return "", time.Time{}, err
	}
	at := s.now()
	until := at.Add(lasts)
	err = state.ExecAll(ctx, to, state.NewBoundStatement(statement("add_link"), hashed, partner, mailed,
		state.UnixSeconds(at),
		state.UnixSeconds(until)))
	return token, state.FromUnixSeconds(state.UnixSeconds(until)), err
}

// CheckLink returns nil if a sign-in link is valid now. Otherwise the error wraps ErrInvalidLink.
// CheckLink does not use up the link.
func (s *Store) CheckLink(ctx context.Context, token string) (err error) {
	defer state.WrapError(&err, "look at a sign-in link")
	var n int
	err = s.db.QueryRowContext(ctx, statement("usable_link"), hash(token), state.UnixSeconds(s.now())).Scan(&n)
	if err == nil && n == 0 {
		err = ErrInvalidLink
	}
	return err
}

// UseLink uses up a sign-in link and starts a session for its partner. It returns the session's
// token. A link works only once, even in concurrent calls. The error wraps ErrInvalidLink if the
// link is not valid.
func (s *Store) UseLink(ctx context.Context, token string) (session string, err error) {
	defer state.WrapError(&err, "use a sign-in link")
	session, hashed, err := s.token()
	if err != nil {
		return "", err
	}
	at := state.UnixSeconds(s.now())
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		var partner string
		if err := tx.QueryRowContext(ctx, statement("use_link"), at, hash(token)).Scan(&partner); err != nil {
			return err
		}
		return state.ExecAll(ctx, tx, state.NewBoundStatement(statement("open_session"), hashed, partner, at))
	})
	return session, state.ReplaceNoRows(err, ErrInvalidLink)
}

// SessionIdleTimeout and MaxSessionAge limit how long a session lasts.
const (
	// SessionIdleTimeout is how long a session lasts after its last use.
	SessionIdleTimeout = 2 * time.Hour
	// MaxSessionAge is the time after which a session ends even if it is in use.
	MaxSessionAge = 12 * time.Hour
)

// seenInterval is how often the time of a session's last use is written to the database. Requests
// within this interval write nothing.
const seenInterval = time.Minute

// ErrNoSession means that the session does not exist or has ended.
var ErrNoSession = errors.New("no session")

// Session names the partner that is signed in.
type Session struct {
	PartnerID   string
	PartnerName string
}

// FindSession returns the session with the given token and records that it was used. The error
// wraps ErrNoSession if the session does not exist or has ended.
func (s *Store) FindSession(ctx context.Context, token string) (found Session, err error) {
	defer state.WrapError(&err, "look up a session")
	at, hashed := s.now(), hash(token)
	var seen time.Time
	err = s.db.QueryRowContext(ctx, statement("session"), hashed, state.UnixSeconds(at.Add(-MaxSessionAge)),
		state.UnixSeconds(at.Add(-SessionIdleTimeout))).Scan(&found.PartnerID, &found.PartnerName, state.ScanTime(&seen))
	err = state.ReplaceNoRows(err, ErrNoSession)
	if err != nil || at.Sub(seen) < seenInterval {
		return found, err
	}
	return found, state.ExecAll(ctx, s.db, state.NewBoundStatement(statement("note_session"), state.UnixSeconds(at),
		hashed))
}

// EndSession ends the session with the given token. It does nothing if there is no such session.
func (s *Store) EndSession(ctx context.Context, token string) (err error) {
	defer state.WrapError(&err, "end a session")
	return state.ExecAll(ctx, s.db, state.NewBoundStatement(statement("end_session"), hash(token)))
}

// PruneExpired deletes expired sign-in links and ended sessions. It returns the number of deleted
// links and sessions.
func (s *Store) PruneExpired(ctx context.Context) (_ int64, err error) {
	defer state.WrapError(&err, "forget ended links and sessions")
	at := s.now()
	links, err := state.ExecCount(ctx, s.db, statement("forget_links"), state.UnixSeconds(at))
	if err != nil {
		return 0, err
	}
	sessions, err := state.ExecCount(ctx, s.db, statement("forget_sessions"), state.UnixSeconds(at.Add(-MaxSessionAge)),
		state.UnixSeconds(at.Add(-SessionIdleTimeout)))
	return links + sessions, err
}

// maxMailed is the largest number of sign-in links that the server sends to one partner by e-mail
// within 30 minutes (EmailLinkLifetime). The limit protects the partner from a flood of mails.
const maxMailed = 3

// ErrInvalidAddress and the errors below are returned by AddAddress and CreateEmailLink.
var (
	// ErrInvalidAddress means that a text is not an e-mail address.
	ErrInvalidAddress = errors.New("not an e-mail address such as name@example.org")
	// ErrAddressTaken means that an e-mail address cannot be stored for a partner, because it
	// belongs to another one.
	ErrAddressTaken = errors.New("this address belongs to another partner")
	// ErrUnknownAddress means that an e-mail address belongs to no partner.
	ErrUnknownAddress = errors.New("no partner has this address")
	// ErrTooManyLinks means that the server has recently sent the partner as many sign-in links as
	// it may.
	ErrTooManyLinks = errors.New("enough links were mailed to this partner just now")
)

// ParseAddress checks an e-mail address. It returns the address in lower case, without spaces
// around it. The error is ErrInvalidAddress if the text is not an address.
func ParseAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > 254 {
		return "", ErrInvalidAddress
	}
	return strings.ToLower(text), nil
}

// AddAddress stores an e-mail address to which sign-in links may be sent. partner is the partner's
// id. The error wraps ErrInvalidAddress or ErrAddressTaken.
func (s *Store) AddAddress(ctx context.Context, partner, address string) (err error) {
	defer state.WrapError(&err, "keep an address of %s", partner)
	if address, err = ParseAddress(address); err != nil {
		return err
	}
	if err := state.ExecAll(ctx, s.db, state.NewBoundStatement(statement("add_address"), address, partner,
		state.UnixSeconds(s.now()))); err != nil {
		return err
	}
	owner, err := partnerOf(ctx, s.db, address)
	if err == nil && owner != partner {
		err = ErrAddressTaken
	}
	return err
}

// partnerOf returns the id of the partner that has an e-mail address. The error is
// ErrUnknownAddress if no partner has it.
func partnerOf(ctx context.Context, from state.Querier, address string) (partner string, err error) {
	err = from.QueryRowContext(ctx, statement("partner_of_address"), address).Scan(&partner)
	return partner, state.ReplaceNoRows(err, ErrUnknownAddress)
}

// CreateEmailLink makes a sign-in link for a partner's e-mail address; it does not send the link.
// It returns the token at the end of the link, and the time when the link expires. The error wraps
// ErrInvalidAddress, ErrUnknownAddress or ErrTooManyLinks.
func (s *Store) CreateEmailLink(ctx context.Context, address string) (token string, until time.Time, err error) {
	defer state.WrapError(&err, "make a sign-in link to mail")
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

// mayMail returns ErrTooManyLinks if maxMailed links were sent to the partner recently. It takes a
// lock that tx holds until it ends, so that concurrent requests cannot exceed the limit.
func (s *Store) mayMail(ctx context.Context, tx *sql.Tx, partner string) error {
	if err := s.db.AdvisoryLock(ctx, tx, "sign-in links of "+partner); err != nil {
		return err
	}
	var n int
	err := tx.QueryRowContext(ctx, statement("mailed_links"), partner,
		state.UnixSeconds(s.now().Add(-EmailLinkLifetime))).Scan(&n)
	if err == nil && n >= maxMailed {
		err = ErrTooManyLinks
	}
	return err
}
