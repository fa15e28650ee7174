package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/serve/partners/access"
	"labour/snapshots/snaptest"
)

// secretUses is a running service that is used in every way that meets a secret.
type secretUses struct {
	t       *testing.T
	s       *service
	said    shared // by the commands and the server
	data    string
	a       *app
	all     map[string]string // secret → what it is
	hookKey string
}

// TestNoSecretIsWrittenDown uses keys and signing secrets well and wrongly, and then
// looks for each in every log line, every answer that is not the one that shows it,
// and every file of the data directory.
func TestNoSecretIsWrittenDown(t *testing.T) {
	x := &secretUses{t: t, data: filepath.Join(t.TempDir(), "data"), all: map[string]string{},
		hookKey: strings.Repeat("0f1e", 16)}
	x.all[x.hookKey] = "the key of the signing secrets"
	snaptest.BuildSnapshot(t, x.data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	x.a = &app{stdout: &bytes.Buffer{}, stderr: &x.said, now: time.Now, random: rand.Reader, version: "test",
		verbose: true,
		getenv:  func(name string) (string, bool) { return x.hookKey, name == webhookKey }}
	var err error
	if x.s, err = x.a.newService(context.Background(),
		serveOptions{keyOptions: keyOptions{DataFlag: cli.DataFlag{Data: x.data}}, AllowLoopbackWebhooks: true},
		slog.New(slog.NewJSONHandler(&x.said, &slog.HandlerOptions{Level: slog.LevelDebug}))); err != nil {
		t.Fatal(err)
	}
	x.use()
	files := x.look()
	if err := x.s.close(); err != nil {
		t.Error(err)
	}
	if files < 3 || !strings.Contains(x.said.String(), `"route":"/v1/jobs"`) {
		t.Errorf("%d files and this log were looked at: %s", files, x.said.String())
	}
	x.look() // again, now that everything is in the main file
}

// use makes and uses secrets.
func (x *secretUses) use() {
	first := x.command("key", "create", "--data", x.data, "--partner", "North", "--scope", "all", "--plan", "partner")
	x.all[first] = "a key"
	var id string
	keys, err := x.s.stores.Keys.ListKeys(context.Background(), "North")
	if err != nil || len(keys) != 1 {
		x.t.Fatalf("%v, %v", keys, err)
	}
	id = keys[0].ID
	second := x.command("key", "rotate", id, "--data", x.data)
	x.all[second] = "a rotated key"
	x.command("key", "list", "--data", x.data, "--json")
	x.command("partner", "list", "--data", x.data)
	wrong := first[:len(first)-1] + map[bool]string{true: "1", false: "0"}[first[len(first)-1] == '0']
	unknown := access.ModeLive
	x.all[wrong] = "a mistyped key"
	for _, secret := range []string{first, second, wrong, string(unknown) + "_nothing"} {
		x.call("GET", "/v1/jobs", secret, "")
		x.call("GET", "/v1/jobs?key="+secret, secret, "")
		x.call("GET", "/v1/"+secret, secret, "")
		x.call("DELETE", "/v1/labour/regions?name="+secret, secret, "")
	}
	var made struct {
		Data struct{ ID, Secret string }
	}
	x.read(x.call("POST", "/v1/webhooks/endpoints", second, `{"url":"https://127.0.0.1:1/hooks"}`), &made)
	x.all[made.Data.Secret] = "a signing secret"
	path := "/v1/webhooks/endpoints/" + made.Data.ID
	var rotated struct{ Data struct{ Secret string } }
	x.read(x.call("POST", path+"/rotate-secret", second, ""), &rotated)
	x.all[rotated.Data.Secret] = "a rotated signing secret"
	for raw, what := range map[string]string{strings.TrimPrefix(made.Data.Secret,
		"whsec_"): "a signing secret without its beginning"} {
		x.all[raw] = what
	}
	x.call("POST", path+"/test", second, "")
	x.call("GET", path, second, "")
	for range 6000 { // until an attempt was made and failed
		if strings.Contains(x.call("GET", path+"/deliveries", second, ""), "connection_refused") {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	x.signIn()
	x.command("key", "revoke", id, "--data", x.data)
	x.call("GET", "/v1/jobs", second, "")
}

// signIn uses a link well and once more, makes a key on the page, and looks at it.
func (x *secretUses) signIn() {
	link := x.command("partner", "invite", "North", "--data", x.data, "--email", "one@labour.example")
	path := link[strings.Index(link, "/partner/"):]
	x.all[strings.TrimPrefix(path, "/partner/sign-in/")] = "a sign-in link"
	ask := func(method, path, form string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		x.s.handler.ServeHTTP(w, r)
		return w
	}
	cookies := ask("POST", path, "").Result().Cookies()
	if len(cookies) != 1 {
		x.t.Fatalf("%d cookies", len(cookies))
	}
	x.all[cookies[0].Value] = "a session"
	if ask("POST", path, "").Code != http.StatusGone {
		x.t.Error("a link was used twice")
	}
	if err := x.s.stores.Keys.SetGrant(context.Background(), x.partner(),
		access.Grant{Plan: access.PlanStandard, Keys: 9}); err != nil {
		x.t.Fatal(err)
	}
	made := ask("POST", "/partner/keys", "plan=standard&name=Paper", cookies...).Body.String()
	_, rest, found := strings.Cut(made, `<code id="secret">`)
	secret, _, closed := strings.Cut(rest, "</code>")
	if !found || !closed {
		x.t.Fatal(made)
	}
	x.all[secret] = "a key that a partner made"
	for _, page := range []string{"/partner", "/partner/usage"} {
		answer := ask("GET", page, "", cookies...).Body.String()
		if x.unsaid(page, answer); !strings.Contains(answer, "Paper") {
			x.t.Errorf("%s does not show the key", page)
		}
	}
}

// partner is the id of the partner.
func (x *secretUses) partner() string {
	x.t.Helper()
	id, err := x.s.stores.Keys.PartnerID(context.Background(), "North")
	if err != nil {
		x.t.Fatal(err)
	}
	return id
}

// command runs a command and gives its first line.
func (x *secretUses) command(args ...string) string {
	x.t.Helper()
	var out bytes.Buffer
	a := *x.a
	a.stdout = &out
	root := newRoot(&a)
	root.SetArgs(args)
	if err := root.ExecuteContext(context.Background()); err != nil {
		x.t.Fatalf("%v: %v", args, err)
	}
	line, rest, _ := strings.Cut(out.String(), "\n")
	if args[1] == "list" {
		rest += line
	}
	x.unsaid(strings.Join(args[:2], " "), rest)
	return line
}

// call makes a call and gives its answer.
func (x *secretUses) call(method, path, secret, body string) string {
	x.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+secret)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	x.s.handler.ServeHTTP(w, r)
	if w.Code >= http.StatusInternalServerError {
		x.t.Errorf("%s %s: status %d", method, path, w.Code)
	}
	answer := w.Body.String()
	x.unsaid("the answer to "+method, answer)
	return answer
}

func (x *secretUses) read(answer string, into any) {
	x.t.Helper()
	if err := json.Unmarshal([]byte(answer), into); err != nil {
		x.t.Fatalf("%v: %s", err, answer)
	}
}

func (x *secretUses) unsaid(where, text string) {
	x.t.Helper()
	for secret, what := range x.all {
		if secret != "" && strings.Contains(text, secret) {
			x.t.Errorf("%s shows %s", where, what)
		}
	}
}

// look searches the log and every file, and returns the number of files.
func (x *secretUses) look() (files int) {
	x.t.Helper()
	x.unsaid("the log", x.said.String())
	err := filepath.WalkDir(x.data, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		x.unsaid(filepath.Base(path), string(b))
		return err
	})
	if err != nil {
		x.t.Error(err)
	}
	return files
}
