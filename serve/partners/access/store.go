// Package access manages partners (the clients of the API) and their API keys. It makes, lists,
// rotates and revokes keys, and authenticates secrets. A secret is shown once and stored only as a
// hash.
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
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"labour/serve/state"
	"labour/snapshots/periods"
)

// statements has the SQL statements of this package, one in each file.
//
//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// ErrUnknownSecret, ErrKeyExpired, ErrKeyRevoked and ErrNoKey mean that an API key cannot be found
// or used.
var (
	// ErrUnknownSecret means that no API key has the given secret.
	ErrUnknownSecret = errors.New("no key has this secret")
	// ErrKeyExpired means that an API key, or one of its secrets, has expired.
	ErrKeyExpired = errors.New("expired")
	// ErrKeyRevoked means that an API key was revoked.
	ErrKeyRevoked = errors.New("the key was revoked")
	// ErrNoKey means that there is no API key with the given id.
	ErrNoKey = errors.New("no such key")
)

// Store stores partners and their API keys in the state database. It is safe for concurrent use.
type Store struct {
	db       *state.DB
	now      func() time.Time
	random   io.Reader
	bySecret *sql.Stmt // prepared query that finds a key by its secret, since every request runs it

	mu       sync.Mutex
	lastUsed map[string]time.Time // time when each key was last used, by key id; not yet written to the database
}

// New returns a Store that uses the database db. random must be a secure source of randomness.
func New(ctx context.Context, db *state.DB, now func() time.Time, random io.Reader) (*Store, error) {
	bySecret, err := db.PrepareContext(ctx, statement("key_by_secret"))
	if err != nil {
		return nil, fmt.Errorf("prepare the look-up of keys: %w", err)
	}
	return &Store{db: db, now: now, random: random, bySecret: bySecret, lastUsed: map[string]time.Time{}}, nil
}

type row struct {
	Key
	hash       string
	validUntil *time.Time
}

func scanKey(scan func(...any) error) (r row, err error) {
	err = scan(&r.ID, &r.PartnerID, &r.PartnerName, &r.Label, &r.Mode, &r.Plan, (*state.WordList[Scope])(&r.Scopes),
		&r.Hourly, &r.Monthly, &r.Prefix, &r.LastFour,
		state.ScanTime(&r.CreatedAt), state.ScanTime(&r.LastUsedAt), state.ScanTime(&r.ExpiresAt),
		state.ScanTime(&r.RevokedAt),
		&r.hash, state.ScanTime(&r.validUntil))
	return r, err
}

func hasEnded(end *time.Time, at time.Time) bool { return end != nil && !at.Before(*end) }

func (s *Store) noteUse(id string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.After(s.lastUsed[id]) {
		s.lastUsed[id] = at
	}
}

// FlushLastUses writes to the database when each key was last used. Authenticate only records this
// time in memory, because requests must not wait for a write. If the write fails, the recorded
// times are lost.
func (s *Store) FlushLastUses(ctx context.Context) error {
	s.mu.Lock()
	batch := s.lastUsed
	s.lastUsed = map[string]time.Time{}
	s.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		// In a fixed order, so that two servers never wait for each other.
		for _, id := range slices.Sorted(maps.Keys(batch)) {
			if _, err := tx.ExecContext(ctx, statement("note_use"), state.UnixSeconds(batch[id]), id); err != nil {
				return fmt.Errorf("note the use of key %s: %w", id, err)
			}
		}
		return nil
	})
}

// ListKeys returns the API keys of the partner with the given name, or of all partners if the name
// is empty. The keys are sorted by partner name and then by time of creation.
func (s *Store) ListKeys(ctx context.Context, partner string) ([]Key, error) {
	return s.keys(ctx, statement("keys"), partner)
}

func (s *Store) keys(ctx context.Context, statement, partner string) (_ []Key, err error) {
	defer state.WrapError(&err, "list keys")
	return state.QueryAll(ctx, s.db, statement, func(scan func(...any) error) (Key, error) {
		r, err := scanKey(scan)
		return r.Key, err
	}, partner)
}

// ErrPartnerExists, ErrNoPartner and ErrInvalidPartnerName mean that a partner cannot be created or
// found.
var (
	// ErrPartnerExists means that a new partner cannot have the name of another one.
	ErrPartnerExists = errors.New("there is a partner of this name")
	// ErrNoPartner means that no partner has the given name.
	ErrNoPartner = errors.New("no such partner")
	// ErrInvalidPartnerName means that a partner cannot have the given name. Its text states the
	// rules for names.
	ErrInvalidPartnerName = errors.New(
		"the name of a partner has 1 to 100 characters, no control characters, none of zero width, none that change " +
			"the direction of text, no double spaces, and no space at either end")
)

const longestName = 100 // longest name of a partner, in characters

// checkNewName returns ErrInvalidPartnerName if a new partner must not have the name. If a partner
// has the name already, it returns nil.
func (s *Store) checkNewName(ctx context.Context, name string) error {
	nameErr := checkName(name)
	if nameErr == nil {
		return nil
	}
	if _, err := partnerNamed(ctx, s.db, name); err == nil {
		return nil
	}
	return nameErr
}

// checkName returns ErrInvalidPartnerName if name is not allowed. A name is not allowed if the
// platform's feed cannot contain it, or if cleaning the texts of the feed would change it: the
// cleaned name could be that of another partner. The error message states the rules.
func checkName(name string) error {
	n := utf8.RuneCountInString(name)
	if n == 0 || n > longestName {
		return ErrInvalidPartnerName
	}
	hasOddSpace := strings.Trim(name, " ") != name || strings.Contains(name, "  ")
	if !utf8.ValidString(name) || hasOddSpace || strings.ContainsFunc(name, isUnfitForNames) {
		return ErrInvalidPartnerName
	}
	return nil
}

// isUnfitForNames reports whether a character must not be in the name of a partner: every character
// that is removed from the texts of the feed, and white space that looks like a space.
func isUnfitForNames(r rune) bool {
	if r == utf8.RuneError || unicode.IsControl(r) {
		return true
	}
	isOtherSpace := unicode.IsSpace(r) && r != ' '
	return isOtherSpace || unicode.In(r, unicode.Cf, unicode.Noncharacter_Code_Point)
}

// isHidden reports whether a character can make a label misleading. Such a character is a control
// character or changes the direction of text.
func isHidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

const maxLabel = 80 // longest label of a key, in characters

// ErrInvalidLabel means that the name for a key is too long or has a character that is not allowed.
var ErrInvalidLabel = fmt.Errorf("a name has at most %d characters, on one line", maxLabel)

// checkLabel returns the label of a key without spaces at its ends. The error is ErrInvalidLabel.
func checkLabel(label string) (string, error) {
	label = strings.TrimSpace(label)
	if !utf8.ValidString(label) || utf8.RuneCountInString(label) > maxLabel || strings.ContainsFunc(label, isHidden) {
		return "", ErrInvalidLabel
	}
	return label, nil
}

// PartnerSummary describes a partner and counts its keys, webhook endpoints and requests.
type PartnerSummary struct {
	ID        string    `json:"id"` // identifier of the partner: "ptn_" and a ULID
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	Keys      int       `json:"keys"`      // number of keys that are neither revoked nor expired
	Endpoints int       `json:"endpoints"` // number of webhook endpoints, including disabled ones
	// requests in the current calendar month, with all keys of the partner
	MonthCalls int64 `json:"month_calls"`
	// time when any key of the partner was last used; nil = never
	LastUsedAt *time.Time `json:"last_used_at"`
}

// CreatePartner makes a partner without keys. The error wraps ErrPartnerExists if there already is
// a partner with that name.
func (s *Store) CreatePartner(ctx context.Context, name string) (_ PartnerSummary, err error) {
	defer state.WrapError(&err, "create partner %q", name)
	if err := s.checkNewName(ctx, name); err != nil {
		return PartnerSummary{}, err
	}
	at := s.now()
	id, isNew, err := s.addPartner(ctx, s.db, name, at)
	if err == nil && !isNew {
		err = ErrPartnerExists
	}
	return PartnerSummary{ID: id, Name: name, CreatedAt: state.FromUnixSeconds(state.UnixSeconds(at))}, err
}

// Partners returns a summary of every partner, sorted by name.
func (s *Store) Partners(ctx context.Context) (_ []PartnerSummary, err error) {
	defer state.WrapError(&err, "list partners")
	now := s.now()
	return state.QueryAll(ctx, s.db, statement("partners"), func(scan func(...any) error) (p PartnerSummary, err error) {
		err = scan(&p.ID, &p.Name, state.ScanTime(&p.CreatedAt), &p.Keys, &p.Endpoints, &p.MonthCalls,
			state.ScanTime(&p.LastUsedAt))
		return p, err
	}, state.UnixSeconds(now), state.UnixSeconds(periods.MonthStart(now)))
}

// partnerNamed returns the id of the partner with the given name. The error is ErrNoPartner if
// there is no such partner.
func partnerNamed(ctx context.Context, from state.Querier, name string) (id string, err error) {
	err = from.QueryRowContext(ctx, statement("partner_named"), name).Scan(&id)
	return id, state.ReplaceNoRows(err, ErrNoPartner)
}

// addPartner adds a partner with the given name unless there is one. isNew reports whether the
// partner was added. id is the id of the new partner; do not use it if isNew is false.
func (s *Store) addPartner(ctx context.Context, to state.Querier, name string,
	at time.Time) (id string, isNew bool, err error) {
	if id, err = state.NewID("ptn_", at, s.random); err != nil {
		return "", false, err
	}
	n, err := state.ExecCount(ctx, to, statement("add_partner"), id, name, state.UnixSeconds(at))
	return id, n == 1, err
}

// ReceivingEndpoint is a webhook endpoint of a partner that is not disabled. It receives events even
// if the partner has no key.
type ReceivingEndpoint struct {
	ID  string // "whe_" and a ULID
	URL string
}

// ReceivingEndpoints returns a partner's webhook endpoints that are not disabled, the oldest first.
// partner is the partner's id.
func (s *Store) ReceivingEndpoints(ctx context.Context, partner string) (_ []ReceivingEndpoint, err error) {
	defer state.WrapError(&err, "list the receiving endpoints of %s", partner)
	return state.QueryAll(ctx, s.db, statement("receiving_endpoints"),
		func(scan func(...any) error) (e ReceivingEndpoint, err error) {
			err = scan(&e.ID, &e.URL)
			return e, err
		}, partner)
}

// RevokePartner ends a partner's access at once and returns the number of revoked keys. It deletes
// the partner's sessions, sign-in links, e-mail addresses and grant. It disables its webhook
// endpoints and cancels their pending deliveries. The error wraps ErrNoPartner if no partner has
// the name.
func (s *Store) RevokePartner(ctx context.Context, name string) (n int64, err error) {
	defer state.WrapError(&err, "revoke the keys of %q", name)
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		id, err := partnerNamed(ctx, tx, name)
		if err != nil {
			return err
		}
		at := state.UnixSeconds(s.now())
		if n, err = state.ExecCount(ctx, tx, statement("revoke_keys"), at, id); err != nil {
			return err
		}
		return state.ExecAll(ctx, tx, state.NewBoundStatement(statement("end_sessions"), id),
			state.NewBoundStatement(statement("end_links"), id),
			state.NewBoundStatement(statement("forget_addresses"), id),
			state.NewBoundStatement(statement("forget_grant"), id),
			state.NewBoundStatement(statement("disable_endpoints"), at, id),
			state.NewBoundStatement(statement("cancel_deliveries"), at, id))
	})
	return n, err
}
