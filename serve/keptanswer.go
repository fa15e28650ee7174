package serve

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"time"

	"labour/serve/kept"
	"labour/serve/wire"
)

// answerKept answers a call as the same one was answered before, with the moment of
// this one, and says whether it did. It comes after the key was identified, the call
// counted and its limits looked at, in the place of route, scope, parameters and
// handler: what those said of the same path and query stands in the answer that is
// kept, down to the scope. What it does not answer goes their way, refusals and "not
// modified" among it.
func (a *api) answerKept(rec *recorder, r *http.Request, c *call) bool {
	if a.kept == nil || r.Method != http.MethodGet {
		return false
	}
	s, release, err := a.live.Acquire()
	if err != nil {
		return false
	}
	defer release()
	known := a.kept.Find(s.ID(), r.URL.Path, r.URL.RawQuery, c.at)
	if known == nil || !c.key.Has(known.Scope) || c.match != "" && matches(c.match, known.Tag) {
		return false
	}
	c.route = known.Route
	for name, values := range jsonHeader(known.Tag) {
		rec.header[name] = values
	}
	generated := wire.TimestampOf(c.at).AppendJSON(rec.scratch[:0])
	rec.status = http.StatusOK
	plain := known.Size(len(generated))
	as := accepted(r.Header)
	if plain < compressFrom || !known.Encodes(as) {
		as = kept.Plain
	}
	rec.body = known.Encoded(rec.body, generated, as)
	if as != kept.Plain {
		rec.encoded(string(as), plain)
	}
	return true
}

// keep keeps an answer that was sent whole, for the next call of the same address. No
// text in it can be taken for the moment in its metadata, which stand last: a quote
// inside one is escaped. until is how long it holds; zero = as long as the snapshot.
func (a *api) keep(c *call, snapshot, tag string, until time.Time, whole []byte) {
	if a.kept == nil || c.path == "" {
		return
	}
	generated := wire.TimestampOf(c.at).AppendJSON(nil)
	field := append([]byte(`"generated":`), generated...)
	at := bytes.LastIndex(whole, field)
	if at < 0 {
		return
	}
	at += len(field) - len(generated)
	about := kept.About{Scope: c.scope, Route: c.route, Tag: tag, From: c.at, Until: until}
	a.kept.Keep(snapshot, c.path, c.rawQuery, kept.NewAnswer(about, whole, at, at+len(generated)))
}

// encodeKept encodes an answer and keeps it.
func (a *api) encodeKept(c *call, snapshot, tag string, until time.Time, body any) ([]byte, error) {
	var whole bytes.Buffer
	if err := a.encode(&whole, body); err != nil {
		return nil, err
	}
	a.keep(c, snapshot, tag, until, whole.Bytes())
	return whole.Bytes(), nil
}

// sendKept encodes an answer, keeps it and sends it.
func (a *api) sendKept(c *call, snapshot, tag string, until time.Time, body any) (*sent, error) {
	whole, err := a.encodeKept(c, snapshot, tag, until, body)
	if err != nil {
		return nil, err
	}
	return send(jsonHeader(tag), http.StatusOK, func(w io.Writer) error {
		_, err := w.Write(whole)
		return err
	}), nil
}

// accepted is the content coding that a plain list of codings asks for: zstd, then
// gzip, as the wrapper around the interface has it. Lists with preferences, and other
// signs than names, are left to the wrapper.
func accepted(h http.Header) kept.Encoding {
	list := h["Accept-Encoding"]
	if len(list) == 0 || strings.ContainsAny(list[0], ";*") {
		return kept.Plain
	}
	as := kept.Plain
	for name := range strings.SplitSeq(list[0], ",") {
		switch name = strings.TrimSpace(name); {
		case strings.EqualFold(name, string(kept.Zstd)):
			return kept.Zstd
		case strings.EqualFold(name, string(kept.Gzip)):
			as = kept.Gzip
		}
	}
	return as
}

func jsonHeader(tag string) http.Header {
	return http.Header{"Cache-Control": {revalidate}, "Etag": {tag}, "Content-Type": {typeJSON}}
}
