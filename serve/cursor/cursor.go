// Package cursor makes and opens the cursors of paged endpoints: opaque texts that mark where the
// next page of a list begins. A cursor contains the endpoint, the snapshot (one version of the
// data) and the last row of the page. It is authenticated, so that only cursors of this service are
// accepted. The specification says: "A cursor the service did not issue returns 400."
//
// A cursor identifies a row, not an offset. It is not bound to the filters of the request. The
// specification says: "Changing filters mid-walk yields pages of a different list."
package cursor

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrInvalid means that this service did not issue the cursor, or issued it for another endpoint.
var ErrInvalid = errors.New("invalid cursor")

const (
	version  = 1  // first byte of a cursor, before it is encoded
	macBytes = 16 // length of a cursor's message authentication code
	keyBytes = 32 // length of the secret key
	// maxLength is the maximum length of a cursor that Open accepts, in bytes. Valid cursors are
	// far shorter.
	maxLength = 2048
)

// encoding is strict base64 for URLs. In strict form, no two texts decode to the same cursor.
var encoding = base64.RawURLEncoding.Strict()

// Sealer makes cursors and checks the cursors that clients send back. It signs them with a secret
// key. It is safe for concurrent use.
type Sealer struct{ key []byte }

// NewKey returns a random key for NewSealer: 32 bytes in hexadecimal.
func NewKey(random io.Reader) (string, error) {
	key := make([]byte, keyBytes)
	if _, err := io.ReadFull(random, key); err != nil {
		return "", fmt.Errorf("make a cursor key: %w", err)
	}
	return hex.EncodeToString(key), nil
}

// NewSealer returns a Sealer. hexKey is its secret key: 32 bytes in hexadecimal. All servers of one
// service must use the same key.
func NewSealer(hexKey string) (*Sealer, error) {
	key, err := hex.DecodeString(hexKey)
	if err != nil || len(key) != keyBytes {
		return nil, fmt.Errorf("a cursor key is %d bytes in hexadecimal", keyBytes)
	}
	return &Sealer{key: key}, nil
}

// payload is the content of a cursor: an endpoint, a snapshot id, and the position of the last row
// on the page.
type payload[P any] struct {
	Endpoint string `json:"e"`
	Snapshot string `json:"s"`
	Position P      `json:"p"`
}

// Seal returns a cursor for the next page of a list. The next page begins after the row at
// position, in the given snapshot.
func (s *Sealer) Seal(endpoint, snapshot string, position any) (string, error) {
	body, err := json.Marshal(payload[any]{endpoint, snapshot, position})
	if err != nil {
		return "", fmt.Errorf("encode a cursor: %w", err)
	}
	raw := append([]byte{version}, body...)
	return encoding.EncodeToString(append(raw, s.mac(raw)...)), nil
}

// Open checks a cursor and returns the id of its snapshot. It decodes the cursor's position into
// position, which must be a pointer. It returns ErrInvalid if the cursor is not valid for the
// endpoint.
func (s *Sealer) Open(token, endpoint string, position any) (snapshot string, err error) {
	if len(token) > maxLength {
		return "", ErrInvalid
	}
	raw, err := encoding.DecodeString(token)
	// the decoder ignores line breaks even when strict
	if err != nil || len(raw) <= 1+macBytes || strings.ContainsAny(token, "\r\n") {
		return "", ErrInvalid
	}
	said, mac := raw[:len(raw)-macBytes], raw[len(raw)-macBytes:]
	if !hmac.Equal(mac, s.mac(said)) || said[0] != version {
		return "", ErrInvalid
	}
	var p payload[json.RawMessage]
	if json.Unmarshal(said[1:], &p) != nil || p.Endpoint != endpoint || json.Unmarshal(p.Position, position) != nil {
		return "", ErrInvalid
	}
	return p.Snapshot, nil
}

func (s *Sealer) mac(raw []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write(raw)
	return h.Sum(nil)[:macBytes]
}
