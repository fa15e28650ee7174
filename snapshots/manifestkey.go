package snapshots

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
)

// ManifestKey is the operator's secret key for keyed hashes (HMAC). Manifests identify the files of
// the platform's feed by these hashes, not by plain ones. With a plain hash, an outsider could
// confirm a guess of the content of a small file.
type ManifestKey []byte

// HMAC returns the HMAC-SHA-256 of a text, in lower-case hexadecimal.
func (k ManifestKey) HMAC(text string) string {
	h := hmac.New(sha256.New, k)
	h.Write([]byte(text))
	return fmt.Sprintf("%x", h.Sum(nil))
}

// HashInManifest returns the hash that identifies the archived file in a manifest. That is the
// keyed hash (HMAC) if the file has one, and otherwise the SHA-256.
func (o ArchivedObject) HashInManifest() string {
	if o.HMACSHA256 != "" {
		return o.HMACSHA256
	}
	return o.SHA256
}

// FileHash returns the keyed hash (HMAC) that identifies a file of the platform's feed in the
// manifest of snapshot id. fetchedAt is the time of the fetch; fractions of a second do not count.
// name is the file's name, and sum its SHA-256 in hexadecimal. The same bytes have another hash in
// another snapshot, another fetch or another file, so that nobody sees that they are equal.
func (k ManifestKey) FileHash(id ID, fetchedAt time.Time, name, sum string) string {
	at := fetchedAt.UTC().Format(time.RFC3339) // as in the manifest
	return k.HMAC(strings.Join([]string{string(id), at, name, sum}, "\x00"))
}

// FormerFileHash returns the keyed hash of a file of the platform's feed as earlier versions
// of this program wrote it. It depends on the snapshot and the SHA-256 only. It is used to find the
// inputs of snapshots that those versions made.
func (k ManifestKey) FormerFileHash(id ID, sum string) string {
	return k.HMAC(string(id) + "\x00" + sum)
}

// WithKeyedHash returns a copy of the archived file's entry, for the manifest of snapshot id and
// the fetch at fetchedAt. The copy has a keyed hash (HMAC) in place of the SHA-256, and no size.
func (o ArchivedObject) WithKeyedHash(k ManifestKey, id ID, fetchedAt time.Time) ArchivedObject {
	return ArchivedObject{Name: o.Name, HMACSHA256: k.FileHash(id, fetchedAt, o.Name, o.SHA256)}
}
