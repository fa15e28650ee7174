package fetching

import (
	"net/url"
	"slices"
	"sort"
	"strings"
	"sync"
)

// redacted stands in the place of a secret.
const redacted = "REDACTED"

// secretParameters are the parts of a query parameter's name that mark a secret.
var secretParameters = []string{"key", "token", "secret", "password", "passwd", "signature", "sig", "auth", "credential", "session"}

// redactor takes secrets out of texts.
type redactor struct {
	mu      sync.Mutex
	secrets map[string]bool
}

// add notes a value that must never be seen. Very short ones are not noted: they
// would blot out ordinary text and protect nothing.
func (r *redactor) add(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.secrets == nil {
		r.secrets = map[string]bool{}
	}
	for _, v := range values {
		if len(v) >= 4 {
			r.secrets[v] = true
			r.secrets[url.QueryEscape(v)] = true
			r.secrets[url.PathEscape(v)] = true
		}
	}
}

// text is s without the secrets. Longer ones go first, so that one secret inside
// another leaves no rest.
func (r *redactor) text(s string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]string, 0, len(r.secrets))
	for v := range r.secrets {
		all = append(all, v)
	}
	sort.Slice(all, func(i, j int) bool {
		return len(all[i]) > len(all[j]) || len(all[i]) == len(all[j]) && all[i] < all[j]
	})
	for _, v := range all {
		s = strings.ReplaceAll(s, v, redacted)
	}
	return s
}

// url is the address without user, secrets, and the values of parameters whose
// name says that they are secret.
func (r *redactor) url(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return redacted
	}
	if u.User != nil {
		u.User = url.User(redacted)
	}
	var kept []string
	for _, pair := range strings.FieldsFunc(u.RawQuery, func(c rune) bool { return c == '&' }) {
		name, _, _ := strings.Cut(pair, "=")
		if isSecretName(name) {
			pair = name + "=" + redacted
		}
		kept = append(kept, pair)
	}
	u.RawQuery = strings.Join(kept, "&")
	return r.text(u.String())
}

func isSecretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(secretParameters, func(s string) bool { return strings.Contains(name, s) })
}
