package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
)

// notifyEnv names who is told that a run failed: an https:// address that takes JSON, or
// mailto: and an e-mail address. It may be a secret, so it is no flag.
const notifyEnv = "LABOUR_NOTIFY"

const notifyTimeout = 30 * time.Second

func newNotifyCmd(a *app) *cobra.Command {
	return cli.Command("notify MESSAGE", "Tell the operator something, as run --notify does: to try it, and for units that fail", cli.Exactly(1), struct{}{},
		func(ctx context.Context, _ *struct{}, args []string) error {
			send, err := a.notifier()
			if err != nil {
				return err
			}
			return send(ctx, args[0])
		})
}

// notifier returns what tells the operator; it is checked before it is needed.
func (a *app) notifier() (func(ctx context.Context, text string) error, error) {
	to, err := a.readSecret(notifyEnv)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(to)
	switch {
	case err == nil && u.Scheme == "https" && u.Host != "", err == nil && u.Scheme == "http" && net.ParseIP(u.Hostname()).IsLoopback():
		return func(ctx context.Context, text string) error { return post(ctx, to, text) }, nil
	case err == nil && u.Scheme == "mailto" && strings.Contains(u.Opaque, "@"):
		box, err := a.mailer()
		if err == nil && box == nil {
			err = cli.Usage(fmt.Errorf("%s is not set, so nothing can be mailed", smtpHost))
		}
		return func(ctx context.Context, text string) error {
			return box.Send(ctx, u.Opaque, "labour needs attention", text+"\n")
		}, err
	}
	return nil, cli.Usage(fmt.Errorf("set %s to an https:// address or to mailto: and an e-mail address", notifyEnv))
}

// post sends the text as JSON. No error holds the address, which may be a secret.
func post(ctx context.Context, to, text string) error {
	body, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, notifyTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s is no address", notifyEnv)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("%s could not be reached", notifyEnv)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s answered with status %d", notifyEnv, response.StatusCode)
	}
	return nil
}

// notified does the work and, where it ends badly, tells the operator, also when it was
// interrupted.
func (a *app) notified(ctx context.Context, name string, work func() error) error {
	send, err := a.notifier()
	if err != nil {
		return err
	}
	err = work()
	if status := exitStatus(err); status != cli.ExitDone {
		host, _ := os.Hostname()
		if failed := send(context.WithoutCancel(ctx), fmt.Sprintf("%s on %s ended with status %d: %v", name, host, status, err)); failed != nil {
			fmt.Fprintln(a.stderr, "labour: nobody was told:", failed)
		}
	}
	return err
}
