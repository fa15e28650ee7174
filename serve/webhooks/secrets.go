package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"labour/serve/state"
)

// maxSecrets bounds the signatures of a message. More than two are live only
// when an endpoint was rotated again within a grace period.
const maxSecrets = 4

// DefaultGrace is how long an old secret stays valid after a rotation; MaxGrace
// is the longest that a partner may choose.
const (
	DefaultGrace = 24 * time.Hour
	MaxGrace     = 7 * 24 * time.Hour
)

// RotateSecret gives an endpoint of a partner a new signing secret and returns
// it; it is shown once. Messages are signed with the older ones too for the
// grace period (0 to MaxGrace), or for what is left of an earlier one, so that a
// receiver can change over without losing a message. The error is an
// *InvalidError or wraps ErrNotFound.
func (s *Service) RotateSecret(ctx context.Context, partner, id string, grace time.Duration) (string, error) {
	if grace < 0 || grace > MaxGrace {
		return "", &InvalidError{"grace", fmt.Sprintf("give a time from 0 to %v", MaxGrace)}
	}
	secret, err := newSecret(s.random)
	if err != nil {
		return "", err
	}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		if err := s.db.KeepOut(ctx, tx, "endpoints of "+partner); err != nil {
			return err
		}
		if _, err := s.get(ctx, tx, partner, id); err != nil {
			return err
		}
		return s.replaceSecret(ctx, tx, id, secret, grace)
	})
	if err != nil {
		return "", fmt.Errorf("rotate the secret of endpoint %s: %w", id, err)
	}
	return secret, nil
}

func (s *Service) replaceSecret(ctx context.Context, tx *sql.Tx, id, secret string, grace time.Duration) error {
	now := s.now()
	if _, err := tx.ExecContext(ctx, statement("end_secrets"), state.Unix(now.Add(grace)), id); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, statement("forget_secrets"), id, state.Unix(now), maxSecrets-1); err != nil {
		return err
	}
	return s.addSecret(ctx, tx, id, secret)
}

func (s *Service) addSecret(ctx context.Context, tx *sql.Tx, endpoint, secret string) error {
	id, err := s.newID("whs_")
	if err != nil {
		return err
	}
	stored, err := s.vault.seal(endpoint, secret)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, statement("add_secret"), id, endpoint, stored, state.Unix(s.now()))
	return err
}

type storedSecret struct{ id, endpoint, text string }

func scanSecret(scan func(...any) error) (one storedSecret, err error) {
	err = scan(&one.id, &one.endpoint, &one.text)
	return one, err
}

// live is the secrets to sign with, the newest first.
func (s *Service) live(ctx context.Context, endpoint string) ([]string, error) {
	stored, err := state.All(ctx, s.db, statement("live_secrets"), scanSecret, endpoint, state.Unix(s.now()))
	if err != nil {
		return nil, fmt.Errorf("read the secrets of endpoint %s: %w", endpoint, err)
	}
	var secrets []string
	for _, one := range stored {
		secret, _, err := s.vault.open(endpoint, one.text)
		if err != nil {
			return nil, fmt.Errorf("read the secrets of endpoint %s: %w", endpoint, err)
		}
		secrets = append(secrets, secret)
	}
	if len(secrets) == 0 {
		return nil, fmt.Errorf("endpoint %s has no secret", endpoint)
	}
	return secrets, nil
}

// reseal reads every secret and stores anew those that are not stored as they
// would be now.
func (s *Service) reseal(ctx context.Context) error {
	stored, err := state.All(ctx, s.db, statement("all_secrets"), scanSecret)
	if err != nil {
		return err
	}
	for _, one := range stored {
		secret, current, err := s.vault.open(one.endpoint, one.text)
		if err == nil && !current {
			err = s.storeAnew(ctx, one, secret)
		}
		if errors.Is(err, ErrNoSecretKey) {
			return err // most likely of all of them
		}
		if err != nil { // of this one alone; the others must go on
			s.log.Error("a webhook secret cannot be used; rotate it", "endpoint", one.endpoint, "error", err)
		}
	}
	return nil
}

func (s *Service) storeAnew(ctx context.Context, one storedSecret, secret string) error {
	sealed, err := s.vault.seal(one.endpoint, secret)
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, statement("replace_secret"), sealed, one.id, one.text)
	return err
}
