package dashboard

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"labour/serve/api"
)

func TestWhatAnAttemptCameTo(t *testing.T) {
	status := func(n int) *int { return &n }
	fault := func(s string) *string { return &s }
	for _, c := range []struct {
		status *int
		fault  *string
		want   string
	}{
		{status(204), nil, "received, status 204"}, {status(500), fault("status"), "answered with status 500"},
		{nil, fault("timeout"), "no answer in time"}, {nil, fault("something new"), "the network failed on the way"},
	} {
		if got := describeAttempt(api.WebhookAttempt{HTTPStatus: c.status, Fault: c.fault}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// An internal error is logged with its cause, which the page does not show. A refusal is not logged.
func TestInternalErrorsAreLogged(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		logged bool
	}{{errors.New("a broken database"), http.StatusInternalServerError, true}, {errNoPage, http.StatusNotFound, false},
		{errNoHooks, http.StatusForbidden, false}} {
		var log bytes.Buffer
		var shown Page
		d := &handler{Options: Options{Log: slog.New(slog.NewTextHandler(&log, nil))},
			show: func(_ http.ResponseWriter, _ *http.Request, p Page) { shown = p }}
		d.showError(&request{Request: httptest.NewRequest(http.MethodGet, RootPath, nil), w: httptest.NewRecorder()}, c.err)
		if shown.Status != c.status || shown.Template != "refused" ||
			strings.Contains(log.String(), "a broken database") != c.logged {
			t.Errorf("%v: %+v, and the log says %q", c.err, shown, &log)
		}
	}
}
