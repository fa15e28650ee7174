package web

import (
	"bytes"
	"net/http"

	"labour/serve/web/dashboard"
)

// partnerPages begins the names of the templates of the partners' pages.
const partnerPages = "partner/"

func (s *Site) addPartners(mux *http.ServeMux) error {
	if s.Partners == nil {
		return nil
	}
	pages, err := dashboard.New(*s.Partners, s.showPartner)
	if err != nil {
		return err
	}
	mux.Handle(dashboard.Root, pages)
	mux.Handle(dashboard.Root+"/", pages)
	return nil
}

// showPartner draws a page of a partner in the frame of the site. It has no entity
// tag, since nobody may keep it.
func (s *Site) showPartner(w http.ResponseWriter, r *http.Request, p dashboard.Page) {
	v := &request{Request: r, ctx: r.Context(), at: s.Now().UTC(), base: baseOf(r)}
	if release, err := s.acquire(v, page{}); err == nil {
		defer release()
	}
	var b bytes.Buffer
	shown := view{title: p.Title, section: dashboard.Root, data: p.Data}
	if err := s.templates[partnerPages+p.Template].Execute(&b, s.frame(v, shown)); err != nil {
		s.Log.Error("page", "route", r.Pattern, "error", err)
		http.Error(w, "The page could not be made. Please try again.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(p.Status)
	w.Write(b.Bytes()) // whoever asked may be gone
}
