package access

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"labour/serve/state"
)

const (
	// DefaultKeyGracePeriod is how long the old secret of a key stays valid after a rotation,
	// unless the caller chooses another period.
	DefaultKeyGracePeriod = 24 * time.Hour
	// MaxKeyGracePeriod is the longest time for which the old secret of a key can stay valid after
	// a rotation.
	MaxKeyGracePeriod = 7 * 24 * time.Hour
)

// ErrGraceRange is the error for a grace period that is negative or longer than MaxKeyGracePeriod.
// The dashboard offers no such period.
var ErrGraceRange = fmt.Errorf("out of range: 0 to %v", MaxKeyGracePeriod)

// KeyRequest describes a new API key that the operator makes for a partner.
type KeyRequest struct {
	Partner   string // name of the partner, who is created if the name is new
	Label     string
	Mode      KeyMode    // mode of the key, live or test; empty = live
	Plan      Plan       // plan that sets the limits; empty = evaluation
	Scopes    []Scope    // permissions in addition to labour:read, which every key has
	ExpiresAt *time.Time // time from which the key is refused; nil = never
}

// CreateKey makes an API key at the operator's request. It also makes the partner if the name is
// new. It returns the key and its secret. The secret cannot be read later.
func (s *Store) CreateKey(ctx context.Context, n KeyRequest) (key Key, secret string, err error) {
	defer state.WrapError(&err, "create a key for %q", n.Partner)
	n.Mode = cmp.Or(n.Mode, ModeLive)
	n.Plan = cmp.Or(n.Plan, PlanEvaluation)
	label, labelFault := checkLabel(n.Label)
	faults := []error{s.checkNewName(ctx, n.Partner), checkPlan(n.Plan), labelFault}
	if n.Mode != ModeLive && n.Mode != ModeTest {
		faults = append(faults, fmt.Errorf("mode %q is neither live nor test", n.Mode))
	}
	scopes, err := withLabour(n.Scopes)
	if err := errors.Join(append(faults, err)...); err != nil {
		return key, "", err
	}
	return s.create(ctx, n.Mode, func(tx *sql.Tx, at time.Time) (Key, error) {
		if _, _, err := s.addPartner(ctx, tx, n.Partner, at); err != nil {
			return Key{}, err
		}
		partner, err := partnerNamed(ctx, tx, n.Partner)
		return Key{PartnerID: partner, Label: label, Plan: n.Plan, Scopes: scopes, ExpiresAt: n.ExpiresAt}, err
	})
}

// create stores a new API key and returns it with its secret. The function describe returns the
// properties of the key; it runs in the same transaction.
func (s *Store) create(ctx context.Context, m KeyMode,
	describe func(tx *sql.Tx, at time.Time) (Key, error)) (Key, string, error) {
	at := s.now()
	id, err := state.NewID("key_", at, s.random)
	if err != nil {
		return Key{}, "", err
	}
	secret, err := newSecret(m, s.random)
	if err != nil {
		return Key{}, "", err
	}
	var key Key
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		k, err := describe(tx, at)
		if err != nil {
			return err
		}
		k.ID, k.Mode = id, m
		err = state.ExecAll(ctx, tx, state.NewBoundStatement(statement("add_key"), k.ID, k.PartnerID, k.Label, k.Mode, k.Plan,
			state.WordList[Scope](k.Scopes), state.UnixSeconds(at), state.NullableUnixSeconds(k.ExpiresAt)),
			addSecret(k.ID, k.Mode, secret, at))
		if err != nil {
			return err
		}
		key, err = keyByID(ctx, tx, id) // in the transaction: a key that cannot be returned is not made
		return err
	})
	if err != nil {
		return Key{}, "", err
	}
	return key, secret, nil
}

// ErrNoSuchPlanOrScope means that the service does not offer the requested plan, scope or number of
// keys.
var ErrNoSuchPlanOrScope = errors.New("not offered")

// joinNames returns a list of names as one text for an error message, such as "standard, partner".
func joinNames[S ~string](names []S) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(names), "[]"), " ", ", ")
}

func checkPlan(p Plan) error {
	if _, ok := p.Allowance(); !ok {
		return fmt.Errorf("plan %q is %w: one of %s", p, ErrNoSuchPlanOrScope, joinNames(Plans()))
	}
	return nil
}

// withLabour adds labour:read to a list of scopes. The result is sorted and has no duplicates. The
// error wraps ErrNoSuchPlanOrScope if a scope does not exist.
func withLabour(scopes []Scope) ([]Scope, error) {
	all := append([]Scope{ScopeLabourRead}, scopes...)
	for _, s := range all {
		if !slices.Contains(Scopes(), s) {
			return nil, fmt.Errorf("scope %q is %w: one of %s", s, ErrNoSuchPlanOrScope, joinNames(Scopes()))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func addSecret(keyID string, m KeyMode, secret string, at time.Time) state.BoundStatement {
	return state.NewBoundStatement(statement("add_secret"), hash(secret), keyID, m.prefix(), secret[len(secret)-4:],
		state.UnixSeconds(at))
}

// FindKey returns the API key with the given id. The error wraps ErrNoKey if there is no such key.
func (s *Store) FindKey(ctx context.Context, id string) (_ Key, err error) {
	defer state.WrapError(&err, "key %s", id)
	return keyByID(ctx, s.db, id)
}

func keyByID(ctx context.Context, from state.Querier, id string) (Key, error) {
	r, err := scanKey(from.QueryRowContext(ctx, statement("key_by_id"), id).Scan)
	return r.Key, state.ReplaceNoRows(err, ErrNoKey)
}

// RevokeKey revokes an API key with all its secrets at once. It has no effect on a revoked key.
func (s *Store) RevokeKey(ctx context.Context, id string) error {
	return s.change(ctx, id, "revoke", statement("revoke_key"), state.UnixSeconds(s.now()), id)
}

// ChangeKeyPlanAndScopes changes the plan and the scopes of a key. The key always keeps
// labour:read. An empty plan or an empty list of scopes means no change. Limits from SetKeyLimits
// stay. The error wraps ErrKeyRevoked or ErrKeyExpired if the key is not usable any more.
func (s *Store) ChangeKeyPlanAndScopes(ctx context.Context, id string, p Plan, scopes []Scope) error {
	if err := checkPlan(p); err != nil && p != "" {
		return err
	}
	if len(scopes) > 0 {
		var err error
		if scopes, err = withLabour(scopes); err != nil {
			return err
		}
	}
	return s.changeUsable(ctx, id, "change", statement("set_terms"), p, state.WordList[Scope](scopes), id)
}

// SetKeyLimits sets limits for one key, in requests per hour and per month. They replace the limits
// of its plan. nil means the limit of the plan. A limit below 1 is an error. The error wraps
// ErrKeyRevoked or ErrKeyExpired if the key is not usable any more.
func (s *Store) SetKeyLimits(ctx context.Context, id string, hourly, monthly *int64) error {
	for _, n := range []*int64{hourly, monthly} {
		if n != nil && *n < 1 {
			return fmt.Errorf("allow key %s %d calls: an allowance is at least 1", id, *n)
		}
	}
	return s.changeUsable(ctx, id, "allow", statement("set_allowance"), hourly, monthly, id)
}

// changeUsable runs the SQL statement update with the arguments args. The statement changes the key
// with the given id. what is a verb for the error message, such as "allow". The error wraps
// ErrNoKey if there is no such key, and ErrKeyRevoked or ErrKeyExpired if the key is not usable any
// more.
func (s *Store) changeUsable(ctx context.Context, id, what, update string, args ...any) error {
	if _, err := s.usableKey(ctx, id); err != nil {
		return fmt.Errorf("%s key %s: %w", what, id, err)
	}
	return s.change(ctx, id, what, update, args...)
}

// usableKey returns the API key with the given id. The error wraps ErrNoKey, ErrKeyRevoked or
// ErrKeyExpired.
func (s *Store) usableKey(ctx context.Context, id string) (Key, error) {
	key, err := keyByID(ctx, s.db, id)
	if err == nil {
		err = key.checkUsable(s.now())
	}
	return key, err
}

// change runs the SQL statement update with the arguments args. The statement changes the key with
// the given id. what is a verb for the error message, such as "revoke". The error wraps ErrNoKey if
// there is no such key.
func (s *Store) change(ctx context.Context, id, what, update string, args ...any) (err error) {
	defer state.WrapError(&err, "%s key %s", what, id)
	n, err := state.ExecCount(ctx, s.db, update, args...)
	if err == nil && n == 0 {
		err = ErrNoKey
	}
	return err
}

// maxSecrets is the largest number of secrets of one key. A key has several valid secrets if it was
// rotated more than once within a grace period.
const maxSecrets = 4

// RotateKey gives a key a new secret and returns the secret. Older secrets stay valid for the grace
// period, or until an earlier end that was already set. Only the newest maxSecrets secrets are kept,
// so further rotations can end the oldest one early. The error wraps ErrGraceRange, or ErrKeyRevoked
// or ErrKeyExpired if the key is not usable any more.
func (s *Store) RotateKey(ctx context.Context, id string, grace time.Duration) (secret string, err error) {
	defer state.WrapError(&err, "rotate key %s", id)
	if grace < 0 || grace > MaxKeyGracePeriod {
		return "", fmt.Errorf("a grace period of %v is %w", grace, ErrGraceRange)
	}
	key, err := s.usableKey(ctx, id)
	if err != nil {
		return "", err
	}
	if secret, err = newSecret(key.Mode, s.random); err != nil {
		return "", err
	}
	at := s.now()
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		// Concurrent rotations run one after the other, so that the later one ends the earlier
		// secret.
		if err := s.db.AdvisoryLock(ctx, tx, "secrets of "+id); err != nil {
			return err
		}
		return state.ExecAll(ctx, tx, state.NewBoundStatement(statement("forget_secrets"), id, maxSecrets-1),
			state.NewBoundStatement(statement("end_secrets"), state.UnixSeconds(at.Add(grace)), id),
			addSecret(id, key.Mode, secret, at))
	})
	return secret, err
}

// OldSecret is a secret of a key that a rotation replaced, and that is still valid.
type OldSecret struct {
	KeyID      string    `json:"-"`
	LastFour   string    `json:"last_four"`   // last four characters of the secret
	ValidUntil time.Time `json:"valid_until"` // time from which the secret is refused
}

// OldSecrets returns the old secrets of the key with the given id, or of all keys if the id is
// empty. They are sorted by the id of the key. Those of one key are sorted by age, the oldest
// first.
func (s *Store) OldSecrets(ctx context.Context, keyID string) (_ []OldSecret, err error) {
	defer state.WrapError(&err, "list old secrets")
	return state.QueryAll(ctx, s.db, statement("old_secrets"), func(scan func(...any) error) (o OldSecret, err error) {
		err = scan(&o.KeyID, &o.LastFour, state.ScanTime(&o.ValidUntil))
		return o, err
	}, keyID, state.UnixSeconds(s.now()))
}
