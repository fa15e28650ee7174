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

// RoundingSecret is the operator's secret key for rounding. The secret decides whether a count of people
// is rounded up or down. With the secret and the ids of the people, anybody could undo the
// rounding.
type RoundingSecret [RoundingSecretSize]byte

// ParseSecret parses a secret written as 64 hexadecimal digits. It returns an error for any other
// text.
func ParseSecret(text string) (s RoundingSecret, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != RoundingSecretSize {
		return s, errors.New("the secret of people must be 64 hexadecimal digits, which are 32 bytes")
	}
	return RoundingSecret(b), nil
}

// SHA256 returns the hash of the secret in hexadecimal digits. A manifest contains it to show which
// secret was used.
func (s RoundingSecret) SHA256() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// RoundingKey is a pseudorandom fraction from 0 to 1 (exclusive), in units of 2^-64. It decides whether a
// count of people is rounded up or down. Each record has a key; the key of a count is the sum of
// its records' keys, modulo 1.
type RoundingKey uint64

// RoundingKeys computes the random keys that decide how counts of people are rounded. It must be used by
// one goroutine at a time.
type RoundingKeys struct {
	mac hash.Hash
	sum []byte
}

// NewRoundingKeys returns a RoundingKeys that derives the keys of records from the secret s.
func (s RoundingSecret) NewRoundingKeys() *RoundingKeys {
	return &RoundingKeys{mac: hmac.New(sha256.New, s[:])}
}

// KeyOf returns the key of a record. The key is the first 8 bytes, big-endian, of the HMAC-SHA-256
// of the scope, a zero byte and the record's id. The scope keeps tables apart. It is a skill, ""
// for residents, or "s106/" and the counted measure for section 106 sites.
func (k *RoundingKeys) KeyOf(scope, id string) RoundingKey {
	k.mac.Reset()
	k.mac.Write([]byte(scope))
	k.mac.Write([]byte{0})
	k.mac.Write([]byte(id))
	k.sum = k.mac.Sum(k.sum[:0])
	return RoundingKey(binary.BigEndian.Uint64(k.sum))
}
