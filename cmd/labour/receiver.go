package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"labour/serve/api"
	"labour/serve/selfsigned"
	"labour/serve/webhooks"
)

// receiver is an HTTP server that receives the sandbox's webhook messages. It prints each message,
// and whether its signature is valid.
type receiver struct {
	out      io.Writer
	listener net.Listener
	cert     tls.Certificate
	roots    *x509.CertPool // certificate pool that has only the certificate of this receiver

	// verifier of signatures; nil until the webhook endpoint is created
	secret atomic.Pointer[standardwebhooks.Webhook]
}

const receiverNote = "receiver of the sandbox"

const maxMessage = 64 << 10

// newReceiver returns a webhook receiver on a free loopback port. Its certificate is self-signed.
func (a *app) newReceiver() (*receiver, error) {
	cert, err := selfsigned.Certificate(a.random, a.now(), receiverNote, 1)
	if err != nil {
		return nil, fmt.Errorf("receiver: %w", err)
	}
	r := &receiver{out: a.stdout, cert: cert, roots: x509.NewCertPool()}
	r.roots.AddCert(cert.Leaf)
	if r.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("receiver: %w", err)
	}
	return r, nil
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxMessage))
	secret := r.secret.Load()
	if err != nil || secret == nil {
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	verdict := "signature verified"
	if err := secret.Verify(body, request.Header); err != nil {
		verdict = "SIGNATURE NOT GOOD: " + err.Error()
		w.WriteHeader(http.StatusBadRequest)
	} else {
		w.WriteHeader(http.StatusNoContent)
	}
	fmt.Fprintf(r.out, "webhook received, %s: %s\n", verdict, strings.TrimSpace(string(body)))
}

// subscribe creates a webhook endpoint that sends the events of a partner to this receiver, and
// sends a test message to it. First it deletes the endpoints of earlier sandboxes. hooks manages
// the endpoints.
func (r *receiver) subscribe(ctx context.Context, hooks *webhooks.Service, partner string) error {
	old, err := hooks.ListEndpoints(ctx, partner)
	if err != nil {
		return err
	}
	for _, e := range old {
		if e.Description == receiverNote {
			err = errors.Join(err, hooks.DeleteEndpoint(ctx, partner, e.ID))
		}
	}
	if err != nil {
		return err
	}
	e, secret, err := hooks.CreateEndpoint(ctx, partner,
		api.NewWebhook{URL: "https://" + r.listener.Addr().String() + "/events", Description: new(receiverNote)})
	if err != nil {
		return err
	}
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return errors.New("the signing secret of the sandbox cannot be used") // the error may quote the secret
	}
	r.secret.Store(verifier)
	_, err = hooks.SendTest(ctx, partner, e.ID)
	return err
}
