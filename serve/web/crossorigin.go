package web

import (
	"net/http"
	"strings"

	"labour/serve/partners/dashboard"
)

// crossOrigin permits scripts on other sites to read the responses of this site (CORS). The partner
// dashboard is excepted, because it uses a cookie. If the request is a browser's preflight request,
// crossOrigin responds to it and returns true.
func crossOrigin(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Path == dashboard.RootPath || strings.HasPrefix(r.URL.Path, dashboard.RootPath+"/") {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers",
		"Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified, Retry-After, X-As-Of, X-Attribution-Notice, "+
			"X-Snapshot")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, HEAD")
	h.Set("Access-Control-Allow-Headers", "Accept, If-Match, If-Modified-Since, If-None-Match, If-Range, Range")
	h.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
	return true
}
