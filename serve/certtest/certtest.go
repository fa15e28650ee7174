// Package certtest makes TLS certificates for tests with servers on 127.0.0.1.
package certtest

import (
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"time"

	"labour/serve/selfsigned"
)

// WriteCertificate makes a self-signed certificate for 127.0.0.1 that is valid for one year and has
// the given serial number. It writes the certificate and its private key to two PEM files and
// returns both.
func WriteCertificate(certFile, keyFile string, serial int64) (tls.Certificate, error) {
	pair, err := selfsigned.Certificate(rand.Reader, time.Now(), "test", serial)
	if err != nil {
		return pair, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	return pair, errors.Join(err,
		os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}), 0o600),
		os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
}
