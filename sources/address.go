package sources

import (
	"net/url"
	"strings"
)

// IsWeb says that s is an absolute http(s) address.
func IsWeb(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// IsAddress says that s is an http(s) address, or the file:// address of a file that
// an operator has put there.
func IsAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "file" || IsWeb(s))
}

// PlainAddress takes an https address apart that is written with small letters, digits,
// dots and hyphens in the host, and letters, digits and -_./ in the path, as most are:
// url.Parse takes it apart in the same way, nothing of it stands for anything else, and
// it has no query. ok is false for any other text.
func PlainAddress(s string) (host, path string, ok bool) {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		return "", "", false
	}
	i := 0
	for i < len(rest) && (smallOrDigit(rest[i]) || rest[i] == '.' || rest[i] == '-') {
		i++
	}
	host, path = rest[:i], rest[i:]
	if host == "" || path != "" && path[0] != '/' {
		return "", "", false
	}
	for i := range len(path) {
		if c := path[i]; !smallOrDigit(c) && (c < 'A' || c > 'Z') && c != '/' && c != '-' && c != '_' && c != '.' {
			return "", "", false
		}
	}
	return host, path, true
}

func smallOrDigit(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
