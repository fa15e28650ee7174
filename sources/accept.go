package sources

import (
	"bytes"
	"fmt"
	"mime"
	"strings"
)

// AcceptJSON is a Request.Accept for a body that must be a JSON object or array:
// its first character that is not white space is `{` or `[`. A byte order mark is
// skipped.
func AcceptJSON(contentType string, head []byte) error {
	if b := start(head); len(b) > 0 && (b[0] == '{' || b[0] == '[') {
		return nil
	}
	return notExpected("JSON", contentType, head)
}

// AcceptXML is a Request.Accept for a body that must be XML, and not HTML.
func AcceptXML(contentType string, head []byte) error {
	if b := start(head); len(b) > 0 && b[0] == '<' && !looksLikeHTML(b) {
		return nil
	}
	return notExpected("XML", contentType, head)
}

// AcceptData is a Request.Accept for CSV, compressed and other data without a
// mark of its own: everything but an empty body and HTML.
func AcceptData(contentType string, head []byte) error {
	media, _, _ := mime.ParseMediaType(contentType)
	if b := start(head); len(b) > 0 && media != "text/html" && !looksLikeHTML(b) {
		return nil
	}
	return notExpected("data", contentType, head)
}

func start(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
}

func looksLikeHTML(b []byte) bool {
	s := strings.ToLower(string(b[:min(len(b), 256)]))
	return strings.HasPrefix(s, "<!doctype html") || strings.HasPrefix(s, "<html") ||
		(strings.HasPrefix(s, "<") && strings.Contains(s, "<html"))
}

// notExpected says what came instead; it does not repeat the body.
func notExpected(want, contentType string, head []byte) error {
	what := "something else"
	switch b := start(head); {
	case len(b) == 0:
		what = "an empty body"
	case looksLikeHTML(b):
		what = "a page of HTML"
	}
	return Coded(FaultNotExpected, fmt.Errorf("expected %s and got %s (content type %q); open the address in a browser to see what it has become",
		want, what, contentType))
}
