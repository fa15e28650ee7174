package web

import (
	"bytes"
	"fmt"
	"html/template"

	"github.com/yuin/goldmark"
)

// renderMarkdown makes HTML of a document of the project. HTML in it is left out.
func renderMarkdown(text string) (template.HTML, error) {
	var b bytes.Buffer
	if err := goldmark.Convert([]byte(text), &b); err != nil {
		return "", fmt.Errorf("web: render a document: %w", err)
	}
	return template.HTML(b.String()), nil
}
