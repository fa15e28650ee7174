package sources

import "net/url"

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
