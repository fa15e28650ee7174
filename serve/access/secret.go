package access

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// Mode tells a key for real use from one that the sandbox made for its made-up data.
type Mode string

// The modes of a key.
const (
	Live Mode = "live"
	Test Mode = "test"
)

// ErrMalformed is returned for a text that is no secret of this service: a wrong
// prefix, length, character or checksum.
var ErrMalformed = errors.New("not a secret of this service")

const (
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	randomChars = 32
	checkChars  = 6
)

// prefix begins every secret of a mode, so that a person and a scanner of
// source code see what it is.
func (m Mode) prefix() string { return "lmk_" + string(m) + "_" }

// newSecret makes a secret: the mode's prefix, 32 base62 characters of
// randomness (190 bits) and 6 base62 characters of CRC-32 over what comes before.
func newSecret(m Mode, random io.Reader) (string, error) {
	var b strings.Builder
	b.WriteString(m.prefix())
	one := make([]byte, 1)
	for n := 0; n < randomChars; {
		if _, err := io.ReadFull(random, one); err != nil {
			return "", fmt.Errorf("make a secret: %w", err)
		}
		// 248 is the largest multiple of 62 in a byte; the rest is drawn again,
		// so that every character is as likely as any other.
		if one[0] < 248 {
			b.WriteByte(base62[one[0]%62])
			n++
		}
	}
	return b.String() + checksum(b.String()), nil
}

// checksum is the CRC-32 (IEEE) of s in 6 base62 characters, highest first.
func checksum(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	out := make([]byte, checkChars)
	for i := checkChars - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return string(out)
}

// parseSecret refuses what cannot be a secret before the database is asked.
func parseSecret(s string) (Mode, error) {
	for _, m := range []Mode{Live, Test} {
		rest, ok := strings.CutPrefix(s, m.prefix())
		if !ok || len(rest) != randomChars+checkChars {
			continue
		}
		for i := range len(rest) {
			if strings.IndexByte(base62, rest[i]) < 0 {
				return "", ErrMalformed
			}
		}
		if checksum(s[:len(s)-checkChars]) != s[len(s)-checkChars:] {
			return "", ErrMalformed
		}
		return m, nil
	}
	return "", ErrMalformed
}

// hash is how a secret is stored. A plain hash is enough: 190 bits of
// randomness cannot be searched, unlike a password.
func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}
