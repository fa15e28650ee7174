package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve/partners/access"
	"labour/serve/stores"
)

type (
	keyOptions struct {
		cli.DataFlag
		State string `flag:"state" usage:"state database: the path of a file, or postgres://… which several servers share (default <data>/state.db)"`
	}
	createOptions struct {
		keyOptions
		Partner  string        `flag:"partner" required:"" usage:"name of the partner"`
		Label    string        `flag:"label" usage:"purpose of the key"`
		Plan     string        `flag:"plan" usage:"evaluation, standard or partner"`
		Scopes   []string      `flag:"scope" usage:"scope in addition to labour:read, repeatable; all = every scope"`
		Lifetime time.Duration `flag:"expires-in" least:"0s" usage:"time after which the key is refused, such as 720h (default: never)"`
	}
	keyListOptions struct {
		keyOptions
		cli.JSONFlag
		Partner string `flag:"partner" usage:"only the keys of this partner"`
	}
	rotateOptions struct {
		keyOptions
		GracePeriod time.Duration `flag:"grace" least:"0s" usage:"how long the old secret stays valid, at most 168h"`
	}
)

// database returns the flags that locate the state database. Types that embed keyOptions inherit
// this method.
func (o *keyOptions) database() *keyOptions { return o }

// stateCmd returns a command that takes n arguments and works on the state database. The command
// opens the database, calls run and closes the database. The other parameters are those of
// cli.NewCommand.
func stateCmd[O any, P interface {
	*O
	database() *keyOptions
}](a *app, use, short string, n int, options O,
	run func(ctx context.Context, s *stores.Stores, o *O, args []string) error) *cobra.Command {
	return cli.NewCommand(use, short, cli.ExactArgs(n), options, func(ctx context.Context, o *O,
		args []string) (err error) {
		s, err := a.openState(ctx, P(o).database())
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.Close()) }()
		return withHint(run(ctx, s, o, args))
	})
}

// withHint adds a hint to an error about an unknown or expired key, or an unknown partner: a
// command that helps, such as the one that lists all keys. It returns other errors unchanged.
func withHint(err error) error {
	switch {
	case errors.Is(err, access.ErrNoKey):
		return fmt.Errorf("%w; labour key list shows the keys", err)
	case errors.Is(err, access.ErrNoPartner):
		return fmt.Errorf("%w; labour partner list shows the partners", err)
	case errors.Is(err, access.ErrKeyExpired):
		return fmt.Errorf("%w; make a new key with labour key create, since no command extends an expiry", err)
	case errors.Is(err, access.ErrKeyRevoked):
		return fmt.Errorf("%w; make a new key with labour key create", err)
	}
	return err
}

func (a *app) openState(ctx context.Context, o *keyOptions) (*stores.Stores, error) {
	if o.State == "" {
		if _, err := openData(o.Data); err != nil {
			return nil, err
		}
	}
	return stores.Open(ctx, stateAddress(o.Data, o.State), a.now, a.random, a.log())
}

func (a *app) createKey(ctx context.Context, s *stores.Stores, o *createOptions, _ []string) error {
	n := access.KeyRequest{Partner: o.Partner, Label: o.Label, Plan: access.Plan(o.Plan), Scopes: parseScopes(o.Scopes)}
	if o.Lifetime != 0 {
		n.ExpiresAt = new(a.now().Add(o.Lifetime))
	}
	key, secret, err := s.Keys.CreateKey(ctx, n)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "Key %s of %s, plan %s. The secret is shown once:\n", key.ID, o.Partner, key.Plan)
	return a.say("%s\n", secret)
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

// keyLine is one line in the output of `labour key list`: an API key and its limits.
type keyLine struct {
	ID      string `json:"id"`
	Partner string `json:"partner"`
	Label   string `json:"label"`
	// prefix and last four characters of the key's secret
	Secret string      `json:"secret"`
	Plan   access.Plan `json:"plan"`
	Hourly int64       `json:"hourly_calls"`
	// largest number of calls in a month; null = no limit
	Monthly *int64 `json:"monthly_calls"`
	// true if a limit of the key differs from the limit of its plan
	HasOwnLimit bool           `json:"bespoke"`
	Scopes      []access.Scope `json:"scopes"`
	CreatedAt   time.Time      `json:"created_at"`
	LastUsedAt  *time.Time     `json:"last_used_at"`
	ExpiresAt   *time.Time     `json:"expires_at"`
	RevokedAt   *time.Time     `json:"revoked_at"`
	// secrets that rotations replaced and that are still valid
	OldSecrets []access.OldSecret `json:"old_secrets"`
	State      string             `json:"-"` // state of the key: live, revoked or expired
}

func (a *app) listKeys(ctx context.Context, s *stores.Stores, o *keyListOptions, _ []string) error {
	keys, err := s.Keys.ListKeys(ctx, o.Partner)
	if err != nil {
		return err
	}
	old, err := s.Keys.OldSecrets(ctx, "")
	if err != nil {
		return err
	}
	byKey := map[string][]access.OldSecret{}
	for _, secret := range old {
		byKey[secret.KeyID] = append(byKey[secret.KeyID], secret)
	}
	lines := make([]keyLine, 0, len(keys))
	for _, k := range keys {
		line := a.lineOfKey(k)
		line.OldSecrets = append([]access.OldSecret{}, byKey[k.ID]...) // an empty list prints as []
		lines = append(lines, line)
	}
	return a.show(o.JSON, "keys", lines)
}

// lineOfKey returns the line that describes a key. The caller must set OldSecrets in the result.
func (a *app) lineOfKey(k access.Key) keyLine {
	may, state := k.Allowance(), "live"
	if k.RevokedAt != nil {
		state = "revoked"
	} else if !k.IsUsable(a.now()) {
		state = "expired"
	}
	return keyLine{ID: k.ID, Partner: k.PartnerName, Label: k.Label,
		Secret: k.Prefix + "…" + k.LastFour, Plan: k.Plan,
		Hourly: may.Hourly, Monthly: unlessZero(may.Monthly), HasOwnLimit: k.Hourly != nil || k.Monthly != nil,
		Scopes:    k.Scopes,
		CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt,
		State: state}
}

func unlessZero(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

func (a *app) revokeKey(ctx context.Context, s *stores.Stores, _ *keyOptions, args []string) error {
	if err := s.Keys.RevokeKey(ctx, args[0]); err != nil {
		return err
	}
	if err := a.say("%s is revoked\n", args[0]); err != nil {
		return err
	}
	return a.noteWebhooks(ctx, s, args[0])
}

// noteWebhooks prints the webhook endpoints of the partner who owns the key keyID. They receive
// events even without the key. If the key was lost, somebody who found it may have registered one
// of them.
func (a *app) noteWebhooks(ctx context.Context, s *stores.Stores, keyID string) error {
	key, err := s.Keys.FindKey(ctx, keyID)
	if err != nil {
		return err
	}
	endpoints, err := s.Keys.ReceivingEndpoints(ctx, key.PartnerID)
	if err != nil || len(endpoints) == 0 {
		return err
	}
	receive := "receive"
	if len(endpoints) == 1 {
		receive = "receives"
	}
	fmt.Fprintf(a.stderr, "%s has %s that %s its events, with or without this key:\n", key.PartnerName,
		count(len(endpoints), "webhook endpoint"), receive)
	for _, e := range endpoints {
		fmt.Fprintf(a.stderr, "  %s %q\n", e.ID, e.URL)
	}
	fmt.Fprintf(a.stderr, "If the key was lost, ask the partner to check them and to delete each that it does not "+
		"know; labour partner revoke %q ends all of them\n", key.PartnerName)
	return nil
}

func (a *app) rotateKey(ctx context.Context, s *stores.Stores, o *rotateOptions, args []string) error {
	secret, err := s.Keys.RotateKey(ctx, args[0], o.GracePeriod)
	if errors.Is(err, access.ErrGraceRange) {
		return cli.NewUsageError(err)
	}
	if err != nil {
		return err
	}
	if err := a.say("%s\n", secret); err != nil {
		return err
	}
	old, err := s.Keys.OldSecrets(ctx, args[0])
	if err != nil {
		return err
	}
	for _, secret := range old {
		until := secret.ValidUntil.Format(time.RFC3339)
		fmt.Fprintf(a.stderr, "The old secret …%s stays valid until %s\n", secret.LastFour, until)
	}
	if len(old) == 0 {
		fmt.Fprintln(a.stderr, "Old secrets are refused from now on")
	}
	return a.noteWebhooks(ctx, s, args[0])
}

type changeOptions struct {
	keyOptions
	Plan   string   `flag:"plan" usage:"evaluation, standard or partner (default: as it is)"`
	Scopes []string `flag:"scope" usage:"scope in addition to labour:read, repeatable; all = every scope (default: as they are)"`
}

func (a *app) changeKey(ctx context.Context, s *stores.Stores, o *changeOptions, args []string) error {
	if o.Plan == "" && len(o.Scopes) == 0 {
		return cli.NewUsageError(errors.New("give --plan or --scope"))
	}
	if err := s.Keys.ChangeKeyPlanAndScopes(ctx, args[0], access.Plan(o.Plan), parseScopes(o.Scopes)); err != nil {
		return err
	}
	key, err := s.Keys.FindKey(ctx, args[0])
	if err != nil {
		return err
	}
	return a.say("%s is on the plan %s with the scopes %s\n", key.ID, key.Plan,
		strings.Trim(fmt.Sprint(key.Scopes), "[]"))
}

type allowOptions struct {
	keyOptions
	Hourly  int `flag:"hourly" least:"0" usage:"calls per hour; 0 = the plan's"`
	Monthly int `flag:"monthly" least:"0" usage:"calls per calendar month; 0 = the plan's"`
}

func newKeyAllowCmd(a *app) (c *cobra.Command) {
	c = stateCmd(a, "allow ID", "Set a bespoke allowance without changing the plan", 1, allowOptions{},
		func(ctx context.Context, s *stores.Stores, o *allowOptions, args []string) error {
			key, err := s.Keys.FindKey(ctx, args[0])
			if err != nil {
				return err
			}
			hourly, monthly := c.Flags().Changed("hourly"), c.Flags().Changed("monthly")
			if hourly || !monthly {
				key.Hourly = unlessZero(int64(o.Hourly))
			}
			if monthly || !hourly {
				key.Monthly = unlessZero(int64(o.Monthly))
			}
			if err := s.Keys.SetKeyLimits(ctx, key.ID, key.Hourly, key.Monthly); err != nil {
				return err
			}
			may, perMonth := key.Allowance(), "no limit"
			if may.Monthly > 0 {
				perMonth = fmt.Sprint(may.Monthly)
			}
			return a.say("%s may make %d calls an hour and %s a month\n", key.ID, may.Hourly, perMonth)
		})
	return c
}
