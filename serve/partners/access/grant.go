package access

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"labour/serve/state"
)

// Grant limits the keys that a partner may make itself: the highest plan, the permitted scopes, and
// the number of keys. The operator sets it. It is not derived from the partner's keys: a key may be
// temporary, or have scopes for one program, and must not let its holder make others like it.
//
// Each key has its own limits, so the number of keys limits the partner's calls. The number counts
// all keys that were usable at any time of the calendar month: otherwise revoking a key and making
// another would restart the month's count of calls.
type Grant struct {
	Plan   Plan    // the largest plan that may be chosen
	Scopes []Scope // sorted, including labour:read
	Keys   int     // at least 1
}

// DefaultGrant returns the grant of a partner without one: "A key [...] starts on the Evaluation
// plan", and labour:read "is granted immediately on any key". It permits two keys, so that a
// partner can try one program next to another.
func DefaultGrant() Grant {
	return Grant{Plan: Evaluation, Scopes: []Scope{LabourRead}, Keys: 2}
}

// Plans returns the plans that may be chosen, the smallest first.
func (g Grant) Plans() []Plan {
	return Plans()[:slices.Index(Plans(), g.Plan)+1]
}

// Errors of making a key for a partner, or of naming it.
var (
	ErrNotGranted  = errors.New("the operator has not granted this")
	ErrTooManyKeys = errors.New("there are as many keys this month as the operator granted")
	ErrLabel       = fmt.Errorf("a name has at most %d characters, on one line", maxLabel)
)

const maxLabel = 80

// PartnerNamed returns the partner of that name. The error wraps ErrNoPartner.
func (s *Store) PartnerNamed(ctx context.Context, name string) (id string, err error) {
	defer state.Wrap(&err, "find partner %q", name)
	return partnerNamed(ctx, s.db, name)
}

// SetGrant replaces the grant of a partner (its id). Existing keys do not change.
func (s *Store) SetGrant(ctx context.Context, partner string, g Grant) (err error) {
	defer state.Wrap(&err, "grant to partner %s", partner)
	scopes, err := withLabour(g.Scopes)
	err = errors.Join(err, checkPlan(g.Plan))
	if g.Keys < 1 {
		err = errors.Join(err, fmt.Errorf("a number of %d keys is %w: at least 1", g.Keys, ErrNotOffered))
	}
	if err != nil {
		return err
	}
	return state.Do(ctx, s.db, state.NewStep(statement("set_grant"), partner, g.Plan, state.Words[Scope](scopes), g.Keys))
}

// GrantOf returns the grant of a partner (its id).
func (s *Store) GrantOf(ctx context.Context, partner string) (Grant, error) {
	return grantOf(ctx, s.db, partner)
}

func grantOf(ctx context.Context, from state.Asker, partner string) (g Grant, err error) {
	defer state.Wrap(&err, "read the grant of %s", partner)
	err = from.QueryRowContext(ctx, statement("grant"), partner).Scan(&g.Plan, (*state.Words[Scope])(&g.Scopes),
		&g.Keys)
	if errors.Is(err, sql.ErrNoRows) {
		return DefaultGrant(), nil
	}
	return g, err
}

// OwnKey describes a key that a partner makes itself.
type OwnKey struct {
	Label  string
	Plan   Plan
	Scopes []Scope // labour:read is added
}

// CreateOwn makes a key at the request of its partner (the id), within its grant, and returns it
// with its secret, which cannot be read later. The error wraps ErrNotGranted, ErrTooManyKeys or
// ErrLabel.
func (s *Store) CreateOwn(ctx context.Context, partner string, n OwnKey) (key Key, secret string, err error) {
	defer state.Wrap(&err, "create a key for partner %s", partner)
	label, err := checkLabel(n.Label)
	if err != nil {
		return key, "", err
	}
	return s.create(ctx, Live, func(tx *sql.Tx, at time.Time) (Key, error) {
		scopes, err := s.within(ctx, tx, partner, n, at)
		return Key{PartnerID: partner, Label: label, Plan: n.Plan, Scopes: scopes}, err
	})
}

// within returns the scopes of a key, or an error if the partner's grant does not cover the key.
// Other calls that make a key for the same partner wait until tx ends.
func (s *Store) within(ctx context.Context, tx *sql.Tx, partner string, n OwnKey, at time.Time) ([]Scope, error) {
	if err := s.db.KeepOut(ctx, tx, "keys of "+partner); err != nil {
		return nil, err
	}
	g, err := grantOf(ctx, tx, partner)
	if err != nil {
		return nil, err
	}
	scopes, err := withLabour(n.Scopes)
	if err != nil || !slices.Contains(g.Plans(), n.Plan) {
		return nil, ErrNotGranted
	}
	for _, one := range scopes {
		if !slices.Contains(g.Scopes, one) {
			return nil, ErrNotGranted
		}
	}
	made, err := monthKeys(ctx, tx, partner, at)
	if err == nil && made >= g.Keys {
		err = ErrTooManyKeys
	}
	return scopes, err
}

// monthKeys counts the keys of a partner that were usable at any time of the calendar month.
func monthKeys(ctx context.Context, from state.Asker, partner string, at time.Time) (n int, err error) {
	err = from.QueryRowContext(ctx, statement("keys_of_month"), partner, state.Unix(state.MonthStart(at))).Scan(&n)
	return n, err
}

// KeysLeft returns how many keys a partner may still make this calendar month.
func (s *Store) KeysLeft(ctx context.Context, partner string) (_ int, err error) {
	defer state.Wrap(&err, "count the keys of %s", partner)
	g, err := s.GrantOf(ctx, partner)
	if err != nil {
		return 0, err
	}
	n, err := monthKeys(ctx, s.db, partner, s.now())
	return max(0, g.Keys-n), err
}

func checkLabel(label string) (string, error) {
	label = strings.TrimSpace(label)
	if !utf8.ValidString(label) || utf8.RuneCountInString(label) > maxLabel || strings.ContainsFunc(label, hidden) {
		return "", ErrLabel
	}
	return label, nil
}

// Rename gives a key another name. The error wraps ErrNoKey or ErrLabel.
func (s *Store) Rename(ctx context.Context, id, label string) error {
	label, err := checkLabel(label)
	if err != nil {
		return err
	}
	return s.change(ctx, id, "name", statement("set_label"), label, id)
}

// KeysOf returns the keys of a partner (its id), by creation.
func (s *Store) KeysOf(ctx context.Context, partner string) ([]Key, error) {
	return s.keys(ctx, statement("keys_of_partner"), partner)
}

// OwnKeyOf returns a key of a partner (its id). The error wraps ErrNoKey, also if the key is
// another partner's.
func (s *Store) OwnKeyOf(ctx context.Context, partner, id string) (Key, error) {
	k, err := s.Get(ctx, id)
	if err == nil && k.PartnerID != partner {
		return Key{}, fmt.Errorf("key %s: %w", id, ErrNoKey)
	}
	return k, err
}

// MayManageWebhooks reports whether a partner (its id) may manage webhooks on its pages: the
// partner's grant or one of its usable keys has the scope.
func (s *Store) MayManageWebhooks(ctx context.Context, partner string) (bool, error) {
	g, err := s.GrantOf(ctx, partner)
	if err != nil || slices.Contains(g.Scopes, WebhooksManage) {
		return err == nil, err
	}
	keys, err := s.KeysOf(ctx, partner)
	at := s.now()
	return slices.ContainsFunc(keys, func(k Key) bool { return k.Usable(at) && k.Has(WebhooksManage) }), err
}
