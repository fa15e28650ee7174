package signin

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"labour/serve/state"
)

// maxMailed is how many links may be mailed to a partner within the time of one, so
// that nobody's mailbox is filled from the page.
const maxMailed = 3

// The reasons why an address cannot be kept, or a link is not mailed.
var (
	ErrAddress  = errors.New("not an e-mail address such as name@example.org")
	ErrTaken    = errors.New("this address belongs to another partner")
	ErrNoLink   = errors.New("no partner has this address")
	ErrTooOften = errors.New("enough links were mailed to this partner just now")
)

// ParseAddress is an e-mail address in the form in which it is kept. The error is
// ErrAddress.
func ParseAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > 254 {
		return "", ErrAddress
	}
	return strings.ToLower(text), nil
}

//go:embed sql/add_address.sql
var addAddressSQL string

//go:embed sql/partner_of_address.sql
var partnerOfAddressSQL string

// AddAddress lets a partner (its id) have links mailed to an address. The error
// wraps ErrAddress or ErrTaken.
func (s *Store) AddAddress(ctx context.Context, partner, address string) error {
	address, err := ParseAddress(address)
	if err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, addAddressSQL, address, partner, state.Unix(s.now())); err != nil {
		return fmt.Errorf("keep an address of %s: %w", partner, err)
	}
	var owner string
	if err := s.db.QueryRowContext(ctx, partnerOfAddressSQL, address).Scan(&owner); err != nil {
		return fmt.Errorf("keep an address of %s: %w", partner, err)
	}
	if owner != partner {
		return ErrTaken
	}
	return nil
}

//go:embed sql/mailed_links.sql
var mailedLinksSQL string

// LinkFor makes a link for the partner that an address belongs to, to be mailed
// there. The error is ErrAddress, ErrNoLink or ErrTooOften.
func (s *Store) LinkFor(ctx context.Context, address string) (token string, until time.Time, err error) {
	if address, err = ParseAddress(address); err != nil {
		return "", time.Time{}, err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		var partner string
		err := tx.QueryRowContext(ctx, partnerOfAddressSQL, address).Scan(&partner)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoLink
		}
		if err != nil {
			return err
		}
		if err := s.db.KeepOut(ctx, tx, "sign-in links of "+partner); err != nil {
			return err
		}
		var n int
		if err := tx.QueryRowContext(ctx, mailedLinksSQL, partner, state.Unix(s.now().Add(-MailedLasts))).Scan(&n); err != nil {
			return err
		}
		if n >= maxMailed {
			return ErrTooOften
		}
		token, until, err = s.link(ctx, tx, partner, MailedLasts, 1)
		return err
	})
	if err != nil {
		return "", time.Time{}, fmt.Errorf("make a sign-in link to mail: %w", err)
	}
	return token, until, nil
}
