package access

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"labour/serve/state"
	"labour/snapshots/periods"
)

// Grant limits the API keys that a partner may make without the operator: their plan, scopes and
// number. A key that was revoked in this calendar month still counts. Otherwise a partner could
// evade its limits by revoking a key and making a new one.
type Grant struct {
	Plan   Plan    // highest plan that the partner may choose
	Scopes []Scope // scopes that the partner may choose, sorted, including labour:read
	// largest number of the partner's keys that are usable at any time of a calendar month; at least 1
	Keys int
}

// DefaultGrant returns the grant that applies if the operator has set none. It permits two keys on
// the plan PlanEvaluation, with the scope labour:read.
func DefaultGrant() Grant {
	return Grant{Plan: PlanEvaluation, Scopes: []Scope{ScopeLabourRead}, Keys: 2}
}

// Plans returns the plans that the partner may choose, from the lowest limits to the highest.
func (g Grant) Plans() []Plan {
	return Plans()[:slices.Index(Plans(), g.Plan)+1]
}

// ErrNotGranted and ErrTooManyKeys are the reasons why a partner cannot make a key.
var (
	// ErrNotGranted means that the partner's grant does not include the plan or scope of the new
	// key.
	ErrNotGranted = errors.New("the operator has not granted this")
	// ErrTooManyKeys means that the partner has as many keys this month as its grant permits.
	ErrTooManyKeys = errors.New("there are as many keys this month as the operator granted")
)

// PartnerID returns the id of the partner with the given name. The error wraps ErrNoPartner if
// there is no such partner.
func (s *Store) PartnerID(ctx context.Context, name string) (id string, err error) {
	defer state.WrapError(&err, "find partner %q", name)
	return partnerNamed(ctx, s.db, name)
}

// SetGrant sets which keys a partner may make without the operator. partner is the partner's id.
// Existing keys do not change.
func (s *Store) SetGrant(ctx context.Context, partner string, g Grant) (err error) {
	defer state.WrapError(&err, "grant to partner %s", partner)
	scopes, err := withLabour(g.Scopes)
	err = errors.Join(err, checkPlan(g.Plan))
	if g.Keys < 1 {
		err = errors.Join(err, fmt.Errorf("a number of %d keys is %w: at least 1", g.Keys, ErrNoSuchPlanOrScope))
	}
	if err != nil {
		return err
	}
	return state.ExecAll(ctx, s.db, state.NewBoundStatement(statement("set_grant"), partner, g.Plan,
		state.WordList[Scope](scopes), g.Keys))
}

// PartnerGrant returns the grant of a partner. partner is the partner's id. The result is
// DefaultGrant if the operator has set no grant.
func (s *Store) PartnerGrant(ctx context.Context, partner string) (Grant, error) {
	return grantOf(ctx, s.db, partner)
}

func grantOf(ctx context.Context, from state.Querier, partner string) (g Grant, err error) {
	defer state.WrapError(&err, "read the grant of %s", partner)
	err = from.QueryRowContext(ctx, statement("grant"), partner).Scan(&g.Plan, (*state.WordList[Scope])(&g.Scopes),
		&g.Keys)
	if errors.Is(err, sql.ErrNoRows) {
		return DefaultGrant(), nil
	}
	return g, err
}

// SelfServiceKeyRequest describes a new API key that a partner makes itself, on the partner pages.
type SelfServiceKeyRequest struct {
	Label  string
	Plan   Plan
	Scopes []Scope // scopes that the partner chose; labour:read is added
}

// CreateSelfServiceKey makes an API key for a partner if its grant permits the key. It returns the
// key and its secret. The secret cannot be read later. The error wraps ErrNotGranted,
// ErrTooManyKeys or ErrInvalidLabel.
func (s *Store) CreateSelfServiceKey(ctx context.Context, partner string,
	n SelfServiceKeyRequest) (key Key, secret string, err error) {
	defer state.WrapError(&err, "create a key for partner %s", partner)
	label, err := checkLabel(n.Label)
	if err != nil {
		return key, "", err
	}
	return s.create(ctx, ModeLive, func(tx *sql.Tx, at time.Time) (Key, error) {
		scopes, err := s.grantedScopes(ctx, tx, partner, n, at)
		return Key{PartnerID: partner, Label: label, Plan: n.Plan, Scopes: scopes}, err
	})
}

// grantedScopes returns the scopes of a new key: the requested ones and labour:read. It returns an
// error if the partner's grant does not permit the key. It takes a lock that tx holds until it
// ends, so that concurrent requests cannot exceed the grant.
func (s *Store) grantedScopes(ctx context.Context, tx *sql.Tx, partner string, n SelfServiceKeyRequest,
	at time.Time) ([]Scope, error) {
	if err := s.db.AdvisoryLock(ctx, tx, "keys of "+partner); err != nil {
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

// monthKeys returns the number of a partner's keys that were usable at any time in the calendar
// month that contains the time at.
func monthKeys(ctx context.Context, from state.Querier, partner string, at time.Time) (n int, err error) {
	month := state.UnixSeconds(periods.MonthStart(at))
	err = from.QueryRowContext(ctx, statement("keys_of_month"), partner, month).Scan(&n)
	return n, err
}

// NewKeysLeftThisMonth returns the number of keys that a partner may still make in this calendar
// month.
func (s *Store) NewKeysLeftThisMonth(ctx context.Context, partner string) (_ int, err error) {
	defer state.WrapError(&err, "count the keys of %s", partner)
	g, err := s.PartnerGrant(ctx, partner)
	if err != nil {
		return 0, err
	}
	n, err := monthKeys(ctx, s.db, partner, s.now())
	return max(0, g.Keys-n), err
}

// RenameKey changes the label of a key, which is the partner's own name for it. The error wraps
// ErrNoKey or ErrInvalidLabel.
func (s *Store) RenameKey(ctx context.Context, id, label string) error {
	label, err := checkLabel(label)
	if err != nil {
		return err
	}
	return s.change(ctx, id, "name", statement("set_label"), label, id)
}

// PartnerKeys returns all keys of a partner, the oldest first. partner is the partner's id.
func (s *Store) PartnerKeys(ctx context.Context, partner string) ([]Key, error) {
	return s.keys(ctx, statement("keys_of_partner"), partner)
}

// PartnerKey returns the key with the given id if it belongs to the partner. partner is the
// partner's id. The error wraps ErrNoKey if the partner has no such key.
func (s *Store) PartnerKey(ctx context.Context, partner, id string) (Key, error) {
	k, err := s.FindKey(ctx, id)
	if err == nil && k.PartnerID != partner {
		return Key{}, fmt.Errorf("key %s: %w", id, ErrNoKey)
	}
	return k, err
}

// MayManageWebhooks reports whether a partner may manage webhooks on the partner pages. Its grant
// or one of its usable keys must have the scope webhooks:manage.
func (s *Store) MayManageWebhooks(ctx context.Context, partner string) (bool, error) {
	g, err := s.PartnerGrant(ctx, partner)
	if err != nil || slices.Contains(g.Scopes, ScopeWebhooksManage) {
		return err == nil, err
	}
	keys, err := s.PartnerKeys(ctx, partner)
	at := s.now()
	return slices.ContainsFunc(keys, func(k Key) bool { return k.IsUsable(at) && k.HasScope(ScopeWebhooksManage) }), err
}
