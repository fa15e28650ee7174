package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve/access"
	"labour/serve/state"
)

func newKeyCmd(a *app) *cobra.Command {
	return cli.Group("key", "Manage API keys", newKeyCreateCmd(a), newKeyListCmd(a), newKeyRevokeCmd(a), newKeyRotateCmd(a), newKeyAllowCmd(a))
}

type keyOptions struct {
	data  string
	state string // address of the state database; empty = the file in data
}

func (k *keyOptions) addFlags(c *cobra.Command) {
	c.Flags().StringVar(&k.data, "data", "data", "data directory")
	addStateFlag(c, &k.state)
}

// withKeys opens the state database for one command.
func withKeys(ctx context.Context, a *app, k keyOptions, do func(*access.Store) error) error {
	return a.withState(ctx, k, func(_ *state.DB, keys *access.Store) error { return do(keys) })
}

func newKeyCreateCmd(a *app) *cobra.Command {
	var where keyOptions
	var partner, label, plan string
	var scopes []string
	var lasts time.Duration
	c := &cobra.Command{Use: "create", Short: "Make a key; its secret is printed once", Args: cli.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if partner == "" {
				return cli.Usage(errors.New("--partner is missing: whose key is it?"))
			}
			n := access.NewKey{Partner: partner, Label: label, Plan: access.Plan(plan), Scopes: parseScopes(scopes)}
			if lasts != 0 {
				ends := a.now().Add(lasts)
				n.ExpiresAt = &ends
			}
			if lasts < 0 {
				return cli.Usage(errors.New("--expires-in is below 0"))
			}
			return withKeys(cmd.Context(), a, where, func(s *access.Store) error {
				key, secret, err := s.Create(cmd.Context(), n)
				if err != nil {
					return err
				}
				fmt.Fprintf(a.stderr, "Key %s of %s, plan %s. The secret is shown once:\n", key.ID, partner, key.Plan)
				_, err = fmt.Fprintln(a.stdout, secret)
				return err
			})
		}}
	where.addFlags(c)
	c.Flags().StringVar(&partner, "partner", "", "name of the partner (required)")
	c.Flags().StringVar(&label, "label", "", "what the key is for")
	c.Flags().StringVar(&plan, "plan", string(access.Evaluation), "evaluation, standard or partner")
	c.Flags().StringArrayVar(&scopes, "scope", nil, "scope beside labour:read, repeatable; all = every scope")
	c.Flags().DurationVar(&lasts, "expires-in", 0, "time after which the key is refused, such as 720h (default: never)")
	return c
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
}

func newKeyListCmd(a *app) *cobra.Command {
	var where keyOptions
	var partner string
	var asJSON bool
	c := &cobra.Command{Use: "list", Short: "List the keys", Args: cli.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withKeys(cmd.Context(), a, where, func(s *access.Store) error {
				keys, err := s.List(cmd.Context(), partner)
				if err != nil {
					return err
				}
				return printKeys(a, keys, asJSON)
			})
		}}
	where.addFlags(c)
	c.Flags().StringVar(&partner, "partner", "", "only the keys of this partner")
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

func printKeys(a *app, keys []access.Key, asJSON bool) error {
	lines := make([]keyLine, 0, len(keys))
	for _, k := range keys {
		hourly, monthly := allowed(k)
		lines = append(lines, keyLine{ID: k.ID, Partner: k.PartnerName, Label: k.Label, Secret: k.Prefix + "…" + k.LastFour, Plan: k.Plan,
			Hourly: hourly, Monthly: monthly, Bespoke: k.Hourly != nil || k.Monthly != nil, Scopes: k.Scopes, CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt})
	}
	if asJSON {
		return cli.PrintJSON(a.stdout, lines)
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tPARTNER\tSECRET\tPLAN\tCALLS AN HOUR\tCALLS A MONTH\tLAST USED\tSTATE\tSCOPES")
	for _, l := range lines {
		used, state := "never", "live"
		if l.LastUsedAt != nil {
			used = l.LastUsedAt.Format(time.RFC3339)
		}
		if l.RevokedAt != nil {
			state = "revoked"
		} else if l.ExpiresAt != nil && !a.now().Before(*l.ExpiresAt) {
			state = "expired"
		}
		scopes := make([]string, len(l.Scopes))
		for i, s := range l.Scopes {
			scopes[i] = string(s)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\n", l.ID, l.Partner, l.Secret, l.Plan, l.Hourly, capOf(l.Monthly), used, state, strings.Join(scopes, " "))
	}
	return t.Flush()
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
		return "no cap"
	}
	return fmt.Sprint(*monthly)
}

func newKeyRevokeCmd(a *app) *cobra.Command {
	var where keyOptions
	c := &cobra.Command{Use: "revoke ID", Short: "Revoke a key at once", Args: cli.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withKeys(cmd.Context(), a, where, func(s *access.Store) error {
				if err := s.Revoke(cmd.Context(), args[0]); err != nil {
					return err
				}
				_, err := fmt.Fprintf(a.stdout, "%s is revoked\n", args[0])
				return err
			})
		}}
	where.addFlags(c)
	return c
}

func newKeyRotateCmd(a *app) *cobra.Command {
	var where keyOptions
	var grace time.Duration
	c := &cobra.Command{Use: "rotate ID", Short: "Give a key a new secret; the old one stays valid for a while", Args: cli.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withKeys(cmd.Context(), a, where, func(s *access.Store) error {
				secret, err := s.Rotate(cmd.Context(), args[0], grace)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(a.stdout, secret)
				return err
			})
		}}
	where.addFlags(c)
	c.Flags().DurationVar(&grace, "grace", access.DefaultGrace, "how long the old secret stays valid")
	return c
}

func newKeyAllowCmd(a *app) *cobra.Command {
	var where keyOptions
	var hourly, monthly int64
	c := &cobra.Command{Use: "allow ID", Short: "Set a bespoke allowance without changing the plan", Args: cli.Exactly(1),
		Long: "Set a bespoke allowance of a key without changing its plan. An allowance that is not\ngiven stays as it is; 0 goes back to the plan's. Without flags both go back.\n\n" + cli.ExitHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withKeys(cmd.Context(), a, where, func(s *access.Store) error {
				key, err := s.Get(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				h, m := key.Hourly, key.Monthly
				none := !cmd.Flags().Changed("hourly") && !cmd.Flags().Changed("monthly")
				if none || cmd.Flags().Changed("hourly") {
					h = bespoke(hourly)
				}
				if none || cmd.Flags().Changed("monthly") {
					m = bespoke(monthly)
				}
				if err := s.Allow(cmd.Context(), key.ID, h, m); err != nil {
					return err
				}
				key.Hourly, key.Monthly = h, m
				perHour, perMonth := allowed(key)
				_, err = fmt.Fprintf(a.stdout, "%s may make %d calls an hour and %s a month\n", key.ID, perHour, capOf(perMonth))
				return err
			})
		}}
	where.addFlags(c)
	c.Flags().Int64Var(&hourly, "hourly", 0, "calls per hour; 0 = the plan's")
	c.Flags().Int64Var(&monthly, "monthly", 0, "calls per calendar month; 0 = the plan's")
	return c
}

// bespoke returns an allowance; nil is the plan's own.
func bespoke(calls int64) *int64 {
	if calls == 0 {
		return nil
	}
	return &calls
}
