package web

import (
	"archive/zip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
)

// files holds the HTML templates of the pages and the static files, such as the stylesheet.
//
//go:embed templates static
var files embed.FS

func versionOf(trees ...fs.FS) (string, error) {
	sum := sha256.New()
	for _, tree := range trees {
		files := zip.NewWriter(sum)
		if err := errors.Join(files.AddFS(tree), files.Close()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// asset returns the URL of a static file. The URL changes if any file of the site changes, so
// browsers can cache the file for ever.
func (s *Site) asset(name string) string { return "/static/" + name + "?v=" + s.version[:12] }

func (s *Site) serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	w.Header().Set("Cache-Control", "no-cache")
	if "/static/"+name+"?"+r.URL.RawQuery == s.asset(name) {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeFileFS(w, r, files, "static/"+name)
}
