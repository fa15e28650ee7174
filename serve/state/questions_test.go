package state_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"labour/serve/state/statetest"
)

// ofSnapshots are the packages that ask another database.
var ofSnapshots = []string{"query"}

// questions are the statements of all packages that use this database, by their path
// from serve.
func questions(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, file := range inPackages(t, "sql/*.sql") {
		name := strings.TrimPrefix(filepath.ToSlash(file), "../")
		if slices.Contains(ofSnapshots, name[:strings.Index(name, "/")]) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	if len(all) == 0 {
		t.Fatal("no statement was found")
	}
	return all
}

// inPackages returns the files that match a pattern in the folders of serve and in the folders of these.
func inPackages(t *testing.T, pattern string) (files []string) {
	t.Helper()
	for _, folders := range []string{"../*", "../*/*"} {
		found, err := filepath.Glob(folders + "/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

// Both kinds of database know every table and column that a statement names.
func TestEveryStatementIsUnderstood(t *testing.T) {
	all := questions(t)
	stores.RunOnEach(t, func(t *testing.T, address string) {
		db := statetest.Open(t, address)
		for name, text := range all {
			s, err := db.Prepare(text)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			s.Close()
		}
	})
}

var comment = regexp.MustCompile(`(?m)--.*$`)

// After a semicolon SQLite's driver sees another statement, even an empty one, and does
// not keep the first one prepared.
func TestAFileIsOneStatement(t *testing.T) {
	for name, text := range questions(t) {
		if strings.Contains(comment.ReplaceAllString(text, ""), ";") {
			t.Errorf("%s has a semicolon", name)
		}
	}
}

// If one function reads the rows of several statements, these name the same columns
// in the same order.
func TestStatementsOfOneReaderAgree(t *testing.T) {
	all, db := questions(t), statetest.Open(t, statetest.SQLitePath(t))
	for _, same := range []struct {
		of   string
		also []string
	}{
		{"partners/access/sql/key_by_secret.sql", []string{"partners/access/sql/key_by_id.sql",
			"partners/access/sql/keys.sql",
			"partners/access/sql/keys_of_partner.sql"}},
		{"webhooks/sql/endpoint.sql", []string{"webhooks/sql/endpoints.sql"}},
		{"webhooks/sql/deliveries.sql", []string{"webhooks/sql/repeatable_delivery.sql"}},
		{"webhooks/sql/live_secrets.sql", []string{"webhooks/sql/all_secrets.sql"}},
	} {
		want := columns(t, db.DB, all[same.of])
		for _, name := range same.also {
			got := columns(t, db.DB, all[name])
			if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
				t.Errorf("%s gives %q, but %s gives %q", name, got, same.of, want)
			}
		}
	}
}

// columns are the names of what a statement gives.
func columns(t *testing.T, db *sql.DB, text string) []string {
	t.Helper()
	var args []any
	for strings.Contains(text, fmt.Sprintf("$%d", len(args)+1)) {
		args = append(args, 1)
	}
	rows, err := db.Query(text, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil || len(names) == 0 {
		t.Fatalf("no columns (%v) of %s", err, text)
	}
	return names
}

// Every statement that is asked by its name has a file, and every file is asked.
func TestStatementsAreTheirFiles(t *testing.T) {
	files := questions(t)
	asked := map[string]bool{}
	for _, file := range inPackages(t, "*.go") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range regexp.MustCompile(`\bstatement\("(\w*)"\)`).FindAllStringSubmatch(string(text), -1) {
			dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
			asked[dir+"/sql/"+call[1]+".sql"] = true
		}
	}
	for name := range asked {
		if _, ok := files[name]; !ok {
			t.Errorf("%s is not there", name)
		}
	}
	for name := range files {
		if !asked[name] {
			t.Errorf("%s is never asked", name)
		}
	}
}
