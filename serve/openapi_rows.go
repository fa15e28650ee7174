package serve

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"labour/snapshots"
)

// rowsResponse describes an answer of rows in every format. b is the JSON answer.
func (a *handler) rowsResponse(b reflect.Type, columns []snapshots.Column) *huma.Response {
	r := &huma.Response{Description: "OK. Content-Disposition and the X- headers but those of the limits are on csv and parquet only, where they say what the envelope says beside the rows; a value that is null there is left out here. Link and X-Next-Cursor are there when another page follows.",
		Headers: map[string]*huma.Header{}, Content: a.content(b)}
	csv, _, _ := strings.Cut(typeCSV, ";")
	r.Content[csv] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Description: "With format=csv: RFC 4180 in UTF-8, one line of column names. " + columnWords(columns)}}
	r.Content[typeParquet] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary", Description: "With format=parquet: Apache Parquet, with the licence, the statements, the sources, the metadata and the meaning of each column in its key-value metadata (labour.*). " + columnWords(columns)}}
	names := []string{"ETag", "Cache-Control", "Content-Disposition", "Link", "X-Attribution-Notice"}
	meta, _ := b.FieldByName("Meta") // every answer of rows has one
	for _, f := range reflect.VisibleFields(meta.Type) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, metaHeader(name))
		}
	}
	for _, name := range names {
		r.Headers[name] = headerRef(name)
	}
	return r
}

func columnWords(columns []snapshots.Column) string {
	words := make([]string, len(columns))
	for i, c := range columns {
		words[i] = fmt.Sprintf("%s (%s", c.Name, c.Type)
		if c.Nullable {
			words[i] += " or null"
		}
		words[i] += ")"
	}
	return "Columns: " + strings.Join(words, ", ") + "."
}

// metaHeader is the header that says what a field of the metadata says.
func metaHeader(field string) string {
	words := strings.Split(field, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "X-" + strings.Join(words, "-")
}
