package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
)

// notifying is an app with one setting of the environment.
func notifying(to string) (*app, *bytes.Buffer) {
	var said bytes.Buffer
	return &app{stdout: io.Discard, stderr: &said, now: time.Now,
		getenv: func(name string) (string, bool) { return to, name == notifyEnv && to != "" }}, &said
}

// TestNotifyTellsOfFailures: the receiver gets the sentence and the status once, nothing of
// success, and a failure to tell changes nothing else and names no address.
func TestNotifyTellsOfFailures(t *testing.T) {
	var got []string
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, string(body))
		w.WriteHeader(status)
	}))
	defer server.Close()
	a, said := notifying(server.URL + "/geheim")
	if err := a.withNotice(t.Context(), "labour run", func() error { return nil }); err != nil || len(got) != 0 {
		t.Errorf("success: %v, told %q", err, got)
	}
	failure := errors.Join(errSource, errors.New("platform"))
	if err := a.withNotice(t.Context(), "labour run", func() error { return failure }); err != failure || len(got) != 1 ||
		!strings.HasPrefix(got[0], `{"text":"labour run on `) ||
		!strings.Contains(got[0], "ended with status 3: a source failed") {
		t.Errorf("failure: %v, told %q", err, got)
	}
	status = http.StatusForbidden
	if err := a.withNotice(t.Context(), "labour run", func() error { return failure }); err != failure ||
		!strings.Contains(said.String(), "nobody was told: LABOUR_NOTIFY answered with status 403") {
		t.Errorf("refused: %v, %q", err, said)
	}
	server.Close()
	if err := a.withNotice(t.Context(), "labour run", func() error { return failure }); err != failure ||
		strings.Contains(said.String(), "geheim") {
		t.Errorf("no server: %v, %q", err, said)
	}
}

// TestNotifyNeedsAnAddress: an address that cannot be used is refused before the work begins.
func TestNotifyNeedsAnAddress(t *testing.T) {
	for to, want := range map[string]string{"": "set LABOUR_NOTIFY", "council.example": "set LABOUR_NOTIFY",
		"http://council.example/hook": "set LABOUR_NOTIFY", "mailto:nobody": "set LABOUR_NOTIFY",
		"mailto:a@b.example": smtpHost} {
		a, _ := notifying(to)
		err := a.withNotice(t.Context(), "labour run", func() error { t.Error("the work began"); return nil })
		if err == nil || exitStatus(err) != 2 || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", to, err)
		}
	}
}

// TestAlertRulesNameMetrics: the rules are YAML, and each metric of them is documented.
func TestAlertRulesNameMetrics(t *testing.T) {
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr, For string }
		}
	}
	if err := yaml.Unmarshal([]byte(deployFile(t, "alerts.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Groups) != 1 || len(file.Groups[0].Rules) < 3 {
		t.Fatalf("%+v", file)
	}
	for _, r := range file.Groups[0].Rules {
		metric := regexp.MustCompile(`labour_\w+`).FindString(r.Expr)
		if metric == "" || !strings.Contains(deployFile(t, "README.md"), "`"+metric+"`") {
			t.Errorf("%s: %q is no documented metric", r.Alert, metric)
		}
	}
}

// TestFailuresOfUnitsAreTold: the units of the schedule name the one that tells of them.
func TestFailuresOfUnitsAreTold(t *testing.T) {
	for _, unit := range []string{"labour-run.service", "labour-prune.service"} {
		if got := settings(t, unit)["Unit.OnFailure"]; len(got) != 1 || got[0] != "labour-failed@%n.service" {
			t.Errorf("%s: OnFailure=%v", unit, got)
		}
	}
}
