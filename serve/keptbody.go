package serve

import (
	"bytes"
	"io"
	"net/http"

	"labour/serve/wire"
)

// keptBody is the answer of an entity tag as it was sent before, built now; nil when
// none is kept.
func (a *api) keptBody(c *call, tag string) *sent {
	if a.kept == nil {
		return nil
	}
	whole, ok := a.kept.Body(tag, wire.TimestampOf(c.at).AppendJSON(nil))
	if !ok {
		return nil
	}
	return send(jsonHeader(tag), http.StatusOK, func(w io.Writer) error {
		_, err := w.Write(whole)
		return err
	})
}

// keepBody encodes an answer and keeps it, without the moment in its metadata, which
// stand last. No text in a row can be taken for it: a quote inside one is escaped.
func (a *api) keepBody(c *call, tag string, v any) (*sent, error) {
	var whole bytes.Buffer
	if err := a.encode(&whole, v); err != nil {
		return nil, err
	}
	generated := wire.TimestampOf(c.at).AppendJSON(nil)
	field := append([]byte(`"generated":`), generated...)
	if at := bytes.LastIndex(whole.Bytes(), field); at >= 0 && a.kept != nil {
		a.kept.KeepBody(tag, whole.Bytes(), at+len(field)-len(generated), at+len(field))
	}
	return send(jsonHeader(tag), http.StatusOK, func(w io.Writer) error {
		_, err := w.Write(whole.Bytes())
		return err
	}), nil
}

func jsonHeader(tag string) http.Header {
	return http.Header{"Cache-Control": {revalidate}, "Etag": {tag}, "Content-Type": {typeJSON}}
}
