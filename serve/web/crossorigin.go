package web

import (
	"net/http"
	"strings"

	"labour/serve/partners/dashboard"
)

// crossOrigin allows scripts in pages of other sites to read everything that needs no key. It
// excludes the pages of partners, which need a cookie. It reports whether it has handled a
// preflight request of a browser.
func crossOrigin(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path == dashboard.Root || strings.HasPrefix(r.URL.Path, dashboard.Root+"/") {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers",
		"Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified, Retry-After, X-As-Of, X-Attribution-Notice, X-Snapshot")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, HEAD")
	h.Set("Access-Control-Allow-Headers", "Accept, If-Match, If-Modified-Since, If-None-Match, If-Range, Range")
	h.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
	return true
}
