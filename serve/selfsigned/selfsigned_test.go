package selfsigned

import (
	"crypto/rand"
	"crypto/x509"
	"testing"
	"time"
)

func TestACertificateOfThisMachine(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	made, err := Certificate(rand.Reader, now, "labour", 7)
	if err != nil {
		t.Fatal(err)
	}
	c := made.Leaf
	if c.Subject.CommonName != "labour" || c.SerialNumber.Int64() != 7 || !c.NotBefore.Equal(now.Add(-time.Hour)) ||
		!c.NotAfter.Equal(now.AddDate(1, 0, 0)) || !c.IsCA {
		t.Errorf("%+v", c.Subject)
	}
	roots := x509.NewCertPool()
	roots.AddCert(c)
	for host, good := range map[string]bool{"127.0.0.1": true, "127.0.0.2": false, "localhost": false} {
		_, err := c.Verify(x509.VerifyOptions{DNSName: host, Roots: roots, CurrentTime: now})
		if (err == nil) != good {
			t.Errorf("for %s: %v", host, err)
		}
	}
}
