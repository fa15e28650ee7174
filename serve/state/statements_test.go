package state_test

import (
	"database/sql"
	"errors"
	"slices"
	"testing"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

// Every row is read in order until one cannot be, also in a transaction, which can ask
// again after that.
func TestQueryAll(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db := statetest.Open(t, address)
		n, err := state.ExecCount(t.Context(), db,
			`INSERT INTO settings (name, value) VALUES ('a', '1'), ('b', '2'), ('c', '3')`)
		if err != nil || n != 3 {
			t.Fatalf("%d rows were changed (%v), want 3", n, err)
		}
		stop := errors.New("stop")
		err = db.Transact(t.Context(), func(tx *sql.Tx) error {
			const ask = `SELECT value FROM settings WHERE name >= $1 ORDER BY name`
			value := func(scan func(...any) error) (v string, err error) {
				err = scan(&v)
				return v, err
			}
			if got, err := state.QueryAll(t.Context(), tx, ask, value, "b"); err != nil ||
				!slices.Equal(got, []string{"2", "3"}) {
				t.Errorf("got %q, %v", got, err)
			}
			if got, err := state.QueryAll(t.Context(), tx, ask, func(func(...any) error) (string, error) { return "", stop },
				""); got != nil || !errors.Is(err, stop) {
				t.Errorf("a row that cannot be read: got %q, %v", got, err)
			}
			n, err := state.ExecCount(t.Context(), tx, `DELETE FROM settings WHERE name < $1`, "c")
			if err != nil || n != 2 {
				t.Errorf("%d rows were changed (%v), want 2", n, err)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := state.ExecCount(t.Context(), db, `DELETE FROM nothing`); err == nil {
			t.Error("a table that is not there is no error")
		}
	})
}
