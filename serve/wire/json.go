package wire

import (
	"encoding/json"
	"io"
)

// Encode writes v as JSON without escaping for HTML: "<5", never "\u003c5".
func Encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
