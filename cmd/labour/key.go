package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve/access"
	"labour/serve/state"
)

func newKeyCmd(a *app) *cobra.Command {
	return cli.Group("key", "Manage API keys",
		cli.Command("create", "Make a key; its secret is printed once", cli.Exactly(0), createOptions{Plan: string(access.Evaluation)}, a.createKey),
		cli.Command("list", "List the keys", cli.Exactly(0), keyListOptions{}, a.listKeys),
		cli.Command("revoke ID", "Revoke a key at once", cli.Exactly(1), keyOptions{}, a.revokeKey),
		cli.Command("rotate ID", "Give a key a new secret; the old one stays valid for a while", cli.Exactly(1), rotateOptions{Grace: access.DefaultGrace}, a.rotateKey),
		cli.Command("change ID", "Move a key to another plan, or give it other scopes", cli.Exactly(1), changeOptions{}, a.changeKey),
		newKeyAllowCmd(a))
}

type (
	keyOptions struct {
		cli.DataFlag
		State string `flag:"state" usage:"state database: the path of a file, or postgres://… which several servers share (default <data>/state.db)"`
	}
	createOptions struct {
		keyOptions
		Partner string        `flag:"partner" required:"" usage:"name of the partner"`
		Label   string        `flag:"label" usage:"what the key is for"`
		Plan    string        `flag:"plan" usage:"evaluation, standard or partner"`
		Scopes  []string      `flag:"scope" usage:"scope beside labour:read, repeatable; all = every scope"`
		Lasts   time.Duration `flag:"expires-in" least:"0s" usage:"time after which the key is refused, such as 720h (default: never)"`
	}
	keyListOptions struct {
		keyOptions
		cli.JSONFlag
		Partner string `flag:"partner" usage:"only the keys of this partner"`
	}
	rotateOptions struct {
		keyOptions
		Grace time.Duration `flag:"grace" least:"0s" usage:"how long the old secret stays valid"`
	}
)

// withKeys opens the state database for one command.
func withKeys(ctx context.Context, a *app, k keyOptions, do func(*access.Store) error) error {
	return a.withState(ctx, k, func(_ *state.DB, keys *access.Store) error { return do(keys) })
}

func (a *app) createKey(ctx context.Context, o *createOptions, _ []string) error {
	n := access.NewKey{Partner: o.Partner, Label: o.Label, Plan: access.Plan(o.Plan), Scopes: parseScopes(o.Scopes)}
	if o.Lasts != 0 {
		ends := a.now().Add(o.Lasts)
		n.ExpiresAt = &ends
	}
	return withKeys(ctx, a, o.keyOptions, func(s *access.Store) error {
		key, secret, err := s.Create(ctx, n)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "Key %s of %s, plan %s. The secret is shown once:\n", key.ID, o.Partner, key.Plan)
		return a.say("%s\n", secret)
	})
}

func parseScopes(names []string) []access.Scope {
	var scopes []access.Scope
	for _, n := range names {
		if n == "all" {
			return access.Scopes()
		}
		scopes = append(scopes, access.Scope(n))
	}
	return scopes
}

// keyLine is a key as it is listed: never its secret.
type keyLine struct {
	ID         string         `json:"id"`
	Partner    string         `json:"partner"`
	Label      string         `json:"label"`
	Secret     string         `json:"secret"` // prefix and last four
	Plan       access.Plan    `json:"plan"`
	Hourly     int64          `json:"hourly_calls"`
	Monthly    *int64         `json:"monthly_calls"` // null = no cap
	Bespoke    bool           `json:"bespoke"`       // one of the two is not the plan's
	Scopes     []access.Scope `json:"scopes"`
	CreatedAt  time.Time      `json:"created_at"`
	LastUsedAt *time.Time     `json:"last_used_at"`
	ExpiresAt  *time.Time     `json:"expires_at"`
	RevokedAt  *time.Time     `json:"revoked_at"`
	State      string         `json:"-"` // live, revoked or expired
}

func (a *app) listKeys(ctx context.Context, o *keyListOptions, _ []string) error {
	return withKeys(ctx, a, o.keyOptions, func(s *access.Store) error {
		keys, err := s.List(ctx, o.Partner)
		if err != nil {
			return err
		}
		lines := make([]keyLine, 0, len(keys))
		for _, k := range keys {
			hourly, monthly := allowed(k)
			state := "live"
			if k.RevokedAt != nil {
				state = "revoked"
			} else if !k.Usable(a.now()) {
				state = "expired"
			}
			lines = append(lines, keyLine{ID: k.ID, Partner: k.PartnerName, Label: k.Label, Secret: k.Prefix + "…" + k.LastFour, Plan: k.Plan,
				Hourly: hourly, Monthly: monthly, Bespoke: k.Hourly != nil || k.Monthly != nil, Scopes: k.Scopes, CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt, State: state})
		}
		return a.show(o.JSON, "keys", lines)
	})
}

// allowed returns the calls that a key may make in an hour and in a month; nil is
// without a cap.
func allowed(k access.Key) (hourly int64, monthly *int64) {
	a := k.Allowance()
	if a.Monthly == 0 {
		return a.Hourly, nil
	}
	return a.Hourly, &a.Monthly
}

func capOf(monthly *int64) string {
	if monthly == nil {
		return "no limit"
	}
	return fmt.Sprint(*monthly)
}

func (a *app) revokeKey(ctx context.Context, o *keyOptions, args []string) error {
	return withKeys(ctx, a, *o, func(s *access.Store) error {
		if err := s.Revoke(ctx, args[0]); err != nil {
			return err
		}
		return a.say("%s is revoked\n", args[0])
	})
}

func (a *app) rotateKey(ctx context.Context, o *rotateOptions, args []string) error {
	return withKeys(ctx, a, o.keyOptions, func(s *access.Store) error {
		secret, err := s.Rotate(ctx, args[0], o.Grace)
		if err != nil {
			return err
		}
		return a.say("%s\n", secret)
	})
}

type changeOptions struct {
	keyOptions
	Plan   string   `flag:"plan" usage:"evaluation, standard or partner (default: as it is)"`
	Scopes []string `flag:"scope" usage:"scope beside labour:read, repeatable; all = every scope (default: as they are)"`
}

func (a *app) changeKey(ctx context.Context, o *changeOptions, args []string) error {
	if o.Plan == "" && len(o.Scopes) == 0 {
		return cli.Usage(errors.New("give --plan or --scope"))
	}
	return withKeys(ctx, a, o.keyOptions, func(s *access.Store) error {
		if err := s.Change(ctx, args[0], access.Plan(o.Plan), parseScopes(o.Scopes)); err != nil {
			return err
		}
		key, err := s.Get(ctx, args[0])
		if err != nil {
			return err
		}
		return a.say("%s is on the plan %s with the scopes %s\n", key.ID, key.Plan, strings.Trim(fmt.Sprint(key.Scopes), "[]"))
	})
}

type allowOptions struct {
	keyOptions
	Hourly  int `flag:"hourly" least:"0" usage:"calls per hour; 0 = the plan's"`
	Monthly int `flag:"monthly" least:"0" usage:"calls per calendar month; 0 = the plan's"`
}

func newKeyAllowCmd(a *app) (c *cobra.Command) {
	c = cli.Command("allow ID", "Set a bespoke allowance without changing the plan", cli.Exactly(1), allowOptions{}, func(ctx context.Context, o *allowOptions, args []string) error {
		return withKeys(ctx, a, o.keyOptions, func(s *access.Store) error {
			key, err := s.Get(ctx, args[0])
			if err != nil {
				return err
			}
			none := !c.Flags().Changed("hourly") && !c.Flags().Changed("monthly")
			if none || c.Flags().Changed("hourly") {
				key.Hourly = bespoke(o.Hourly)
			}
			if none || c.Flags().Changed("monthly") {
				key.Monthly = bespoke(o.Monthly)
			}
			if err := s.Allow(ctx, key.ID, key.Hourly, key.Monthly); err != nil {
				return err
			}
			perHour, perMonth := allowed(key)
			return a.say("%s may make %d calls an hour and %s a month\n", key.ID, perHour, capOf(perMonth))
		})
	})
	return c
}

// bespoke returns an allowance; nil is the plan's own.
func bespoke(calls int) *int64 {
	if calls == 0 {
		return nil
	}
	n := int64(calls)
	return &n
}
