package access

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"labour/serve/state"
)

// The reasons why a partner cannot be made or found.
var (
	ErrPartnerExists = errors.New("there is a partner of this name")
	ErrNoPartner     = errors.New("no such partner")
)

// PartnerSummary is a partner with what it has. Its name is the one by which the
// platform says whose an event is.
type PartnerSummary struct {
	ID         string // "ptn_" and a ULID
	Name       string
	CreatedAt  time.Time
	Keys       int        // neither revoked nor expired
	Endpoints  int        // of webhooks, the disabled ones included
	MonthCalls int64      // of all its keys, in the calendar month of now
	LastUsedAt *time.Time // of any of its keys; nil = never
}

// CreatePartner makes a partner without keys. The error is ErrPartnerExists when the
// name is taken.
func (s *Store) CreatePartner(ctx context.Context, name string) (PartnerSummary, error) {
	if strings.TrimSpace(name) == "" {
		return PartnerSummary{}, errors.New("create a partner: the name is empty")
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
	if err != nil {
		return PartnerSummary{}, fmt.Errorf("create partner %q: %w", name, err)
	}
	return PartnerSummary{ID: id, Name: name, CreatedAt: state.Time(state.Unix(at))}, nil
}

//go:embed sql/partners.sql
var partnersSQL string

// Partners is every partner, by name.
func (s *Store) Partners(ctx context.Context) ([]PartnerSummary, error) {
	now := s.now()
	list, err := state.All(ctx, s.db, partnersSQL, scanPartner, state.Unix(now), state.Unix(state.MonthStart(now)))
	if err != nil {
		return nil, fmt.Errorf("list partners: %w", err)
	}
	return list, nil
}

func scanPartner(scan func(...any) error) (PartnerSummary, error) {
	var p PartnerSummary
	var created int64
	var used sql.NullInt64
	err := scan(&p.ID, &p.Name, &created, &p.Keys, &p.Endpoints, &p.MonthCalls, &used)
	p.CreatedAt, p.LastUsedAt = state.Time(created), state.TimeNull(used)
	return p, err
}

//go:embed sql/partner_named.sql
var partnerNamedSQL string

// partnerNamed is the id of the partner of that name. The error is ErrNoPartner when
// there is none.
func partnerNamed(ctx context.Context, from state.Asker, name string) (id string, err error) {
	err = from.QueryRowContext(ctx, partnerNamedSQL, name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoPartner
	}
	return id, err
}

//go:embed sql/add_partner.sql
var addPartnerSQL string

// addPartner makes a partner unless the name is taken, and says whether it did.
func addPartner(ctx context.Context, to state.Asker, id, name string, at time.Time) (bool, error) {
	n, err := state.Change(ctx, to, addPartnerSQL, id, name, state.Unix(at))
	return n == 1, err
}

//go:embed sql/revoke_keys.sql
var revokeKeysSQL string

// RevokePartner revokes every key of a partner at once, and says how many were not
// revoked before. It shuts the partner out of its pages too, where it could make
// others: its sessions, its links and the addresses that links are mailed to are
// gone, and so is what was granted to it. The error wraps ErrNoPartner when there is
// none of that name.
func (s *Store) RevokePartner(ctx context.Context, name string) (int64, error) {
	var n int64
	err := s.db.Transact(ctx, func(tx *sql.Tx) error {
		id, err := partnerNamed(ctx, tx, name)
		if err != nil {
			return err
		}
		if n, err = state.Change(ctx, tx, revokeKeysSQL, state.Unix(s.now()), id); err != nil {
			return err
		}
		return shutOut(ctx, tx, id)
	})
	if err != nil {
		return 0, fmt.Errorf("revoke the keys of %q: %w", name, err)
	}
	return n, nil
}

//go:embed sql/end_sessions.sql
var endSessionsSQL string

//go:embed sql/end_links.sql
var endLinksSQL string

//go:embed sql/forget_addresses.sql
var forgetAddressesSQL string

//go:embed sql/forget_grant.sql
var forgetGrantSQL string

// shutOut takes away every way of a partner into its pages.
func shutOut(ctx context.Context, tx *sql.Tx, id string) error {
	for _, statement := range []string{endSessionsSQL, endLinksSQL, forgetAddressesSQL, forgetGrantSQL} {
		if _, err := tx.ExecContext(ctx, statement, id); err != nil {
			return err
		}
	}
	return nil
}
