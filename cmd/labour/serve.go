package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve"
	"labour/serve/metrics"
	"labour/serve/query"
	"labour/serve/state"
	"labour/serve/web"
	"labour/serve/web/dashboard"
	"labour/serve/webhooks"
	"labour/snapshots"
	"labour/snapshots/signature"
	"labour/snapshots/verify"
)

// watchEvery is how often the server looks whether another snapshot was promoted.
const watchEvery = 2 * time.Second

func newServeCmd(a *app) *cobra.Command {
	var o serveOptions
	var addr, adminAddr string
	var proxies []string
	c := &cobra.Command{
		Use: "serve", Short: "Answer the interface from the current snapshot", Args: cli.Exactly(0),
		Long: "Answer the interface from the current snapshot. A newly promoted snapshot is\ntaken up without a failed request. The server reads snapshots/, partners/ and\nstate.db and nothing else of the data directory.\n\n" +
			"LABOUR_WEBHOOK_KEY, or a file that LABOUR_WEBHOOK_KEY_FILE names, holds the key that\nencrypts the signing secrets of webhooks: 32 bytes in base64 or hexadecimal. To\nrotate, set it to `NEW OLD`, restart, then remove OLD. Without a key they are stored\nplainly.\n\n" + mailHelp + "\n\n" + cli.ExitHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.verified, err = verifier(o.publicKey); err != nil {
				return err
			}
			for _, text := range proxies {
				network, err := netip.ParsePrefix(text)
				if err != nil {
					return cli.Usage(fmt.Errorf("--trusted-proxy: %w", err))
				}
				o.proxies = append(o.proxies, network)
			}
			return a.listenAndServe(cmd.Context(), addr, adminAddr, o)
		},
	}
	c.Flags().StringVar(&o.data, "data", "data", "data directory")
	addStateFlag(c, &o.state)
	c.Flags().BoolVar(&o.loopback, "webhooks-allow-loopback", false, "let webhooks go to this machine, for trying out")
	c.Flags().StringVar(&o.contact, "contact", "", "how visitors reach you, an e-mail address or https:// link; it stands on the pages and in security.txt")
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address to listen on")
	c.Flags().StringVar(&adminAddr, "admin-addr", "", "address of the operator alone, where /metrics is for Prometheus; empty = none")
	c.Flags().StringVar(&o.tls.cert, "tls-cert", "", "file of a certificate with its chain (PEM); the server then speaks TLS, and takes up a renewed one by itself")
	c.Flags().StringVar(&o.tls.key, "tls-key", "", "file of the certificate's key (PEM)")
	c.Flags().IntVar(&o.maxQueries, "max-queries", 0, "queries that may run at once; more wait a second and are then 503 (default 16)")
	c.Flags().DurationVar(&o.deadline, "query-timeout", 0, "time of a query after which it is interrupted and 504 (default 5s)")
	c.Flags().StringVar(&o.publicKey, "public-key", "", "file of a public key; only snapshots with its signature are served")
	c.Flags().Float64Var(&o.addressRate, "address-rate", 0, "calls a second that one address may make without a valid key, 30 seconds of them at once; negative = any number (default 10)")
	c.Flags().StringSliceVar(&proxies, "trusted-proxy", nil, "network of a proxy, such as 10.0.0.0/8, whose X-Forwarded-For is believed; one on this machine is always")
	return c
}

// serveOptions is what a server answers from.
type serveOptions struct {
	data      string
	state     string // address of the state database; empty = the file in data
	loopback  bool   // webhooks may go to this machine
	verified  check
	publicKey string // file; empty = signatures are not asked for
	contact   string // of the operator, for the pages; empty = not said

	addressRate float64 // see serve.Options
	proxies     []netip.Prefix

	tls   tlsOptions
	admin net.Listener // where the operator reads /metrics; nil = nowhere

	roots *x509.CertPool                        // whose certificates of receivers are believed; nil = the system's
	began func(context.Context, *service) error // called before the first answer; nil = nothing to do

	maxQueries int           // 0 = the interface's default
	deadline   time.Duration // of a query; 0 = the interface's default
}

// addStateFlag adds the flag that names the state database.
func addStateFlag(c *cobra.Command, address *string) {
	c.Flags().StringVar(address, "state", "", "state database: the path of a file, or postgres://… which several servers share (default <data>/"+state.FileName+")")
}

// serve answers on listener until ctx ends.
func (a *app) serve(ctx context.Context, listener net.Listener, o serveOptions) (err error) {
	log := slog.New(slog.NewJSONHandler(a.stderr, nil))
	secured, err := o.tls.config(log)
	if err != nil {
		return errors.Join(err, o.close(listener))
	}
	s, err := a.newService(ctx, o, log)
	if err != nil {
		return errors.Join(err, o.close(listener))
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.memory.Reached(ctx, everywhere.Replace(addressOf(listener, o.tls))); err != nil {
		return errors.Join(err, o.close(listener))
	}
	if o.began != nil {
		if err := o.began(ctx, s); err != nil {
			return errors.Join(err, o.close(listener))
		}
	}
	if o.admin != nil {
		stop := serveAdmin(ctx, o.admin, s.metrics.Handler(), log)
		defer stop()
	}
	return serve.Server{Handler: s.handler, Log: log, TLS: secured}.Run(ctx, listener)
}

// service is the interface with what it stands on.
type service struct {
	handler http.Handler
	metrics *metrics.Metrics
	memory  *serve.Stores
	hooks   *webhooks.Service
	live    *query.Live
	stop    context.CancelFunc
	running sync.WaitGroup
}

// newService opens the state, mounts the current snapshot and starts what runs
// beside the answers, until close.
func (a *app) newService(ctx context.Context, o serveOptions, log *slog.Logger) (*service, error) {
	keys, err := a.webhookKeys(log)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(o.data); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, cli.Usage(fmt.Errorf("there is no data directory %s; name it with --data, or make it with labour run or labour snapshot pull", o.data))
	}
	store, err := snapshots.Open(o.data)
	if err != nil {
		return nil, err
	}
	memory, err := serve.OpenStores(ctx, stateAddress(o.data, o.state), a.now, a.random, log)
	if err != nil {
		return nil, err
	}
	hooks, err := memory.OpenWebhooks(ctx, keys, o.loopback, o.roots)
	if err != nil {
		return nil, errors.Join(err, memory.Close())
	}
	s := &service{memory: memory, hooks: hooks, live: query.NewLive(store, a.now, log, query.Options{Verify: o.verified})}
	if err := s.live.Reload(ctx); err != nil {
		// Readiness says so, and the next promoted snapshot is taken up.
		log.Error("no snapshot could be mounted", "error", err)
	}
	outbox, err := a.outbox(memory.Signin, log)
	if err == nil {
		err = a.route(s, store, outbox, o, log)
	}
	if err != nil {
		return nil, errors.Join(err, s.live.Close(), memory.Close())
	}
	s.start(ctx, store, outbox, log)
	return s, nil
}

// route makes the handler: the interface and the pages, with what watches and keeps
// them.
func (a *app) route(s *service, store *snapshots.Store, outbox *dashboard.Outbox, o serveOptions, log *slog.Logger) error {
	signed, err := signatureCheck(store, o.publicKey)
	if err != nil {
		return err
	}
	s.metrics = metrics.New(metrics.State{Live: s.live, Backlog: s.hooks.Backlog, Now: a.now}, log)
	m := s.memory
	handler, err := serve.New(serve.Options{Live: s.live, Access: m.Keys, Meter: m.Calls, Cursors: m.Cursors,
		Webhooks: s.hooks, Instrumentation: s.metrics, CheckState: m.Check, AddressRate: o.addressRate, Proxies: o.proxies, Tally: m.Tally, MaxQueries: o.maxQueries, QueryDeadline: o.deadline,
		Pages: func(inside serve.Inside) (http.Handler, error) {
			return web.New(web.Options{Live: s.live, Inside: inside, Cursors: m.Cursors, Store: store, Verify: signed, Now: a.now, Log: log, Changes: serve.Changes(), Contact: o.contact,
				Partners: &dashboard.Options{Keys: m.Keys, Signin: m.Signin, Tally: m.Tally, Webhooks: s.hooks, Outbox: outbox, Now: a.now, Log: log}})
		},
		Now: a.now, Random: a.random, Log: log})
	if err != nil {
		return err
	}
	s.handler = s.metrics.InFlight(handler)
	return nil
}

// start starts what runs beside calls. It is not ended by ctx: calls that are still
// running when that ends must be counted.
func (s *service) start(ctx context.Context, store *snapshots.Store, outbox *dashboard.Outbox, log *slog.Logger) {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.running.Go(func() { s.memory.Run(running) })
	if outbox != nil {
		s.running.Go(func() { outbox.Run(running) })
	}
	s.running.Go(func() {
		if err := s.hooks.Run(running); err != nil {
			log.Error("webhooks", "error", err)
		}
	})
	s.running.Go(func() { s.live.Watch(running, watchEvery) })
	s.running.Go(func() { s.memory.Announcer(store, s.hooks, s.live.Current).Run(running, watchEvery) })
}

// close ends what runs beside the answers. The server must have stopped.
func (s *service) close() error {
	s.stop()
	s.running.Wait()
	return errors.Join(s.live.Close(), s.memory.Close())
}

// stateAddress is the state database that a flag names, else the file in the data
// directory.
func stateAddress(data, flag string) string {
	if flag != "" {
		return flag
	}
	return filepath.Join(data, state.FileName)
}

// webhookKey is the name in the environment of the keys of the webhook secrets.
const webhookKey = "LABOUR_WEBHOOK_KEY"

// webhookKeys are the keys that encrypt the signing secrets, see webhooks.Options.
// Keys that are named and cannot be read are an error, since without them the
// secrets would be stored plainly.
func (a *app) webhookKeys(log *slog.Logger) ([]webhooks.Key, error) {
	text, err := a.readSecret(webhookKey)
	if err != nil {
		return nil, err
	}
	var keys []webhooks.Key
	for _, one := range strings.Fields(text) {
		key, err := webhooks.ParseKey(one)
		if err != nil {
			return nil, cli.Usage(fmt.Errorf("%s: %w", webhookKey, err))
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		log.Warn("signing secrets of webhooks are stored plainly; set " + webhookKey + " to encrypt them")
	}
	return keys, nil
}

// check refuses a snapshot's directory.
type check func(ctx context.Context, dir string) error

// verifier refuses a snapshot that is not what was sealed or, where the file of a
// public key is given, not what the key's owner signed. The rows of cells were read by
// whoever sealed it.
func verifier(publicKey string) (check, error) {
	options, err := verifyOptions(publicKey)
	options = append(options, verify.TrustCells())
	return func(ctx context.Context, dir string) error {
		report, err := verify.Dir(ctx, dir, options...)
		if err != nil {
			return err
		}
		return report.Err()
	}, err
}

// signatureCheck checks the signature of one snapshot; nil where no key is named.
func signatureCheck(store *snapshots.Store, publicKey string) (func(snapshots.ID) error, error) {
	if publicKey == "" {
		return nil, nil
	}
	key, err := signature.ReadVerifier(publicKey)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return func(id snapshots.ID) error {
		sums, err := os.ReadFile(snapshots.Within(store.Dir(id), snapshots.SumsName))
		if err != nil {
			return err
		}
		signed, err := os.ReadFile(snapshots.Within(store.Dir(id), snapshots.SignatureName))
		if err != nil {
			return err
		}
		return key.Check(id, sums, signed)
	}, nil
}

// verifyOptions asks for the signature of a public key, where its file is given.
func verifyOptions(publicKey string) ([]verify.Option, error) {
	if publicKey == "" {
		return nil, nil
	}
	key, err := signature.ReadVerifier(publicKey)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return []verify.Option{verify.SignedBy(key)}, nil
}
