package access

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"labour/serve/state"
)

// DefaultGrace is how long an old secret stays valid after a rotation, unless
// another period is chosen.
const DefaultGrace = 24 * time.Hour

// NewKey describes a key to be made.
type NewKey struct {
	Partner   string // name of the partner; made when it is new
	Label     string
	Mode      Mode       // empty = live
	Plan      Plan       // empty = evaluation
	Scopes    []Scope    // beside labour:read, which every key has
	ExpiresAt *time.Time // nil = never
}

// Create makes a key and returns it with its secret, which is shown here and
// never again.
func (s *Store) Create(ctx context.Context, n NewKey) (Key, string, error) {
	if n.Mode == "" {
		n.Mode = Live
	}
	if n.Plan == "" {
		n.Plan = Evaluation
	}
	scopes, err := check(n)
	if err != nil {
		return Key{}, "", fmt.Errorf("create a key for %q: %w", n.Partner, err)
	}
	secret, err := newSecret(n.Mode, s.random)
	if err != nil {
		return Key{}, "", err
	}
	at := s.now()
	id, err := s.newID("key_", at)
	if err != nil {
		return Key{}, "", err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		partner, err := s.partner(ctx, tx, n.Partner, at)
		if err != nil {
			return err
		}
		return insertKey(ctx, tx, Key{ID: id, PartnerID: partner, Label: n.Label, Mode: n.Mode, Plan: n.Plan, Scopes: scopes, ExpiresAt: n.ExpiresAt}, secret, at)
	})
	if err != nil {
		return Key{}, "", fmt.Errorf("create a key for %q: %w", n.Partner, err)
	}
	key, err := s.Get(ctx, id)
	return key, secret, err
}

// check collects every fault of a description and gives its scopes, sorted,
// with labour:read.
func check(n NewKey) ([]Scope, error) {
	var faults []error
	if strings.TrimSpace(n.Partner) == "" {
		faults = append(faults, errors.New("the partner's name is empty"))
	}
	if n.Mode != Live && n.Mode != Test {
		faults = append(faults, fmt.Errorf("mode %q is neither live nor test", n.Mode))
	}
	if _, ok := n.Plan.Allowance(); !ok {
		faults = append(faults, unknownPlan(n.Plan))
	}
	scopes, err := withLabour(n.Scopes)
	return scopes, errors.Join(append(faults, err)...)
}

// ErrNotOffered is returned for a plan or a scope that does not exist.
var ErrNotOffered = errors.New("not offered")

func unknownPlan(p Plan) error {
	return fmt.Errorf("plan %q is %w: one of %v", p, ErrNotOffered, Plans())
}

// withLabour is the scopes with labour:read, sorted, each once.
func withLabour(scopes []Scope) ([]Scope, error) {
	all := append([]Scope{LabourRead}, scopes...)
	for _, s := range all {
		if !slices.Contains(Scopes(), s) {
			return nil, fmt.Errorf("scope %q is %w: one of %v", s, ErrNotOffered, Scopes())
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func join(scopes []Scope) string {
	parts := make([]string, len(scopes))
	for i, s := range scopes {
		parts[i] = string(s)
	}
	return strings.Join(parts, " ")
}

func (s *Store) newID(prefix string, at time.Time) (string, error) {
	id, err := ulid.New(ulid.Timestamp(at), s.random)
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return prefix + id.String(), nil
}

// partner is the id of the partner of that name, made when it is new.
func (s *Store) partner(ctx context.Context, tx *sql.Tx, name string, at time.Time) (string, error) {
	made, err := s.newID("ptn_", at)
	if err != nil {
		return "", err
	}
	if _, err := addPartner(ctx, tx, made, name, at); err != nil {
		return "", err
	}
	return partnerNamed(ctx, tx, name)
}

// insertKey stores a new key with its first secret.
func insertKey(ctx context.Context, tx *sql.Tx, k Key, secret string, at time.Time) error {
	const insert = `INSERT INTO access_keys (id, partner_id, label, mode, plan, scopes, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	if _, err := tx.ExecContext(ctx, insert, k.ID, k.PartnerID, k.Label, k.Mode, k.Plan, join(k.Scopes), state.Unix(at), state.UnixNull(k.ExpiresAt)); err != nil {
		return err
	}
	return addSecret(ctx, tx, k.ID, k.Mode, secret, at)
}

func addSecret(ctx context.Context, tx *sql.Tx, keyID string, m Mode, secret string, at time.Time) error {
	const insert = `INSERT INTO key_secrets (hash, key_id, prefix, last_four, created_at) VALUES ($1, $2, $3, $4, $5)`
	_, err := tx.ExecContext(ctx, insert, hash(secret), keyID, m.prefix(), secret[len(secret)-4:], state.Unix(at))
	return err
}

// Get is the key of that id. The error wraps ErrNoKey when there is none.
func (s *Store) Get(ctx context.Context, id string) (Key, error) {
	r, err := scanKey(s.db.QueryRowContext(ctx, selectKey+`WHERE k.id = $1 AND s.valid_until IS NULL`, id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return Key{}, fmt.Errorf("key %s: %w", id, ErrNoKey)
	}
	if err != nil {
		return Key{}, fmt.Errorf("read key %s: %w", id, err)
	}
	return r.Key, nil
}

// Revoke ends a key at once, with all its secrets. Revoking it again changes
// nothing.
func (s *Store) Revoke(ctx context.Context, id string) error {
	const update = `UPDATE access_keys SET revoked_at = COALESCE(revoked_at, $1) WHERE id = $2`
	return s.change(ctx, id, "revoke", update, state.Unix(s.now()), id)
}

// SetPlan moves a key to another plan. A bespoke allowance stays.
func (s *Store) SetPlan(ctx context.Context, id string, p Plan) error {
	if _, ok := p.Allowance(); !ok {
		return unknownPlan(p)
	}
	return s.change(ctx, id, "set the plan of", `UPDATE access_keys SET plan = $1 WHERE id = $2`, p, id)
}

// SetScopes replaces the scopes of a key; labour:read stays on it in any case.
func (s *Store) SetScopes(ctx context.Context, id string, scopes []Scope) error {
	all, err := withLabour(scopes)
	if err != nil {
		return err
	}
	return s.change(ctx, id, "set the scopes of", `UPDATE access_keys SET scopes = $1 WHERE id = $2`, join(all), id)
}

// Allow sets a bespoke allowance on a key without changing its plan. nil goes
// back to the plan's; numbers are at least 1.
func (s *Store) Allow(ctx context.Context, id string, hourly, monthly *int64) error {
	for _, n := range []*int64{hourly, monthly} {
		if n != nil && *n < 1 {
			return fmt.Errorf("allow key %s %d calls: an allowance is at least 1", id, *n)
		}
	}
	const update = `UPDATE access_keys SET hourly_calls = $1, monthly_calls = $2 WHERE id = $3`
	return s.change(ctx, id, "allow", update, nullable(hourly), nullable(monthly), id)
}

func (s *Store) change(ctx context.Context, id, what, update string, args ...any) error {
	result, err := s.db.ExecContext(ctx, update, args...)
	if err != nil {
		return fmt.Errorf("%s key %s: %w", what, id, err)
	}
	n, err := result.RowsAffected()
	if err == nil && n == 0 {
		err = ErrNoKey
	}
	if err != nil {
		return fmt.Errorf("%s key %s: %w", what, id, err)
	}
	return nil
}

// Rotate gives a key a new secret and returns it. Older secrets stay valid for
// the grace period, or for what is left of an earlier one; 0 ends them at once.
func (s *Store) Rotate(ctx context.Context, id string, grace time.Duration) (string, error) {
	if grace < 0 {
		return "", fmt.Errorf("rotate key %s: a grace period of %v", id, grace)
	}
	key, err := s.Get(ctx, id)
	if err != nil {
		return "", fmt.Errorf("rotate: %w", err)
	}
	if key.RevokedAt != nil {
		return "", fmt.Errorf("rotate key %s: %w", id, ErrRevoked)
	}
	secret, err := newSecret(key.Mode, s.random)
	if err != nil {
		return "", err
	}
	at := s.now()
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		const end = `UPDATE key_secrets SET valid_until = $1 WHERE key_id = $2 AND (valid_until IS NULL OR valid_until > $1)`
		if _, err := tx.ExecContext(ctx, end, state.Unix(at.Add(grace)), id); err != nil {
			return err
		}
		return addSecret(ctx, tx, id, key.Mode, secret, at)
	})
	if err != nil {
		return "", fmt.Errorf("rotate key %s: %w", id, err)
	}
	return secret, nil
}
