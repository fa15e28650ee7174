// Package certtest makes certificates for tests that use TLS on loopback.
package certtest

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"time"

	"labour/serve"
)

// Write makes a self-signed certificate for 127.0.0.1 with a serial number, valid for a year, and
// writes it and its key to two PEM files.
func Write(certFile, keyFile string, serial int64) (tls.Certificate, error) {
	pair, err := serve.SelfSigned(rand.Reader, time.Now(), "test", serial)
	if err != nil {
		return pair, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	return pair, errors.Join(err,
		os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}), 0o600),
		os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
}
