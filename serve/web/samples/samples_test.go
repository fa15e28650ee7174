package samples_test

import (
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"labour/serve/web/samples"
)

// The secret, time and body of the delivery that every sample is tried on. The
// signature is made by the library of the standard.
const (
	secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	body   = `{"id":"evt_1","type":"outcome.recorded","data":{"borough":"camden"}}`
)

var sentAt = time.Unix(1_795_000_000, 0)

func signature(t *testing.T) string {
	t.Helper()
	signer, err := webhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign("msg_1", sentAt, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return "v1,bm90IHRoaXMgb25l " + signed // as while a secret is rotated
}

// cases are what a sample must say of deliveries that differ in one thing.
func cases(t *testing.T) []struct {
	name, body, signature string
	now                   time.Time
	want                  bool
} {
	good := signature(t)
	return []struct {
		name, body, signature string
		now                   time.Time
		want                  bool
	}{
		{"as sent", body, good, sentAt, true},
		{"a minute late", body, good, sentAt.Add(time.Minute), true},
		{"another body", strings.Replace(body, "camden", "brent", 1), good, sentAt, false},
		{"another signature", body, "v1,bm90IHRoaXMgb25l", sentAt, false},
		{"another version", body, strings.ReplaceAll(good, "v1,", "v2,"), sentAt, false},
		{"too old", body, good, sentAt.Add(time.Hour), false},
		{"a signature of other letters", body, "v1,é", sentAt, false},
		{"no headers", body, "", sentAt, false},
	}
}

func TestGo(t *testing.T) {
	for _, c := range cases(t) {
		h := http.Header{}
		if c.signature != "" {
			h.Set("webhook-id", "msg_1")
			h.Set("webhook-timestamp", strconv.FormatInt(sentAt.Unix(), 10))
			h.Set("webhook-signature", c.signature)
		}
		if err := samples.VerifyWebhook(secret, h, []byte(c.body), c.now); (err == nil) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// The other languages are run where their programs are installed. Each call prints
// true or false.
func TestOtherLanguages(t *testing.T) {
	for _, l := range []struct {
		program string
		args    func(call string) []string
		call    string // of verify with secret, headers, body, now
		headers string // with time and signature
		none    string // no headers
	}{
		{"python3", func(call string) []string {
			return []string{"-c", "import verify\nprint(str(" + call + ").lower(), end='')"}
		},
			`verify.verify(%s, %h, %b.encode(), %n)`,
			`{"webhook-id": "msg_1", "webhook-timestamp": %t, "webhook-signature": %g}`, `{}`},
		{"node", func(call string) []string {
			return []string{"-e", `const {verify} = require("./verify.js"); process.stdout.write(String(` + call + `))`}
		}, `verify(%s, %h, Buffer.from(%b), %n)`,
			`{"webhook-id": "msg_1", "webhook-timestamp": %t, "webhook-signature": %g}`, `{}`},
		{"php", func(call string) []string {
			return []string{"-r", `require "./verify.php"; echo ` + call + ` ? "true" : "false";`}
		}, `verify(%s, %h, %b, %n)`, `["webhook-id" => "msg_1", "webhook-timestamp" => %t, "webhook-signature" => %g]`,
			`[]`},
	} {
		t.Run(l.program, func(t *testing.T) {
			if _, err := exec.LookPath(l.program); err != nil {
				t.Skipf("%s is not installed", l.program)
			}
			for _, c := range cases(t) {
				quoted := func(s string) string { return "'" + s + "'" }
				call := strings.Replace(l.call, "%h",
					map[bool]string{true: l.none, false: l.headers}[c.signature == ""], 1)
				call = strings.NewReplacer("%s", quoted(secret), "%t", quoted(strconv.FormatInt(sentAt.Unix(), 10)),
					"%g", quoted(c.signature),
					"%b", quoted(c.body), "%n", strconv.FormatInt(c.now.Unix(), 10)).Replace(call)
				run := exec.Command(l.program, l.args(call)...)
				run.Env = append(run.Environ(), "PYTHONDONTWRITEBYTECODE=1")
				out, err := run.CombinedOutput()
				if err != nil || string(out) != strconv.FormatBool(c.want) {
					t.Errorf("%s: %s, want %t (%v)", c.name, out, c.want, err)
				}
			}
		})
	}
}
