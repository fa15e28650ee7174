package formats

import (
	"reflect"
	"strings"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

const secondsPerDay = 24 * 60 * 60

// cellOf is the column type of a field's type, and how its value is read; nullable
// is whether the type has a null of its own. value is nil where there is none.
func cellOf(t reflect.Type) (column snapshots.Type, value func(reflect.Value) parquetio.Value, nullable bool) {
	switch t {
	case reflect.TypeFor[api.Date]():
		return snapshots.Day, read(func(d api.Date) parquetio.Value { return day(d.Time()) }), false
	case reflect.TypeFor[api.MaybeDate]():
		return snapshots.Day, read(func(d api.MaybeDate) parquetio.Value { return maybe(d.T, day) }), true
	case reflect.TypeFor[api.Timestamp]():
		return snapshots.Timestamp, read(func(m api.Timestamp) parquetio.Value { return moment(m.Time()) }), false
	case reflect.TypeFor[api.MaybeTimestamp]():
		return snapshots.Timestamp, read(func(m api.MaybeTimestamp) parquetio.Value { return maybe(m.T, moment) }), true
	case reflect.TypeFor[api.Share]():
		return snapshots.Float64, read(func(s api.Share) parquetio.Value { return tenths(s.Tenths) }), false
	case reflect.TypeFor[api.Percent]():
		return snapshots.Float64, read(func(p api.Percent) parquetio.Value { return maybe(p.Tenths, tenths) }), true
	case reflect.TypeFor[api.Score]():
		return snapshots.Float64, read(func(s api.Score) parquetio.Value { return maybe(s.TenThousandths, score) }), true
	}
	switch t.Kind() {
	case reflect.String:
		return snapshots.Text, func(v reflect.Value) parquetio.Value { return parquetio.Value{Text: v.String()} }, false
	case reflect.Bool:
		return snapshots.Bool, func(v reflect.Value) parquetio.Value { return parquetio.Value{Int: truth(v.Bool())} }, false
	case reflect.Int, reflect.Int64:
		return snapshots.Int64, func(v reflect.Value) parquetio.Value { return whole(v.Int()) }, false
	}
	if t == reflect.TypeFor[api.Keys]() {
		return snapshots.Text, read(func(keys api.Keys) parquetio.Value { return parquetio.Value{Text: strings.Join(keys, ",")} }), false
	}
	return "", nil, false
}

func read[V any](f func(V) parquetio.Value) func(reflect.Value) parquetio.Value {
	return func(v reflect.Value) parquetio.Value { return f(v.Interface().(V)) }
}

func maybe[V any](v *V, f func(V) parquetio.Value) parquetio.Value {
	if v == nil {
		return parquetio.Value{Null: true}
	}
	return f(*v)
}

// day is the calendar day of t in UTC. Before 1970 the division rounds down too.
func day(t time.Time) parquetio.Value {
	return whole((t.Unix() - ((t.Unix()%secondsPerDay)+secondsPerDay)%secondsPerDay) / secondsPerDay)
}

// moment is t cut to whole seconds, as JSON writes it.
func moment(t time.Time) parquetio.Value { return whole(t.Unix() * 1e6) }

// tenths and score have the digits that JSON has in Text, for CSV.
func tenths(t figure.Tenths) parquetio.Value {
	return parquetio.Value{Float: float64(t) / 10, Text: string(figure.AppendTenths(nil, t))}
}

func score(n int64) parquetio.Value {
	return parquetio.Value{Float: float64(n) / 10_000, Text: string(figure.AppendScore(nil, n))}
}

func whole(n int64) parquetio.Value { return parquetio.Value{Int: n} }

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
