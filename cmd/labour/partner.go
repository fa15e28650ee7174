package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve"
	"labour/serve/access"
	"labour/serve/signin"
	"labour/serve/state"
	"labour/serve/web/dashboard"
)

func newPartnerCmd(a *app) *cobra.Command {
	grant := access.DefaultGrant()
	return cli.Group("partner", "Manage partners",
		cli.Command("create NAME", "Make a partner, without keys yet", cli.Exactly(1), keyOptions{}, a.createPartner),
		cli.Command("list", "List the partners with their keys, webhooks and calls of this month", cli.Exactly(0), partnerListOptions{}, a.listPartners),
		cli.Command("invite NAME", "Make a one-time link with which a partner signs in to its pages", cli.Exactly(1), inviteOptions{}, a.invite),
		cli.Command("grant NAME", "Say what a partner may choose for the keys that it makes itself", cli.Exactly(1), grantOptions{Plan: string(grant.Plan), Keys: grant.Keys}, a.grantPartner),
		cli.Command("revoke NAME", "Revoke every key of a partner at once, and shut it out of its pages", cli.Exactly(1), keyOptions{}, a.revokePartner))
}

type partnerListOptions struct {
	keyOptions
	cli.JSONFlag
}

func (a *app) createPartner(ctx context.Context, o *keyOptions, args []string) error {
	return withKeys(ctx, a, *o, func(s *access.Store) error {
		p, err := s.CreatePartner(ctx, args[0])
		if err != nil {
			return err
		}
		return a.say("%s\n", p.ID)
	})
}

func (a *app) listPartners(ctx context.Context, o *partnerListOptions, _ []string) error {
	return withKeys(ctx, a, o.keyOptions, func(s *access.Store) error {
		partners, err := s.Partners(ctx)
		if err != nil {
			return err
		}
		partners = append([]access.PartnerSummary{}, partners...) // [] for none
		return a.show(o.JSON, "partners", partners)
	})
}

func (a *app) revokePartner(ctx context.Context, o *keyOptions, args []string) error {
	return withKeys(ctx, a, *o, func(s *access.Store) error {
		n, err := s.RevokePartner(ctx, args[0])
		if err != nil {
			return err
		}
		return a.say("keys revoked: %d\n", n)
	})
}

// inviteOptions are the flags of `labour partner invite`.
type inviteOptions struct {
	keyOptions
	Address string `flag:"email" usage:"e-mail address to which the partner may have further links mailed"`
	Mail    bool   `flag:"mail" usage:"mail the link to --email instead of printing it"`
}

func (a *app) invite(ctx context.Context, o *inviteOptions, args []string) error {
	name := args[0]
	base, set, err := a.base()
	if err != nil {
		return err
	}
	if o.Mail && o.Address == "" {
		return cli.Usage(errors.New("--mail needs --email: where to?"))
	}
	return a.withState(ctx, o.keyOptions, func(db *state.DB, keys *access.Store) error {
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
		if o.Address != "" {
			if err := links.AddAddress(ctx, partner, o.Address); err != nil {
				return err
			}
		}
		token, until, err := links.Invite(ctx, partner)
		if err != nil {
			return err
		}
		link := dashboard.Link(base, token)
		if o.Mail {
			return a.mailLink(ctx, o.Address, link, until)
		}
		fmt.Fprintf(a.stderr, "%s signs in with this link, once, until %s:\n", name, until.Format(time.RFC3339))
		return a.say("%s\n", link)
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

type grantOptions struct {
	keyOptions
	Plan   string   `flag:"plan" usage:"largest plan: evaluation, standard or partner"`
	Scopes []string `flag:"scope" usage:"scope beside labour:read, repeatable; all = every scope"`
	Keys   int      `flag:"keys" usage:"keys that may be usable in one calendar month"`
}

func (a *app) grantPartner(ctx context.Context, o *grantOptions, args []string) error {
	return withKeys(ctx, a, o.keyOptions, func(s *access.Store) error {
		id, err := s.PartnerNamed(ctx, args[0])
		if err != nil {
			return err
		}
		return s.SetGrant(ctx, id, access.Grant{Plan: access.Plan(o.Plan), Scopes: parseScopes(o.Scopes), Keys: o.Keys})
	})
}

// withState opens the state database for one command.
func (a *app) withState(ctx context.Context, k keyOptions, do func(*state.DB, *access.Store) error) (err error) {
	if k.State == "" {
		if _, err := openData(k.Data); err != nil {
			return err
		}
	}
	db, err := state.Open(ctx, stateAddress(k.Data, k.State))
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
