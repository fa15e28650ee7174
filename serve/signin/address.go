package signin

import (
	"context"
	"database/sql"
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

// AddAddress lets a partner (its id) have links mailed to an address. The error
// wraps ErrAddress or ErrTaken.
func (s *Store) AddAddress(ctx context.Context, partner, address string) error {
	address, err := ParseAddress(address)
	if err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, statement("add_address"), address, partner, state.Unix(s.now())); err != nil {
		return fmt.Errorf("keep an address of %s: %w", partner, err)
	}
	owner, err := partnerOf(ctx, s.db, address)
	if err != nil {
		return fmt.Errorf("keep an address of %s: %w", partner, err)
	}
	if owner != partner {
		return ErrTaken
	}
	return nil
}

// partnerOf is the id of the partner that an address belongs to. The error is
// ErrNoLink when there is none.
func partnerOf(ctx context.Context, from state.Asker, address string) (partner string, err error) {
	err = from.QueryRowContext(ctx, statement("partner_of_address"), address).Scan(&partner)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoLink
	}
	return partner, err
}

// LinkFor makes a link for the partner that an address belongs to, to be mailed
// there. The error is ErrAddress, ErrNoLink or ErrTooOften.
func (s *Store) LinkFor(ctx context.Context, address string) (token string, until time.Time, err error) {
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
		token, until, err = s.link(ctx, tx, partner, MailedLasts, 1)
		return err
	})
	if err != nil {
		return "", time.Time{}, fmt.Errorf("make a sign-in link to mail: %w", err)
	}
	return token, until, nil
}

// mayMail is ErrTooOften when enough links were mailed to a partner just now. It makes
// those who ask for the same partner wait until tx ends.
func (s *Store) mayMail(ctx context.Context, tx *sql.Tx, partner string) error {
	if err := s.db.KeepOut(ctx, tx, "sign-in links of "+partner); err != nil {
		return err
	}
	var n int
	err := tx.QueryRowContext(ctx, statement("mailed_links"), partner, state.Unix(s.now().Add(-MailedLasts))).Scan(&n)
	if err == nil && n >= maxMailed {
		err = ErrTooOften
	}
	return err
}
