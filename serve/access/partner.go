package access

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"labour/serve/state"
)

// The reasons why a partner cannot be made or found.
var (
	ErrPartnerExists = errors.New("there is a partner of this name")
	ErrNoPartner     = errors.New("no such partner")
	ErrPartnerName   = errors.New("the name of a partner has 1 to 100 characters, no control characters and no space at either end")
)

// longestName is the most characters of a partner's name.
const longestName = 100

// checkName refuses names that the platform's feed could not repeat.
func checkName(name string) error {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	n := utf8.RuneCountInString(name)
	if n == 0 || n > longestName || !utf8.ValidString(name) || strings.Trim(name, " ") != name || strings.IndexFunc(name, control) >= 0 {
		return ErrPartnerName
	}
	return nil
}

// PartnerSummary is a partner with what it has. Its name is the one by which the
// platform says whose an event is.
type PartnerSummary struct {
	ID         string     `json:"id"` // "ptn_" and a ULID
	Name       string     `json:"name"`
	CreatedAt  time.Time  `json:"created_at"`
	Keys       int        `json:"keys"`         // neither revoked nor expired
	Endpoints  int        `json:"endpoints"`    // of webhooks, the disabled ones included
	MonthCalls int64      `json:"month_calls"`  // of all its keys, in the calendar month of now
	LastUsedAt *time.Time `json:"last_used_at"` // of any of its keys; nil = never
}

// CreatePartner makes a partner without keys. The error is ErrPartnerExists when the
// name is taken.
func (s *Store) CreatePartner(ctx context.Context, name string) (_ PartnerSummary, err error) {
	defer state.Wrap(&err, "create partner %q", name)
	if err := checkName(name); err != nil {
		return PartnerSummary{}, err
	}
	at := s.now()
	id, err := state.NewID("ptn_", at, s.random)
	if err != nil {
		return PartnerSummary{}, err
	}
	isNew, err := addPartner(ctx, s.db, id, name, at)
	if err == nil && !isNew {
		err = ErrPartnerExists
	}
	return PartnerSummary{ID: id, Name: name, CreatedAt: state.Time(state.Unix(at))}, err
}

// Partners is every partner, by name.
func (s *Store) Partners(ctx context.Context) (_ []PartnerSummary, err error) {
	defer state.Wrap(&err, "list partners")
	now := s.now()
	return state.All(ctx, s.db, statement("partners"), func(scan func(...any) error) (p PartnerSummary, err error) {
		err = scan(&p.ID, &p.Name, state.Into(&p.CreatedAt), &p.Keys, &p.Endpoints, &p.MonthCalls, state.IntoNull(&p.LastUsedAt))
		return p, err
	}, state.Unix(now), state.Unix(state.MonthStart(now)))
}

// partnerNamed is the id of the partner of that name. The error is ErrNoPartner when
// there is none.
func partnerNamed(ctx context.Context, from state.Asker, name string) (id string, err error) {
	err = from.QueryRowContext(ctx, statement("partner_named"), name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoPartner
	}
	return id, err
}

// addPartner makes a partner unless the name is taken, and says whether it did.
func addPartner(ctx context.Context, to state.Asker, id, name string, at time.Time) (bool, error) {
	n, err := state.Change(ctx, to, statement("add_partner"), id, name, state.Unix(at))
	return n == 1, err
}

// RevokePartner revokes every key of a partner at once, and returns how many were
// not revoked before. It also ends the partner's access to its pages (sessions,
// links, addresses and grant), disables its webhook endpoints and cancels what waits
// for them. The error wraps ErrNoPartner when there is none of that name.
func (s *Store) RevokePartner(ctx context.Context, name string) (n int64, err error) {
	defer state.Wrap(&err, "revoke the keys of %q", name)
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		id, err := partnerNamed(ctx, tx, name)
		if err != nil {
			return err
		}
		at := state.Unix(s.now())
		if n, err = state.Change(ctx, tx, statement("revoke_keys"), at, id); err != nil {
			return err
		}
		return state.Do(ctx, tx, state.With(statement("end_sessions"), id), state.With(statement("end_links"), id), state.With(statement("forget_addresses"), id),
			state.With(statement("forget_grant"), id), state.With(statement("disable_endpoints"), at, id), state.With(statement("cancel_deliveries"), at, id))
	})
	return n, err
}
