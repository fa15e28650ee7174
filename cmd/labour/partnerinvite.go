package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve"
	"labour/serve/access"
	"labour/serve/signin"
	"labour/serve/state"
	"labour/serve/web/dashboard"
)

// inviteOptions are the flags of `labour partner invite`.
type inviteOptions struct {
	where   keyOptions
	address string
	mail    bool
}

func newPartnerInviteCmd(a *app) *cobra.Command {
	var o inviteOptions
	c := &cobra.Command{Use: "invite NAME", Short: "Make a one-time link with which a partner signs in to its pages", Args: cli.Exactly(1),
		Long: "Make a one-time link with which a partner signs in to its pages, and print it. It is\nvalid for 48 hours. The partner is made when it is new. Without LABOUR_PUBLIC_URL, the\nlink begins with the address that the server on this state database listened on last.\n\n" + mailHelp + "\n\n" + cli.ExitHelp,
		RunE: func(cmd *cobra.Command, args []string) error { return a.invite(cmd.Context(), o, args[0]) }}
	o.where.addFlags(c)
	c.Flags().StringVar(&o.address, "email", "", "e-mail address to which the partner may have further links mailed")
	c.Flags().BoolVar(&o.mail, "mail", false, "mail the link to --email instead of printing it")
	return c
}

func (a *app) invite(ctx context.Context, o inviteOptions, name string) error {
	base, set, err := a.base()
	if err != nil {
		return err
	}
	if o.mail && o.address == "" {
		return cli.Usage(errors.New("--mail needs --email: where to?"))
	}
	return a.withState(ctx, o.where, func(db *state.DB, keys *access.Store) error {
		partner, err := partnerOf(ctx, keys, name)
		if err != nil {
			return err
		}
		if !set {
			if base, err = serve.ReachedAt(ctx, db, initialBase); err != nil {
				return err
			}
		}
		links := signin.New(db, a.now, a.random)
		if o.address != "" {
			if err := links.AddAddress(ctx, partner, o.address); err != nil {
				return err
			}
		}
		token, until, err := links.Invite(ctx, partner)
		if err != nil {
			return err
		}
		link := dashboard.Link(base, token)
		if o.mail {
			return a.mailLink(ctx, o.address, link, until)
		}
		fmt.Fprintf(a.stderr, "%s signs in with this link, once, until %s:\n", name, until.Format(time.RFC3339))
		_, err = fmt.Fprintln(a.stdout, link)
		return err
	})
}

// partnerOf is the id of a partner, which is made when it is new.
func partnerOf(ctx context.Context, keys *access.Store, name string) (string, error) {
	made, err := keys.CreatePartner(ctx, name)
	if errors.Is(err, access.ErrPartnerExists) {
		return keys.PartnerNamed(ctx, name)
	}
	return made.ID, err
}

func newPartnerGrantCmd(a *app) *cobra.Command {
	var where keyOptions
	var plan string
	var scopes []string
	initial := access.DefaultGrant()
	n := initial.Keys
	c := &cobra.Command{Use: "grant NAME", Short: "Say what a partner may choose for the keys that it makes itself", Args: cli.Exactly(1),
		Long: "Say what a partner may choose for the keys that it makes on its pages: any plan up to\nthis one, any of these scopes beside labour:read, and so many keys in a calendar month.\nWhat is left out goes back to the smallest. Keys that it has stay as they are.\n\n" + cli.ExitHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withKeys(cmd.Context(), a, where, func(s *access.Store) error {
				id, err := s.PartnerNamed(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return s.SetGrant(cmd.Context(), id, access.Grant{Plan: access.Plan(plan), Scopes: parseScopes(scopes), Keys: n})
			})
		}}
	where.addFlags(c)
	c.Flags().StringVar(&plan, "plan", string(initial.Plan), "largest plan: evaluation, standard or partner")
	c.Flags().StringArrayVar(&scopes, "scope", nil, "scope beside labour:read, repeatable; all = every scope")
	c.Flags().IntVar(&n, "keys", initial.Keys, "keys that may be usable in one calendar month")
	return c
}

// withState opens the state database for one command.
func (a *app) withState(ctx context.Context, k keyOptions, do func(*state.DB, *access.Store) error) (err error) {
	if err := os.MkdirAll(k.data, 0o755); err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	db, err := state.Open(ctx, stateAddress(k.data, k.state))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	keys, err := access.New(ctx, db, a.now, a.random)
	if err != nil {
		return err
	}
	return do(db, keys)
}
