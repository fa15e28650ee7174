package dashboard_test

import (
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"labour/serve/partners/access"
	"labour/serve/state/statetest"
)

// receiver takes webhooks over TLS; roots are those that the service believes.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	messages []*http.Request
	bodies   [][]byte
}

// roots holds the certificate that every httptest server has.
var roots = func() *x509.CertPool {
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	return pool
}()

func newReceiver(t testing.TB) *receiver {
	r := &receiver{}
	r.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.messages, r.bodies = append(r.messages, q), append(r.bodies, body)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.messages)
}

// verified checks that message i is signed with a secret.
func (r *receiver) verified(t testing.TB, i int, secret string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	w, err := standardwebhooks.NewWebhook(secret)
	if err == nil {
		err = w.Verify(r.bodies[i], r.messages[i].Header)
	}
	if err != nil {
		t.Errorf("message %d: %v", i, err)
	}
}

// A key is made, named, used, rotated with and without grace, and revoked, on both
// kinds of database.
func TestLifeOfAKey(t *testing.T) {
	databases.RunOnEach(t, func(t *testing.T, address string) {
		s := newService(t, address)
		v := s.signedIn(s.north)
		id, first := v.makeKey(url.Values{"name": {"Reports <b>"}, "plan": {"standard"}, "scope": {"webhooks:manage"}})
		page := "/partner/keys/" + id
		v.get(page).want(t, http.StatusOK, "Reports &lt;b&gt;", "Standard", "webhooks:manage", "1,000")
		v.get("/partner").want(t, http.StatusOK, page)
		if status := v.call(first, "/v1/webhooks/endpoints"); status != http.StatusOK {
			t.Errorf("a new key: status %d", status)
		}
		v.post(page+"/name", url.Values{"name": {"Night job"}}).want(t, http.StatusSeeOther)
		v.get(page+"?done=named").want(t, http.StatusOK, "Night job", "new name")
		rotated := v.post(page+"/rotate", url.Values{"grace": {"1h"}})
		second := rotated.secret(t)
		// Its page is the beginning of the documentation, with the real key and address.
		rotated.want(t, http.StatusOK, "export LABOUR_KEY='"+second+"'",
			s.server.URL+"/v1/labour/skills-unmet?limit=5'")
		third := v.post(page+"/rotate", url.Values{"grace": {"0s"}}).secret(t)
		for secret, want := range map[string]int{first: http.StatusUnauthorized, second: http.StatusUnauthorized,
			third: http.StatusOK} {
			if status := v.call(secret, "/v1/webhooks/endpoints"); status != want {
				t.Errorf("after a rotation without grace: status %d, want %d", status, want)
			}
		}
		v.post(page+"/revoke", nil).want(t, http.StatusBadRequest, "Tick the box")
		v.post(page+"/revoke", url.Values{"sure": {"yes"}}).want(t, http.StatusSeeOther)
		if status := v.call(third, "/v1/webhooks/endpoints"); status != http.StatusUnauthorized {
			t.Errorf("a revoked key: status %d", status)
		}
		v.post(page+"/rotate", url.Values{"grace": {"1h"}}).want(t, http.StatusConflict)
		for _, path := range []string{"/partner", page, "/partner/usage"} {
			body := v.get(path).body
			for _, secret := range []string{first, second, third} {
				if strings.Contains(body, secret) || strings.Contains(s.said.String(), secret) {
					t.Errorf("%s or the log shows a secret", path)
				}
			}
		}
	})
}

// A partner chooses within what was granted and nothing else.
func TestOnlyWhatWasGranted(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	small, err := s.stores.Keys.CreatePartner(t.Context(), "Small")
	if err != nil {
		t.Fatal(err)
	}
	v := s.signedIn(small.ID)
	v.get("/partner").want(t, http.StatusOK, "Evaluation", "Nothing else is granted")
	for _, form := range []url.Values{
		{"plan": {"standard"}}, {"plan": {"partner"}}, {"plan": {""}}, {"plan": {"gold"}},
		{"plan": {"evaluation"}, "scope": {"jobs:read"}},
		{"plan": {"evaluation"}, "scope": {"labour:read", "developer"}},
		{"plan": {"evaluation"}, "scope": {"labour:write"}},
	} {
		v.post("/partner/keys", form).want(t, http.StatusForbidden, "not granted")
	}
	v.post("/partner/keys", url.Values{"plan": {"evaluation"}, "name": {"a\nb"}}).want(t, http.StatusBadRequest,
		"on one line")
	v.post("/partner/keys", url.Values{"plan": {"gold"}, "name": {"Night job"}}).want(t, http.StatusForbidden,
		`value="Night job"`) // what was typed and is not at fault stays in the form
	v.get("/partner/webhooks").want(t, http.StatusForbidden, "not granted")
	v.post("/partner/webhooks", url.Values{"url": {"https://labour.example"}}).want(t, http.StatusForbidden)
	allowed := url.Values{"plan": {"evaluation"}}
	id, _ := v.makeKey(allowed)
	v.makeKey(allowed)
	v.post("/partner/keys/"+id+"/revoke", url.Values{"sure": {"yes"}}).want(t, http.StatusSeeOther)
	// A revoked key does not make room for another in its month: its count of calls would restart.
	v.post("/partner/keys", allowed).want(t, http.StatusConflict, "as many keys")
	keys, err := s.stores.Keys.PartnerKeys(t.Context(), small.ID)
	if err != nil || len(keys) != 2 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
	for _, k := range keys {
		if k.Plan != access.PlanEvaluation || len(k.Scopes) != 1 || k.Hourly != nil {
			t.Errorf("%+v", k)
		}
	}
}

// An endpoint is made, tested with a message that verifies, redelivered, changed,
// rotated and deleted.
func TestWebhookOnThePages(t *testing.T) {
	databases.RunOnEach(t, func(t *testing.T, address string) {
		s, r := newService(t, address), newReceiver(t)
		v := s.signedIn(s.north)
		v.post("/partner/webhooks", url.Values{"url": {"http://labour.example"},
			"event_types": {"click.recorded"}}).want(t, http.StatusBadRequest, "only https", "http://labour.example")
		v.post("/partner/webhooks", url.Values{"url": {r.URL}}).want(t, http.StatusBadRequest, "tick at least one")
		id, secret := v.makeHook(r.URL + "/hooks")
		v.post("/partner/webhooks", url.Values{"url": {r.URL + "/hooks"}, "event_types": {"click.recorded"}}).want(t,
			http.StatusConflict, "exists")
		page := "/partner/webhooks/" + id
		v.post(page+"/test", nil).want(t, http.StatusSeeOther)
		eventually(t, "the test arrives", func() bool { return r.count() == 1 })
		r.verified(t, 0, secret)
		var delivery string
		eventually(t, "the page shows it", func() bool {
			a := v.get(page)
			if m := regexp.MustCompile(`data-delivery="(whd_[0-9A-Z]{26})"`).FindStringSubmatch(a.body); m != nil {
				delivery = m[1]
			}
			return strings.Contains(a.body, "received, status 200")
		})
		rotated := v.post(page+"/rotate", url.Values{"grace": {"1h"}}).secret(t)
		v.post(page+"/deliveries/"+delivery+"/redeliver", nil).want(t, http.StatusSeeOther)
		eventually(t, "it arrives again", func() bool { return r.count() == 2 })
		r.verified(t, 1, rotated)
		r.verified(t, 1, secret)
		if a, b := r.messages[0].Header.Get("webhook-id"), r.messages[1].Header.Get("webhook-id"); a != b {
			t.Errorf("the redelivered message is %s, not %s", b, a)
		}
		v.post(page+"/change", url.Values{"url": {r.URL + "/other"}, "description": {"new"},
			"event_types": {"outcome.recorded"}}).want(t, http.StatusSeeOther)
		v.get(page).want(t, http.StatusOK, "/other", "switched off")
		v.post(page+"/test", nil).want(t, http.StatusConflict, "Enable it first")
		v.post(page+"/delete", nil).want(t, http.StatusBadRequest, "Tick the box")
		v.post(page+"/delete", url.Values{"sure": {"yes"}}).want(t, http.StatusSeeOther)
		v.get(page).want(t, http.StatusNotFound)
		if said := s.said.String(); strings.Contains(said, secret) || strings.Contains(said, rotated) {
			t.Error("the log shows a signing secret")
		}
	})
}

// The keys and endpoints of another partner are not found by any request, and without signing in
// nothing is.
func TestAnotherPartnersAddressIs404(t *testing.T) {
	s, r := newService(t, statetest.SQLitePath(t)), newReceiver(t)
	owner, other := s.signedIn(s.north), s.signedIn(s.south)
	keyID, secret := owner.makeKey(url.Values{"name": {"Owned"}, "plan": {"standard"}})
	hookID, _ := owner.makeHook(r.URL)
	owner.post("/partner/webhooks/"+hookID+"/test", nil).want(t, http.StatusSeeOther)
	list, err := s.hook.ListDeliveries(t.Context(), s.north, hookID, "", 1)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	key, hook := "/partner/keys/"+keyID, "/partner/webhooks/"+hookID
	sure := url.Values{"sure": {"yes"}, "grace": {"0s"}, "name": {"Taken"}, "url": {"https://labour.example"},
		"event_types": {"click.recorded"}, "enabled": {"yes"}}
	// An id with which every one of these would find something if it were the owner's.
	mine, _ := other.makeHook("https://127.0.0.1:1/mine")
	for path, method := range map[string]string{
		key: "GET", "/partner/usage?key=" + keyID: "GET", key + "/name": "POST", key + "/rotate": "POST",
		key + "/revoke": "POST",
		hook:            "GET", hook + "/change": "POST", hook + "/rotate": "POST", hook + "/delete": "POST",
		hook + "/test": "POST",
		hook + "/deliveries/" + list[0].ID + "/redeliver":                        "POST",
		"/partner/webhooks/" + mine + "/deliveries/" + list[0].ID + "/redeliver": "POST",
		"/partner/keys/key_01ARZ3NDEKTSV4RRFFQ69G5FAV":                           "GET", "/partner/nothing": "GET",
	} {
		a := other.do(other.request(method, path, sure))
		a.want(t, http.StatusNotFound, "There is no such page")
		if strings.Contains(a.body, "Owned") || strings.Contains(a.body, r.URL) {
			t.Errorf("%s tells of another partner: %s", path, a.body)
		}
		if path != "/partner/nothing" {
			if a := s.visitor().do(other.request(method, path, sure)); a.StatusCode != http.StatusSeeOther ||
				a.Header.Get("Location") != "/partner" {
				t.Errorf("%s without signing in: status %d", path, a.StatusCode)
			}
		}
	}
	for _, path := range []string{"/partner", "/partner/usage", "/partner/webhooks"} {
		if a := other.get(path); strings.Contains(a.body, "Owned") || strings.Contains(a.body, keyID) ||
			strings.Contains(a.body, hookID) {
			t.Errorf("%s tells of another partner", path)
		}
	}
	if status := owner.call(secret, "/v1/labour/nothing"); status != http.StatusNotFound {
		t.Errorf("the owner's key after all this: status %d", status)
	}
	owner.get(key).want(t, http.StatusOK, "Owned")
	owner.get(hook).want(t, http.StatusOK, r.URL)
}
