package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/access"
	"labour/serve/api"
)

// longestScheme is the most characters of a scheme's name.
const longestScheme = 100

// complianceRoute registers the compliance export. It reads no data at all.
func (a *handler) complianceRoute() {
	op := huma.Operation{
		Method: http.MethodPost, Path: "/v1/compliance-export", OperationID: "compliance-export", Tags: []string{platformTag},
		Summary: "Compliance export (preview)",
		Description: "A developer-scoped summary for reporting platforms, by arrangement. It serves fixed preview data, whatever is asked: the figures are not live. Scope: " +
			string(access.Developer) + ".",
		Middlewares: huma.Middlewares{a.requireScope(access.Developer), a.checkParameters},
		RequestBody: a.requestBody(reflect.TypeFor[api.ComplianceRequest](), true),
		Responses:   responses(keyed(http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)...),
	}
	op.Responses["200"] = &huma.Response{Description: "OK", Content: a.content(reflect.TypeFor[api.ComplianceExport]())}
	a.huma.OpenAPI().AddOperation(&op)
	a.huma.Adapter().Handle(&op, op.Middlewares.Handler(a.manage(http.StatusOK, func(_ context.Context, q *asked) (any, error) {
		request, err := complianceRequest(q.huma, q.call)
		return api.PreviewOf(request, api.TimestampOf(q.at)), err
	})))
}

func complianceRequest(ctx huma.Context, c *call) (r api.ComplianceRequest, err error) {
	fields, err := readBody(ctx, c, "scheme", "period_start", "period_end")
	if err != nil {
		return r, err
	}
	r.Scheme = textField(c, fields, "scheme")
	if n := utf8.RuneCountInString(r.Scheme); n > longestScheme || n > 0 && strings.TrimSpace(r.Scheme) == "" {
		c.add(invalidParameter, "scheme", "scheme must be a name of 1 to 100 characters.")
	}
	start, end := dateField(c, fields, "period_start"), dateField(c, fields, "period_end")
	if !start.IsZero() && !end.IsZero() && end.Before(start) {
		c.add(invalidParameter, "period_end", "period_end is before period_start.")
	}
	r.PeriodStart, r.PeriodEnd = api.DateOf(start), api.DateOf(end)
	return r, c.refused()
}

// textField is a field that must be a text with something in it; empty with a
// fault noted when it is not.
func textField(c *call, fields map[string]json.RawMessage, name string) string {
	var text *string
	switch raw, given := fields[name]; {
	case !given:
		c.add(invalidParameter, name, name+" is missing.")
		return ""
	case json.Unmarshal(raw, &text) != nil || text == nil || *text == "":
		c.add(invalidParameter, name, name+" must be a text that is not empty.")
		return ""
	}
	return *text
}

// dateField is a field that must be a day; the zero time with a fault noted when
// it is not.
func dateField(c *call, fields map[string]json.RawMessage, name string) time.Time {
	text := textField(c, fields, name)
	if text == "" {
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		c.add(invalidParameter, name, name+" must be a day that exists, such as 2026-10-31.")
	}
	return day
}
