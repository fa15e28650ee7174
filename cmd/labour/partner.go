package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve/access"
)

func newPartnerCmd(a *app) *cobra.Command {
	return cli.Group("partner", "Manage partners", newPartnerCreateCmd(a), newPartnerListCmd(a), newPartnerInviteCmd(a), newPartnerGrantCmd(a), newPartnerRevokeCmd(a))
}

func newPartnerCreateCmd(a *app) *cobra.Command {
	var where keyOptions
	c := &cobra.Command{Use: "create NAME", Short: "Make a partner, without keys yet", Args: cli.Exactly(1),
		Long: "Make a partner, without keys yet. Its name is that by which the platform's feed\nsays whose an event is, so spell both alike.\n\n" + cli.ExitHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withKeys(cmd.Context(), a, where, func(s *access.Store) error {
				p, err := s.CreatePartner(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(a.stdout, p.ID)
				return err
			})
		}}
	where.addFlags(c)
	return c
}

type partnerLine struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	CreatedAt  time.Time  `json:"created_at"`
	Keys       int        `json:"keys"`        // that may be used now
	Endpoints  int        `json:"endpoints"`   // of webhooks
	MonthCalls int64      `json:"month_calls"` // in this calendar month
	LastUsedAt *time.Time `json:"last_used_at"`
}

func newPartnerListCmd(a *app) *cobra.Command {
	var where keyOptions
	var asJSON bool
	c := &cobra.Command{Use: "list", Short: "List the partners with their keys, webhooks and calls of this month", Args: cli.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withKeys(cmd.Context(), a, where, func(s *access.Store) error {
				partners, err := s.Partners(cmd.Context())
				if err != nil {
					return err
				}
				return printPartners(a, partners, asJSON)
			})
		}}
	where.addFlags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

func printPartners(a *app, partners []access.PartnerSummary, asJSON bool) error {
	lines := make([]partnerLine, 0, len(partners))
	for _, p := range partners {
		lines = append(lines, partnerLine(p))
	}
	if asJSON {
		return cli.PrintJSON(a.stdout, lines)
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tNAME\tKEYS\tWEBHOOKS\tCALLS THIS MONTH\tLAST USED")
	for _, l := range lines {
		used := "never"
		if l.LastUsedAt != nil {
			used = l.LastUsedAt.Format(time.RFC3339)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\n", l.ID, l.Name, l.Keys, l.Endpoints, l.MonthCalls, used)
	}
	return t.Flush()
}

func newPartnerRevokeCmd(a *app) *cobra.Command {
	var where keyOptions
	c := &cobra.Command{Use: "revoke NAME", Short: "Revoke every key of a partner at once, and shut it out of its pages", Args: cli.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withKeys(cmd.Context(), a, where, func(s *access.Store) error {
				n, err := s.RevokePartner(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(a.stdout, "keys revoked: %d\n", n)
				return err
			})
		}}
	where.addFlags(c)
	return c
}
