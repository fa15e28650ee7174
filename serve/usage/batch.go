package usage

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"labour/serve/access"
	"labour/serve/state"
)

// maxPrepared bounds the windows of a statement that is kept prepared.
const maxPrepared = 64

// window is one counter of one key.
type window struct {
	key, span string
	start     int64
}

// windows are the hour and the month of a call.
func windows(t ticket) [2]window {
	return [2]window{
		{t.key, "hour", state.Unix(hourStart(t.at))},
		{t.key, "month", state.Unix(state.MonthStart(t.at))},
	}
}

// countBatch counts the batch and answers each call. Calls whose keys are known to be
// good in the same version, nearly always all of them, are counted in one statement,
// which is a transaction of its own. It does not stop with the server's context:
// whoever waits is answered.
func (c *Counter) countBatch(batch []ticket) {
	groups := make(map[access.Version][]ticket, 1)
	for _, t := range batch {
		groups[t.as] = append(groups[t.as], t)
	}
	for as, group := range groups { // in any order, as nearly always there is one
		c.countGroup(as, group)
	}
}

// countGroup counts calls of one version, and numbers them in order of arrival.
func (c *Counter) countGroup(as access.Version, group []ticket) {
	calls := make(map[window]int64, 2)
	for _, t := range group {
		for _, w := range windows(t) {
			calls[w]++
		}
	}
	totals, err := c.add(context.Background(), as, calls)
	for _, t := range group {
		switch w := windows(t); {
		case err != nil:
			t.answer <- answer{err: fmt.Errorf("count a call of key %s: %w", t.key, err)}
		case len(totals) == 0:
			t.answer <- answer{err: ErrKeysChanged}
		default:
			t.answer <- answer{counts: Counts{Hour: totals[w[0]] - calls[w[0]] + 1, Month: totals[w[1]] - calls[w[1]] + 1}}
			calls[w[0]]--
			calls[w[1]]--
		}
	}
}

// add adds calls to windows and returns how many each has now; none when the keys have
// another version. The version is read after every call of the batch has come, so
// whatever was committed before a call came is seen. Each window is written once, in
// an order that all servers keep to, so that two of them never wait for each other.
func (c *Counter) add(ctx context.Context, as access.Version, calls map[window]int64) (map[window]int64, error) {
	order := make([]window, 0, len(calls))
	for w := range calls {
		order = append(order, w)
	}
	slices.SortFunc(order, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.span, b.span), cmp.Compare(a.start, b.start))
	})
	args := append(make([]any, 0, 1+4*len(order)), int64(as))
	for _, w := range order {
		args = append(args, w.key, w.span, w.start, calls[w])
	}
	rows, err := c.upsert(ctx, len(order), args)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	totals := make(map[window]int64, len(order))
	for rows.Next() {
		var w window
		var total int64
		if err := rows.Scan(&w.key, &w.span, &w.start, &total); err != nil {
			return nil, err
		}
		totals[w] = total
	}
	// In SQLite the statement commits when it has given its last row.
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if len(totals) != 0 && len(totals) != len(order) {
		return nil, fmt.Errorf("%d of %d counts were written", len(totals), len(order))
	}
	return totals, nil
}

// upsert runs the statement for so many windows.
func (c *Counter) upsert(ctx context.Context, windows int, args []any) (*sql.Rows, error) {
	if windows > maxPrepared { // more than maxPrepared/2 keys at once: the cost is shared by as many calls
		return c.db.QueryContext(ctx, upsertOf(windows), args...)
	}
	if c.statements[windows] == nil {
		s, err := c.db.PrepareContext(ctx, upsertOf(windows))
		if err != nil {
			return nil, err
		}
		c.statements[windows] = s
	}
	return c.statements[windows].QueryContext(ctx, args...)
}

//go:embed sql/count_calls.sql
var countCallsSQL string

// upsertOf is the statement for so many windows, at least 1: the file is that for one.
func upsertOf(windows int) string {
	var further strings.Builder
	for i := 1; i < windows; i++ {
		n := 4*i + 2
		fmt.Fprintf(&further, ", (CAST($%d AS TEXT), CAST($%d AS TEXT), CAST($%d AS BIGINT), CAST($%d AS BIGINT))", n, n+1, n+2, n+3)
	}
	return strings.Replace(countCallsSQL, "/* further windows */", further.String(), 1)
}
