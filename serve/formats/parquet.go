package formats

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Keys that this package adds to the key-value metadata of a Parquet file.
const (
	// MetaEndpoint is the metadata key for the path of the API endpoint, such as /v1/labour/places.
	MetaEndpoint = "labour.endpoint"
	// MetaAttributionNotice is the metadata key for the text that explains how to attribute the
	// data.
	MetaAttributionNotice = "labour.attribution_notice"
	// MetaSources is the metadata key for the data sources of the rows, in JSON.
	MetaSources = "labour.sources"
	// MetaResponse is the metadata key for the "meta" object of the API response, in JSON.
	MetaResponse = "labour.meta"
)

// WriteParquet writes the rows of an API response as a Parquet file.
func (l *Layout[R]) WriteParquet(w io.Writer, f Response[R]) error {
	rows, err := l.rows(f)
	if err != nil {
		return fmt.Errorf("rows of %s: %w", f.Endpoint, err)
	}
	meta, err := l.metadata(f)
	if err != nil {
		return fmt.Errorf("metadata of %s: %w", f.Endpoint, err)
	}
	return parquetio.EncodeRows(w, l.Columns, meta, len(rows), func(row, column int) parquetio.Value {
		return valueOf(l.Columns[column], rows[row][l.Columns[column].Name])
	})
}

// valueOf converts a JSON value to the type of its Parquet column. It does not validate the value,
// because this program wrote the JSON.
func valueOf(c snapshots.Column, value any) (v parquetio.Value) {
	switch value := value.(type) {
	case nil:
		v.IsNull = c.Nullable
	case bool:
		v.Int = map[bool]int64{true: 1}[value]
	case json.Number:
		v.Int, _ = value.Int64()
		v.Float, _ = value.Float64()
	case string:
		switch c.Type {
		case snapshots.TypeText:
			v.Text = value
		case snapshots.TypeDay:
			at, _ := time.Parse(time.DateOnly, value)
			v.Int = parquetio.EncodeDay(at)
		case snapshots.TypeTimestamp:
			at, _ := time.Parse(time.RFC3339, value)
			v.Int = at.UnixMicro()
		default: // a small count
			v.IsNull = true
		}
	}
	return v
}

func (l *Layout[R]) metadata(f Response[R]) (map[string]string, error) {
	var licences, statements []string
	for _, s := range f.Sources {
		licences, statements = append(licences, s.Licence), append(statements, s.AttributionStatement)
	}
	meta := map[string]string{
		MetaEndpoint: f.Endpoint, MetaAttributionNotice: api.AttributionNotice,
		snapshots.MetaLicence:     snapshots.JoinDistinctLines(licences),
		snapshots.MetaAttribution: snapshots.JoinDistinctLines(statements),
	}
	for key, v := range map[string]any{MetaSources: f.Sources, MetaResponse: f.ResponseMeta} {
		var text strings.Builder
		j := json.NewEncoder(&text)
		j.SetEscapeHTML(false)
		if err := j.Encode(v); err != nil {
			return nil, err
		}
		meta[key] = strings.TrimSuffix(text.String(), "\n")
	}
	for _, c := range l.Columns {
		meta[snapshots.MetaColumnPrefix+c.Name] = c.Doc
	}
	return meta, nil
}
