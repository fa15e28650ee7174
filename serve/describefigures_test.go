package serve

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// describeFigures tells a registry how the figures of package api are written: they encode
// themselves, so their Go types do not show it.
func describeFigures(schemas huma.Registry) {
	for figure, described := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[api.Date]():              reflect.TypeFor[dateSchema](),
		reflect.TypeFor[api.Timestamp]():         reflect.TypeFor[timestampSchema](),
		reflect.TypeFor[api.NullableDate]():      reflect.TypeFor[maybeSchema[dateSchema]](),
		reflect.TypeFor[api.NullableTimestamp](): reflect.TypeFor[maybeSchema[timestampSchema]](),
		reflect.TypeFor[api.Count]():             reflect.TypeFor[countSchema](),
		reflect.TypeFor[api.Share]():             reflect.TypeFor[shareSchema](),
		reflect.TypeFor[api.Percent]():           reflect.TypeFor[percentSchema](),
		reflect.TypeFor[api.Score]():             reflect.TypeFor[scoreSchema](),
	} {
		schemas.RegisterTypeAlias(figure, described)
	}
}

// The schemas of the figures.
type (
	dateSchema                         struct{}
	timestampSchema                    struct{}
	maybeSchema[S huma.SchemaProvider] struct{}
	countSchema                        struct{}
	shareSchema                        struct{}
	percentSchema                      struct{}
	scoreSchema                        struct{}
)

// Schema describes a date.
func (dateSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date", Examples: []any{"2026-11-20"}}
}

const timestampPattern = `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$`

// Schema describes a timestamp.
func (timestampSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Pattern: timestampPattern,
		Examples: []any{"2026-11-20T06:00:00Z"}}
}

// Schema describes the value or null.
func (maybeSchema[S]) Schema(r huma.Registry) *huma.Schema {
	var of S
	s := of.Schema(r)
	s.Nullable = true
	return s
}

// Schema describes the three forms of a count.
func (countSchema) Schema(huma.Registry) *huma.Schema {
	five := float64(figure.SmallestShown)
	return &huma.Schema{
		AnyOf: []*huma.Schema{
			{Type: huma.TypeInteger, Format: "int64", Minimum: &five, Description: "The count."},
			{Type: huma.TypeInteger, Enum: []any{0}, Description: "None."},
			{Type: huma.TypeString, Enum: []any{figure.UnderFiveText},
				Description: "A count of people from 1 to 4: never a number and never 0."},
			{Type: "null", Description: "No figure: suppressed for another reason, or not published. Never zero."},
		},
		Examples: []any{15, figure.UnderFiveText, nil},
	}
}

// Schema describes a percentage of 0 to 100.
func (shareSchema) Schema(huma.Registry) *huma.Schema {
	low, high := 0.0, 100.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &low, Maximum: &high, Examples: []any{12.3}}
}

// Schema describes a percentage or null.
func (percentSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Nullable: true, Examples: []any{45}}
}

// Schema describes a score or null.
func (scoreSchema) Schema(huma.Registry) *huma.Schema {
	low, high := 0.0, 100.0
	return &huma.Schema{Type: huma.TypeNumber, Nullable: true, Minimum: &low, Maximum: &high, Examples: []any{5.535}}
}
