package disclosure

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
)

// RoundingSecretSize is the length of a RoundingSecret in bytes.
const RoundingSecretSize = 32

// RoundingSecret is the operator's secret for rounding counts of people. It decides whether a count
// is rounded up or down. Anybody who has it and the ids of the people can undo the rounding.
type RoundingSecret [RoundingSecretSize]byte

// ParseSecret parses a secret of 64 hexadecimal digits. Any other text is an error.
func ParseSecret(text string) (s RoundingSecret, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != RoundingSecretSize {
		return s, errors.New("the secret of people must be 64 hexadecimal digits, which are 32 bytes")
	}
	return RoundingSecret(b), nil
}

// SHA256 returns the hash of the secret in hexadecimal. The manifest of a snapshot shows it, so
// that readers notice a change of the secret.
func (s RoundingSecret) SHA256() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// RoundingKey decides whether a count of people is rounded up or down. It is a pseudorandom
// fraction from 0 to 1 (exclusive), in units of 2^-64. Each person has a key. The key of a count is
// the sum of the keys of its people, modulo 1.
type RoundingKey uint64

// RoundingKeys computes the random keys of people. They decide how counts of people are rounded.
// Only one goroutine may use it at a time.
type RoundingKeys struct {
	mac hash.Hash
	sum []byte
}

// PeopleKeyScope is the scope with which RoundingKeys.KeyOf computes the keys of people, for all
// tables and all skills. The same people are therefore rounded equally everywhere. If the key
// depended on the skill, ten skills that are always asked for together would show ten random
// roundings of the same count.
const PeopleKeyScope = ""

// NewRoundingKeys returns a RoundingKeys that computes keys with the secret s.
func (s RoundingSecret) NewRoundingKeys() *RoundingKeys {
	return &RoundingKeys{mac: hmac.New(sha256.New, s[:])}
}

// KeyOf returns the random key of a person or site. The key is the first 8 bytes of the
// HMAC-SHA-256 of the scope, a zero byte and the id. The scope is PeopleKeyScope, or "s106/" and
// the counted measure for section 106 sites.
func (k *RoundingKeys) KeyOf(scope, id string) RoundingKey {
	k.mac.Reset()
	k.mac.Write([]byte(scope))
	k.mac.Write([]byte{0})
	k.mac.Write([]byte(id))
	k.sum = k.mac.Sum(k.sum[:0])
	return RoundingKey(binary.BigEndian.Uint64(k.sum))
}
