package webhooks

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"labour/serve/state"
)

// EncryptionKey is a key with which the operator encrypts the signing secrets of webhooks. It is
// printed as "(secret)".
type EncryptionKey struct {
	name string // text that identifies the key and discloses nothing about it
	aead cipher.AEAD
}

const keyBytes = 32

// ParseEncryptionKey reads an encryption key: 32 bytes in base64 or hexadecimal. The command
// "openssl rand -base64 32" makes such a key.
func ParseEncryptionKey(text string) (EncryptionKey, error) {
	text = strings.TrimSpace(text)
	for _, decode := range []func(string) ([]byte, error){hex.DecodeString, base64.StdEncoding.DecodeString,
		base64.RawURLEncoding.DecodeString} {
		b, err := decode(text)
		if err != nil || len(b) != keyBytes {
			continue
		}
		block, err := aes.NewCipher(b)
		if err != nil {
			return EncryptionKey{}, err
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		sum := sha256.Sum256(append([]byte("labour webhook key "), b...))
		return EncryptionKey{hex.EncodeToString(sum[:4]), aead}, err
	}
	return EncryptionKey{}, errors.New("the key of the webhook secrets is not 32 bytes in base64 or hexadecimal")
}

// Format prints "(secret)" instead of the key. It implements fmt.Formatter.
func (EncryptionKey) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "(secret)") }

// plainForm and sealedForm are prefixes of stored signing secrets. They show whether a secret is in
// plain text or encrypted.
const (
	plainForm = "plain:" // prefix of a secret in plain text
	// sealedForm is the prefix of an encrypted secret. After it come the name of the key, a colon
	// and the encrypted secret in base64.
	sealedForm = "sealed:"
)

// ErrNoDecryptionKey means that a stored signing secret was encrypted with a key that is not
// configured.
var ErrNoDecryptionKey = errors.New("a webhook secret is encrypted with a key that was not given")

// vault encrypts and decrypts signing secrets. It encrypts with its first key and decrypts with any
// of its keys.
type vault struct{ keys []EncryptionKey }

func (v vault) seal(endpoint, secret string) string {
	if len(v.keys) == 0 {
		return plainForm + secret
	}
	box := v.keys[0].aead.Seal(nil, nil, []byte(secret), []byte(endpoint))
	return sealedForm + v.keys[0].name + ":" + base64.StdEncoding.EncodeToString(box)
}

// open decrypts the stored signing secret of an endpoint. endpoint is the endpoint's id. isCurrent
// is true if the secret is encrypted with the first key. Without keys, it is true if the secret is
// stored in plain text.
func (v vault) open(endpoint, stored string) (secret string, isCurrent bool, err error) {
	if secret, ok := strings.CutPrefix(stored, plainForm); ok {
		return secret, len(v.keys) == 0, nil
	}
	sealed, ok := strings.CutPrefix(stored, sealedForm)
	name, text, found := strings.Cut(sealed, ":")
	if !ok || !found {
		return "", false, errors.New("a webhook secret is stored in an unknown form")
	}
	i := slices.IndexFunc(v.keys, func(k EncryptionKey) bool { return k.name == name })
	if i < 0 {
		return "", false, ErrNoDecryptionKey
	}
	box, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		box, err = v.keys[i].aead.Open(nil, nil, box, []byte(endpoint))
	}
	if err != nil {
		return "", false, fmt.Errorf("a webhook secret is damaged or belongs to another endpoint: %w", err)
	}
	return string(box), i == 0, nil
}

// newSecret returns a new signing secret in the format of Standard Webhooks: "whsec_" and 32 random
// bytes in base64.
func newSecret(random io.Reader) (string, error) {
	b := make([]byte, 32)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("make a webhook secret: %w", err)
	}
	return "whsec_" + base64.StdEncoding.EncodeToString(b), nil
}

// maxSecrets is the largest number of valid signing secrets of one endpoint. Each message is signed
// with all of them. An endpoint has more than two only if it was rotated again within a grace
// period.
const maxSecrets = 4

// DefaultSigningGracePeriod and MaxSigningGracePeriod are how long an old signing secret stays valid
// after a rotation.
const (
	// DefaultSigningGracePeriod is how long an old signing secret stays valid after a rotation if
	// the partner chooses no period.
	DefaultSigningGracePeriod = 24 * time.Hour
	// MaxSigningGracePeriod is the longest time for which a partner can keep an old signing secret
	// valid after a rotation.
	MaxSigningGracePeriod = 7 * 24 * time.Hour
)

func (s *Service) addSecret(ctx context.Context, tx *sql.Tx, endpoint, secret string) error {
	id, err := s.newID("whs_")
	if err != nil {
		return err
	}
	return state.ExecAll(ctx, tx, state.NewBoundStatement(statement("add_secret"), id, endpoint,
		s.vault.seal(endpoint, secret),
		state.UnixSeconds(s.now())))
}

type storedSecret struct{ id, endpoint, text string }

func scanSecret(scan func(...any) error) (one storedSecret, err error) {
	err = scan(&one.id, &one.endpoint, &one.text)
	return one, err
}

// validSecrets returns the valid signing secrets of an endpoint, the newest first. Messages are
// signed with all of them.
func (s *Service) validSecrets(ctx context.Context, endpoint string) (secrets []string, err error) {
	defer state.WrapError(&err, "read the secrets of endpoint %s", endpoint)
	stored, err := state.QueryAll(ctx, s.db, statement("live_secrets"), scanSecret, endpoint, state.UnixSeconds(s.now()))
	if err != nil {
		return nil, err
	}
	for _, one := range stored {
		secret, _, err := s.vault.open(endpoint, one.text)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, secret)
	}
	if len(secrets) == 0 {
		return nil, errors.New("it has none")
	}
	return secrets, nil
}

// reseal encrypts all stored signing secrets with the first key, unless they already are. It
// returns ErrNoDecryptionKey if no key can decrypt a secret. It logs other errors and continues
// with the next secret.
func (s *Service) reseal(ctx context.Context) error {
	stored, err := state.QueryAll(ctx, s.db, statement("all_secrets"), scanSecret)
	if err != nil {
		return err
	}
	for _, one := range stored {
		secret, current, err := s.vault.open(one.endpoint, one.text)
		if err == nil && !current {
			err = state.ExecAll(ctx, s.db, state.NewBoundStatement(statement("replace_secret"),
				s.vault.seal(one.endpoint, secret),
				one.id, one.text))
		}
		if errors.Is(err, ErrNoDecryptionKey) {
			return err // probably the cause for all of them
		}
		if err != nil { // concerns only this one; the others must be processed
			s.log.Error("a webhook secret cannot be used; rotate it", "endpoint", one.endpoint, "error", err)
		}
	}
	return nil
}
