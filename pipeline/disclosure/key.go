package disclosure

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
)

// SecretBytes is the length of the operator's secret.
const SecretBytes = 32

// Secret determines whether a count is rounded up or down. Anybody with the secret and the ids of
// the people can undo the rounding.
type Secret [SecretBytes]byte

// ParseSecret reads a secret in its stored form: 64 hexadecimal digits.
func ParseSecret(text string) (s Secret, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != SecretBytes {
		return s, errors.New("the secret of people must be 64 hexadecimal digits, which are 32 bytes")
	}
	return Secret(b), nil
}

// SHA256 returns the hash that identifies the secret in a manifest, in hexadecimal digits.
func (s Secret) SHA256() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// Key is a number from 0 (inclusive) to 1 (exclusive), in units of 2^-64. Keys are added modulo 1.
// "A cell's key is the sum of the record keys of the people in it, modulo 1".
type Key uint64

// Keys computes the keys of records. It must be used by one goroutine at a time.
type Keys struct {
	mac hash.Hash
	sum []byte
}

// Keys returns a Keys for the secret.
func (s Secret) Keys() *Keys { return &Keys{mac: hmac.New(sha256.New, s[:])} }

// Of returns the key of a record: the first 8 bytes, big-endian, of HMAC-SHA-256 over the scope, a
// zero byte and the record's id. The scope is a skill in counts of people by skill, empty for
// residents, and the measure for section 106 sites.
func (k *Keys) Of(scope, id string) Key {
	k.mac.Reset()
	k.mac.Write([]byte(scope))
	k.mac.Write([]byte{0})
	k.mac.Write([]byte(id))
	k.sum = k.mac.Sum(k.sum[:0])
	return Key(binary.BigEndian.Uint64(k.sum))
}
