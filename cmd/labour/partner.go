package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"labour/cmd/internal/cli"
	"labour/serve/partners/access"
	"labour/serve/partners/dashboard"
	"labour/serve/partners/mail"
	"labour/serve/stores"
)

type partnerListOptions struct {
	keyOptions
	cli.JSONFlag
}

func (a *app) createPartner(ctx context.Context, s *stores.Stores, _ *keyOptions, args []string) error {
	p, err := s.Keys.CreatePartner(ctx, args[0])
	if err != nil {
		return err
	}
	return a.say("%s\n", p.ID)
}

func (a *app) listPartners(ctx context.Context, s *stores.Stores, o *partnerListOptions, _ []string) error {
	partners, err := s.Keys.Partners(ctx)
	if err != nil {
		return err
	}
	return a.show(o.JSON, "partners", append([]access.PartnerSummary{}, partners...)) // an empty list prints as []
}

func (a *app) revokePartner(ctx context.Context, s *stores.Stores, _ *keyOptions, args []string) error {
	n, err := s.Keys.RevokePartner(ctx, args[0])
	if err != nil {
		return err
	}
	return a.say("keys revoked: %d\n", n)
}

type inviteOptions struct {
	keyOptions
	Address  string `flag:"email" usage:"e-mail address to which the partner may have further links mailed"`
	SendMail bool   `flag:"mail" usage:"mail the link to --email instead of printing it"`
}

func (a *app) invite(ctx context.Context, s *stores.Stores, o *inviteOptions, args []string) error {
	base, set, err := a.base()
	if err != nil {
		return err
	}
	mailer, err := o.mailer(a) // before a partner is created
	if err != nil {
		return err
	}
	id, err := a.partnerToInvite(ctx, s, args[0])
	if err == nil && !set {
		base, err = s.PublicAddress(ctx, initialBase)
	}
	if err == nil && o.Address != "" {
		err = s.Signin.AddAddress(ctx, id, o.Address)
	}
	if err != nil {
		return err
	}
	token, until, err := s.Signin.CreateInvitation(ctx, id)
	if err != nil {
		return err
	}
	link := dashboard.SignInLink(base, token)
	if mailer != nil {
		return mailer.SendLink(ctx, o.Address, link, until)
	}
	fmt.Fprintf(a.stderr, "%s signs in with this link, once, until %s:\n", args[0], until.Format(time.RFC3339))
	return a.say("%s\n", link)
}

// mailer returns the sender that mails a partner's sign-in link, or nil without the flag --mail.
func (o *inviteOptions) mailer(a *app) (*mail.Sender, error) {
	if !o.SendMail {
		return nil, nil
	}
	if o.Address == "" {
		return nil, cli.NewUsageError(errors.New("--mail needs an address: give it with --email"))
	}
	mailer, _, err := a.linkMailer()
	if err == nil && mailer == nil {
		err = cli.NewUsageError(fmt.Errorf(
			"%s is not set, so nothing can be mailed; leave out --mail and hand the link over", smtpHost))
	}
	return mailer, err
}

// partnerToInvite returns the ID of the partner with a name. It creates the partner if there is none.
func (a *app) partnerToInvite(ctx context.Context, s *stores.Stores, name string) (id string, err error) {
	made, err := s.Keys.CreatePartner(ctx, name)
	if errors.Is(err, access.ErrPartnerExists) {
		return s.Keys.PartnerID(ctx, name)
	}
	if err == nil {
		fmt.Fprintf(a.stderr, "partner %s is new and was created\n", name)
	}
	return made.ID, err
}

type grantOptions struct {
	keyOptions
	Plan    string   `flag:"plan" usage:"largest plan: evaluation, standard or partner"`
	Scopes  []string `flag:"scope" usage:"scope in addition to labour:read, repeatable; all = every scope"`
	MaxKeys int      `flag:"keys" usage:"keys that may be usable in one calendar month"`
}

func (a *app) grantPartner(ctx context.Context, s *stores.Stores, o *grantOptions, args []string) error {
	id, err := s.Keys.PartnerID(ctx, args[0])
	if err != nil {
		return err
	}
	return s.Keys.SetGrant(ctx, id, access.Grant{Plan: access.Plan(o.Plan), Scopes: parseScopes(o.Scopes),
		Keys: o.MaxKeys})
}
