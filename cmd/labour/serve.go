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

	"labour/cmd/internal/cli"
	"labour/pipeline/coding/occupation"
	"labour/pipeline/verify"
	"labour/serve"
	"labour/serve/metrics"
	"labour/serve/partners/dashboard"
	"labour/serve/query"
	"labour/serve/state"
	"labour/serve/stores"
	"labour/serve/web"
	"labour/serve/webhooks"
	"labour/snapshots"
	"labour/snapshots/signature"
	"labour/snapshots/store"
)

// watchEvery is how often the server looks for a newly promoted snapshot.
const watchEvery = 2 * time.Second

// serveOptions holds the flags of `labour serve`, and settings that only the sandbox uses.
type serveOptions struct {
	keyOptions
	AllowLoopbackWebhooks bool          `flag:"webhooks-allow-loopback" usage:"let webhooks go to this machine, also to http://127.0.0.1, for trying out"`
	Contact               string        `flag:"contact" usage:"contact for visitors, an e-mail address or https:// link; shown on the pages and in security.txt"`
	Addr                  string        `flag:"addr" default:"127.0.0.1:8080" usage:"address to listen on"`
	AdminAddr             string        `flag:"admin-addr" usage:"private address for the operator, which serves /metrics for Prometheus (default: none)"`
	MaxQueries            int           `flag:"max-queries" least:"0" usage:"queries that may run at once; further ones wait a second and then get 503 (default 16)"`
	QueryTimeout          time.Duration `flag:"query-timeout" least:"0s" usage:"time limit of a query, after which the call gets 504 (default 5s)"`
	PublicKey             string        `flag:"public-key" usage:"file of a public key; only snapshots with its signature are served"`
	AddressRate           float64       `flag:"address-rate" usage:"calls per second from one address without a valid key, up to 30 seconds' worth at once; negative = no limit (default 10)"`
	TrustedProxies        []string      `flag:"trusted-proxy" split:"," usage:"network of trusted proxies, such as 10.0.0.0/8, whose X-Forwarded-For and X-Forwarded-Proto are used; this machine is always trusted"`
	tlsOptions

	signatureCheck check
	madeUp         bool // true if the pages must state that the data are made up
	proxies        []netip.Prefix
	admin          net.Listener // listener on which /metrics is served for the operator; nil = none
	// authorities trusted for the certificates of webhook receivers; nil = the system's
	roots *x509.CertPool
	// function that is called before the server's first response; nil = none
	beforeServing func(context.Context, *service) error
}

func (a *app) startServer(ctx context.Context, o *serveOptions, _ []string) (err error) {
	key, err := publicKey(o.PublicKey)
	if err != nil {
		return err
	}
	o.signatureCheck = verifier(key)
	for _, text := range o.TrustedProxies {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return cli.NewUsageError(fmt.Errorf("--trusted-proxy: %w", err))
		}
		o.proxies = append(o.proxies, network)
	}
	if o.Contact != "" && !strings.Contains(o.Contact, "@") && !strings.HasPrefix(o.Contact, "https://") {
		return cli.NewUsageError(fmt.Errorf("--contact %s is neither an e-mail address nor an https:// link", o.Contact))
	}
	if _, _, err := a.base(); err != nil {
		return err
	}
	return a.listenAndServe(ctx, *o)
}

func (a *app) serve(ctx context.Context, listener net.Listener, o serveOptions) (err error) {
	defer listener.Close() // in case nothing serves on it
	if o.admin != nil {
		defer o.admin.Close()
	}
	log := slog.New(slog.NewJSONHandler(a.stderr, nil))
	secured, err := o.tlsOptions.config(log)
	if err != nil {
		return err
	}
	s, err := a.newService(ctx, o, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.stores.StorePublicAddress(ctx, wildcardHosts.Replace(addressOf(listener, o.tlsOptions))); err != nil {
		return err
	}
	if o.beforeServing != nil {
		if err := o.beforeServing(ctx, s); err != nil {
			return err
		}
	}
	if o.admin != nil {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", s.metrics.Handler())
		defer serveExtra(ctx, serve.Server{Handler: mux, Log: log}, o.admin)()
	}
	return serve.Server{Handler: s.handler, Log: log, TLS: secured}.Run(ctx, listener)
}

// service is a server without its network listener. It has the HTTP handler, the stores and the
// background work.
type service struct {
	handler http.Handler
	metrics *metrics.Metrics
	stores  *stores.Stores
	hooks   *webhooks.Service
	live    *query.SnapshotSource
	stop    context.CancelFunc
	running sync.WaitGroup
}

// newService opens the state database, loads the current snapshot and starts the server's
// background work. Call close to stop that work.
func (a *app) newService(ctx context.Context, o serveOptions, log *slog.Logger) (*service, error) {
	keys, err := a.webhookKeys(log)
	if err != nil {
		return nil, err
	}
	mailer, base, err := a.linkMailer()
	if err != nil {
		return nil, err
	}
	store, err := openData(o.Data)
	if err != nil {
		return nil, err
	}
	stores, err := stores.Open(ctx, stateAddress(o.Data, o.State), a.now, a.random, log)
	if err != nil {
		return nil, err
	}
	hooks, err := stores.OpenWebhooks(ctx, keys, o.AllowLoopbackWebhooks, o.roots)
	if err != nil {
		return nil, errors.Join(err, stores.Close())
	}
	s := &service{stores: stores, hooks: hooks,
		live: query.NewSnapshotSource(store, a.now, log, query.Options{VerifyDirectory: o.signatureCheck})}
	if err := s.live.Reload(ctx); err != nil {
		// The readiness endpoint reports it, and the next promoted snapshot is mounted.
		log.Error("no snapshot could be mounted", "error", err)
	}
	var linkMails *dashboard.SignInMailQueue
	if mailer != nil {
		linkMails = dashboard.NewSignInMailQueue(stores.Signin, mailer, base, log)
	}
	if err := a.route(s, store, linkMails, o, log); err != nil {
		return nil, errors.Join(err, s.live.Close(), stores.Close())
	}
	s.start(ctx, store, linkMails, log)
	return s, nil
}

// route sets the HTTP handler of s. The handler serves the API and the pages, and counts requests.
// store has the snapshots, and linkMails is the queue of mails with sign-in links.
func (a *app) route(s *service, store *store.Store, linkMails *dashboard.SignInMailQueue, o serveOptions,
	log *slog.Logger) error {
	key, err := publicKey(o.PublicKey)
	if err != nil {
		return err
	}
	base, set, err := a.base()
	if err != nil {
		return err
	}
	if !set {
		base = "" // pages then use the address of the request
	}
	s.metrics = metrics.New(metrics.MeasuredState{Snapshots: s.live, PendingDeliveries: s.hooks.CountPendingDeliveries,
		Now: a.now}, log)
	m := s.stores
	handler, err := serve.New(serve.Options{Snapshots: s.live, Authenticator: m.Keys, RequestCounter: m.RequestCounter,
		Cursors:  m.Cursors,
		Webhooks: s.hooks, Metrics: s.metrics, CheckStateDatabase: m.CheckWritable, RequestsPerAddress: o.AddressRate,
		TrustedProxies: o.proxies,
		MaxQueries:     o.MaxQueries, QueryTimeout: o.QueryTimeout,
		Pages: func(inside serve.PageBackend) (http.Handler, error) {
			return web.New(web.Options{Snapshots: s.live, Backend: inside, Cursors: m.Cursors, Store: store,
				CheckSignature: signatureCheck(store, key), Now: a.now, Log: log, ChangeLog: serve.APIChanges(),
				OperatorContact: o.Contact,
				PublicURL:       base, MadeUp: o.madeUp, OccupationOfTitle: occupationOfTitle,
				Dashboard: &dashboard.Options{Keys: m.Keys, Signin: m.Signin, Usage: m.UsageReader, Webhooks: s.hooks,
					LinkMails: linkMails, Now: a.now, Log: log}})
		},
		Now: a.now, RandomSource: a.random, Log: log})
	if err != nil {
		return err
	}
	s.handler = s.metrics.CountRequestsInFlight(handler)
	return nil
}

// start starts the server's background work, which runs until close is called. The work does not
// stop when ctx ends, because calls that are still running then must be counted.
func (s *service) start(ctx context.Context, store *store.Store, linkMails *dashboard.SignInMailQueue,
	log *slog.Logger) {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.running.Go(func() { s.stores.Run(running) })
	if linkMails != nil {
		s.running.Go(func() { linkMails.Run(running) })
	}
	s.running.Go(func() {
		if err := s.hooks.Run(running); err != nil {
			log.Error("webhooks", "error", err)
		}
	})
	s.running.Go(func() { s.live.Watch(running, watchEvery) })
	s.running.Go(func() { s.stores.NewAnnouncer(store, s.hooks, s.live.CurrentID).Run(running, watchEvery) })
}

// close stops the background work and closes the stores. Stop the HTTP server first.
func (s *service) close() error {
	s.stop()
	s.running.Wait()
	return errors.Join(s.live.Close(), s.stores.Close())
}

// openData opens the snapshots of a data directory. It returns a usage error if the directory does
// not exist.
func openData(dir string) (*store.Store, error) {
	if info, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, cli.NewUsageError(
			fmt.Errorf("there is no data directory %s; name it with --data, or make it with labour run or labour snapshot "+
				"pull", dir))
	}
	_, err := os.Stat(snapshots.SnapshotsDir(dir))
	if err := ofAnotherUser(dir, err); err != nil {
		return nil, err
	}
	return store.Open(dir)
}

// ofAnotherUser explains a permission error on a data directory, which usually means that another
// user owns the directory. It returns nil if err is not a permission error.
func ofAnotherUser(dir string, err error) error {
	if !errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return cli.NewUsageError(
		fmt.Errorf("%w: the data directory is another user's; run both as one user, or give it to this one: chown -R %d %s",
			err, os.Getuid(), dir))
}

// stateAddress returns the address of the state database. That is the value of the flag --state or,
// if it is empty, a file in the data directory.
func stateAddress(data, flag string) string {
	if flag != "" {
		return flag
	}
	return filepath.Join(data, state.DatabaseFileName)
}

// webhookKey is the environment variable with the encryption keys for webhook signing secrets.
const webhookKey = "LABOUR_WEBHOOK_KEY"

// webhookKeys returns the encryption keys for webhook signing secrets, from the environment. If no
// key is configured, it logs a warning and returns none. A key that is not valid is an error.
func (a *app) webhookKeys(log *slog.Logger) ([]webhooks.EncryptionKey, error) {
	text, err := a.readSecret(webhookKey)
	if err != nil {
		return nil, err
	}
	var keys []webhooks.EncryptionKey
	for _, one := range strings.Fields(text) {
		key, err := webhooks.ParseEncryptionKey(one)
		if err != nil {
			return nil, cli.NewUsageError(fmt.Errorf("%s: %w", webhookKey, err))
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		log.Warn("signing secrets of webhooks are stored plainly; set " + webhookKey + " to encrypt them")
	}
	return keys, nil
}

// check is a function that checks a snapshot before it is served. It returns an error if the
// snapshot in dir must not be served.
type check func(ctx context.Context, dir string) error

// publicKey reads a public key that verifies snapshots. It returns nil if file is empty.
func publicKey(file string) (*signature.Verifier, error) {
	if file == "" {
		return nil, nil
	}
	key, err := signature.ReadVerifier(file)
	if err != nil {
		return nil, cli.NewUsageError(err)
	}
	return key, nil
}

// verifier returns a check that refuses a snapshot whose files have changed since it was sealed. If
// key is not nil, the snapshot must also be signed with that key. To save time, the check does not
// read the rows of the large tables of adverts.
func verifier(key *signature.Verifier) check {
	return func(ctx context.Context, dir string) error {
		report, err := verify.VerifyDir(ctx, dir, verify.Options{PublicKey: key, SkipLargeTableRows: true})
		if err != nil {
			return err
		}
		return report.Err()
	}
}

// signatureCheck returns a function that verifies the signature of a snapshot in store with key. It
// returns nil if key is nil.
func signatureCheck(store *store.Store, key *signature.Verifier) func(snapshots.ID) error {
	if key == nil {
		return nil
	}
	return func(id snapshots.ID) error {
		sums, noSums := os.ReadFile(snapshots.JoinPath(store.SnapshotDir(id), snapshots.SumsFileName))
		signed, unsigned := os.ReadFile(snapshots.JoinPath(store.SnapshotDir(id), snapshots.SignatureFileName))
		if err := errors.Join(noSums, unsigned); err != nil {
			return err
		}
		return key.Verify(id, sums, signed)
	}
}

// jobTitles returns the register of job titles with their occupations. The first call loads it.
var jobTitles = sync.OnceValues(occupation.Load)

// occupationOfTitle returns the SOC 2020 unit group of a job title, such as "2136". ok is false if
// the title is not known, or if the register of job titles cannot be loaded.
func occupationOfTitle(title string) (soc string, ok bool) {
	register, err := jobTitles()
	if err != nil {
		return "", false
	}
	return register.UnitGroupOfTitle(title)
}
