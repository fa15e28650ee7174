package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve/access"
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
		_, err = fmt.Fprintln(a.stdout, p.ID)
		return err
	})
}

func (a *app) listPartners(ctx context.Context, o *partnerListOptions, _ []string) error {
	return withKeys(ctx, a, o.keyOptions, func(s *access.Store) error {
		partners, err := s.Partners(ctx)
		if err != nil {
			return err
		}
		return printPartners(a, partners, o.JSON)
	})
}

func printPartners(a *app, partners []access.PartnerSummary, asJSON bool) error {
	if asJSON {
		return cli.PrintJSON(a.stdout, append([]access.PartnerSummary{}, partners...)) // [] for none
	}
	t := cli.Table(a.stdout, "ID\tNAME\tKEYS\tWEBHOOKS\tCALLS THIS MONTH\tLAST USED")
	for _, l := range partners {
		used := "never"
		if l.LastUsedAt != nil {
			used = l.LastUsedAt.Format(time.RFC3339)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\n", l.ID, l.Name, l.Keys, l.Endpoints, l.MonthCalls, used)
	}
	return t.Flush()
}

func (a *app) revokePartner(ctx context.Context, o *keyOptions, args []string) error {
	return withKeys(ctx, a, *o, func(s *access.Store) error {
		n, err := s.RevokePartner(ctx, args[0])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.stdout, "keys revoked: %d\n", n)
		return err
	})
}
