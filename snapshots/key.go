package snapshots

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// Key is a secret of the operator. A manifest names the files of the platform's feed
// under it: the plain hash of a small file, such as the count of people of one site,
// could be found by guessing what is in it.
type Key []byte

// Sum is the HMAC-SHA-256 of a text, in lower-case hexadecimal. A file is named by that
// of its SHA-256 in lower-case hexadecimal.
func (k Key) Sum(text string) string {
	h := hmac.New(sha256.New, k)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// Named is how a manifest names the file: by its SHA-256, or under a Key.
func (o Object) Named() string {
	if o.HMACSHA256 != "" {
		return o.HMACSHA256
	}
	return o.SHA256
}

// Keyed is the object as a manifest names it under a key.
func (o Object) Keyed(k Key) Object { return Object{Name: o.Name, HMACSHA256: k.Sum(o.SHA256)} }
