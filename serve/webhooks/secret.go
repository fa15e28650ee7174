package webhooks

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Key encrypts signing secrets; ParseKey makes one. It never shows itself in a
// message: a function is hidden also where it is part of something else that is
// printed, when Format is not asked.
type Key struct{ bytes func() [keyBytes]byte }

const keyBytes = 32

// ParseKey reads a key of 32 bytes, in base64 or hexadecimal; white space around
// it is left out. `openssl rand -base64 32` makes one.
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	for _, decode := range []func(string) ([]byte, error){hex.DecodeString, base64.StdEncoding.DecodeString, base64.RawURLEncoding.DecodeString} {
		if b, err := decode(text); err == nil && len(b) == keyBytes {
			return Key{func() [keyBytes]byte { return [keyBytes]byte(b) }}, nil
		}
	}
	return Key{}, errors.New("the key of the webhook secrets is not 32 bytes in base64 or hexadecimal")
}

// Format keeps the key out of every message, whatever the verb.
func (Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "(secret)") }

// name tells keys apart without showing anything of them.
func (k Key) name() string {
	bytes := k.bytes()
	sum := sha256.Sum256(append([]byte("labour webhook key "), bytes[:]...))
	return hex.EncodeToString(sum[:4])
}

func (k Key) cipher() (cipher.AEAD, error) {
	bytes := k.bytes()
	block, err := aes.NewCipher(bytes[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// The forms in which a secret is stored.
const (
	plainForm  = "plain:"
	sealedForm = "sealed:" // then the name of the key, a colon, and base64
)

// ErrNoSecretKey is returned for a secret that none of the operator's keys opens.
var ErrNoSecretKey = errors.New("a webhook secret is encrypted with a key that was not given")

// vault seals with the first key and opens with any.
type vault struct{ keys []Key }

func (v vault) seal(endpoint, secret string) (string, error) {
	if len(v.keys) == 0 {
		return plainForm + secret, nil
	}
	key := v.keys[0]
	aead, err := key.cipher()
	if err != nil {
		return "", err
	}
	box := aead.Seal(nil, nil, []byte(secret), []byte(endpoint))
	return sealedForm + key.name() + ":" + base64.StdEncoding.EncodeToString(box), nil
}

// open is the secret, and whether it is stored as seal would store it now.
func (v vault) open(endpoint, stored string) (secret string, current bool, err error) {
	if secret, ok := strings.CutPrefix(stored, plainForm); ok {
		return secret, len(v.keys) == 0, nil
	}
	sealed, ok := strings.CutPrefix(stored, sealedForm)
	name, text, found := strings.Cut(sealed, ":")
	if !ok || !found {
		return "", false, errors.New("a webhook secret is stored in an unknown form")
	}
	for i, key := range v.keys {
		if key.name() != name {
			continue
		}
		secret, err := key.open(endpoint, text)
		return secret, i == 0, err
	}
	return "", false, ErrNoSecretKey
}

func (k Key) open(endpoint, text string) (string, error) {
	box, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", fmt.Errorf("a webhook secret is damaged: %w", err)
	}
	aead, err := k.cipher()
	if err != nil {
		return "", err
	}
	secret, err := aead.Open(nil, nil, box, []byte(endpoint))
	if err != nil {
		return "", fmt.Errorf("a webhook secret is damaged or belongs to another endpoint: %w", err)
	}
	return string(secret), nil
}

// newSecret is 32 random bytes in the form of the Standard Webhooks.
func newSecret(random io.Reader) (string, error) {
	b := make([]byte, 32)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("make a webhook secret: %w", err)
	}
	return "whsec_" + base64.StdEncoding.EncodeToString(b), nil
}
