// Package etag makes the entity tags (ETag) of responses and compares them with those of requests.
package etag

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// Of returns a weak entity tag that stands for a text: equal texts have equal tags.
func Of(text []byte) string {
	sum := sha256.Sum256(text)
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}

// Matches reports whether the client already has the response with the given entity tag. It
// searches the header If-None-Match and uses weak comparison.
func Matches(r *http.Request, tag string) bool {
	for one := range strings.SplitSeq(strings.Join(r.Header["If-None-Match"], ","), ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
