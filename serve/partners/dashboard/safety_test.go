package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"labour/serve/partners/signin"
	"labour/serve/state/statetest"
)

// Programs that look into mail follow the link, also twice, and the person still
// gets in; then it is used up. The cookie has every flag.
func TestSigningIn(t *testing.T) {
	databases.RunOnEach(t, func(t *testing.T, address string) {
		s := newService(t, address)
		link := s.link(s.north)
		scanner, person := s.visitor(), s.visitor()
		for range 2 {
			a := scanner.get(link)
			a.want(t, http.StatusOK, `<form method="post" action="`+link+`">`)
			if len(a.Cookies()) != 0 || a.Header.Get("Referrer-Policy") != "same-origin" {
				t.Errorf("looking at a link: %v", a.Header)
			}
		}
		a := person.post(link, nil)
		if len(a.Cookies()) != 1 {
			t.Fatalf("%d cookies", len(a.Cookies()))
		}
		c := a.Cookies()[0]
		if !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" ||
			!strings.HasPrefix(c.Name, "__Host-") || c.MaxAge != int(signin.MaxSessionAge.Seconds()) {
			t.Errorf("%s", c)
		}
		person.get("/partner").want(t, http.StatusOK, "Your keys")
		for _, again := range []answer{scanner.get(link), scanner.post(link, nil), person.post(link, nil),
			scanner.get("/partner/sign-in/wrong"), scanner.post("/partner/sign-in/wrong", nil)} {
			again.want(t, http.StatusGone, "not valid any more")
		}
		scanner.get("/partner").want(t, http.StatusOK, "sign in here")
		token := strings.TrimPrefix(link, "/partner/sign-in/")
		if said := s.said.String(); strings.Contains(said, token) || strings.Contains(said, c.Value) ||
			!strings.Contains(said, "/partner/sign-in/{token}") {
			t.Errorf("the log shows a link or a session, or no route: %s", said)
		}
	})
}

// A session ends when it was not used for a while, at its end whatever happens, and
// when its owner signs out, also for a copy of the cookie.
func TestSessionsEnd(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	in := func(v *visitor) bool { return v.get("/partner/usage").StatusCode == http.StatusOK }
	v := s.signedIn(s.north)
	s.pass(signin.SessionIdleTimeout - time.Minute)
	if !in(v) {
		t.Error("ended before it was idle")
	}
	s.pass(signin.SessionIdleTimeout + time.Minute)
	if in(v) {
		t.Error("an idle session goes on")
	}
	v = s.signedIn(s.north)
	for range int(signin.MaxSessionAge/time.Hour) - 1 {
		s.pass(time.Hour)
		if !in(v) {
			t.Error("a session in use ended")
		}
	}
	s.pass(time.Hour + time.Second)
	if in(v) {
		t.Error("a session goes on for ever")
	}
	v = s.signedIn(s.north)
	thief := s.visitor()
	base, err := url.Parse(s.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	thief.client.Jar.SetCookies(base, v.client.Jar.Cookies(base))
	if !in(thief) {
		t.Fatal("the cookie was not copied")
	}
	v.post("/partner/sign-out", nil).want(t, http.StatusSeeOther)
	if in(v) || in(thief) {
		t.Error("signing out did not end the session")
	}
}

// A change is refused if another site's page requests it, even with the cookie. Following a link
// changes nothing.
func TestOtherSitesCanChangeNothing(t *testing.T) {
	s, r := newService(t, statetest.SQLitePath(t)), newReceiver(t)
	v := s.signedIn(s.north)
	keyID, secret := v.makeKey(url.Values{"plan": {"standard"}})
	hookID, _ := v.makeHook(r.URL)
	form := url.Values{"sure": {"yes"}, "grace": {"0s"}, "name": {"Taken"}, "plan": {"standard"},
		"url": {"https://labour.example"}, "event_types": {"click.recorded"}}
	paths := []string{"/partner/keys", "/partner/keys/" + keyID + "/name", "/partner/keys/" + keyID + "/rotate",
		"/partner/keys/" + keyID + "/revoke",
		"/partner/webhooks", "/partner/webhooks/" + hookID + "/change", "/partner/webhooks/" + hookID + "/rotate",
		"/partner/webhooks/" + hookID + "/delete",
		"/partner/webhooks/" + hookID + "/test", "/partner/webhooks/" + hookID + "/deliveries/x/redeliver",
		"/partner/sign-out", "/partner/sign-in", s.link(s.south)}
	for _, path := range paths {
		for _, header := range []http.Header{{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}},
			{"Origin": {"https://other.example"}}, {"Origin": {"null"}}} {
			q := v.request(http.MethodPost, path, form)
			q.Header.Del("Origin")
			q.Header.Del("Sec-Fetch-Site")
			for name, values := range header {
				q.Header[name] = values
			}
			v.do(q).want(t, http.StatusForbidden, "another site")
		}
	}
	for _, path := range paths[:10] {
		if a := v.do(v.request(http.MethodGet, path+"?"+form.Encode(), nil)); a.StatusCode == http.StatusSeeOther ||
			strings.Contains(a.body, `id="secret"`) {
			t.Errorf("GET %s did something: status %d", path, a.StatusCode)
		}
	}
	v.get("/partner/keys/"+keyID).want(t, http.StatusOK, "in use")
	if status := v.call(secret, "/v1/labour/nothing"); status != http.StatusNotFound {
		t.Errorf("the key: status %d", status)
	}
	if list, err := s.hook.ListEndpoints(t.Context(), s.north); err != nil || len(list) != 1 ||
		strings.TrimSuffix(list[0].URL, "/") != r.URL {
		t.Errorf("%+v, %v", list, err)
	}
	if r.count() != 0 {
		t.Error("a test message was sent")
	}
}

// A link is mailed to an address that is known, with the operator's own base; an
// unknown one gets the same answer and no mail.
func TestMailedLink(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	if err := s.stores.Signin.AddAddress(t.Context(), s.north, "one@labour.example"); err != nil {
		t.Fatal(err)
	}
	v := s.visitor()
	v.get("/partner").want(t, http.StatusOK, "Mail me a sign-in link")
	v.post("/partner/sign-in", url.Values{"email": {"nonsense"}}).want(t, http.StatusBadRequest,
		"Give an e-mail address")
	unknown := v.post("/partner/sign-in", url.Values{"email": {"nobody@labour.example"}})
	q := v.request(http.MethodPost, "/partner/sign-in", url.Values{"email": {"One@labour.example"}})
	q.Host = "evil.example"
	q.Header.Del("Origin")
	known := v.do(q)
	if unknown.StatusCode != http.StatusSeeOther || known.StatusCode != unknown.StatusCode ||
		known.Header.Get("Location") != unknown.Header.Get("Location") {
		t.Errorf("the answers differ: %d, %d", known.StatusCode, unknown.StatusCode)
	}
	mail := <-s.mails
	path, ours := strings.CutPrefix(mail[1], "https://labour.example")
	if mail[0] != "one@labour.example" || !ours || len(s.mails) != 0 {
		t.Fatalf("%v and %d more", mail, len(s.mails))
	}
	v.post(path, nil).want(t, http.StatusSeeOther)
	v.get("/partner").want(t, http.StatusOK, "North")
	if said := s.said.String(); strings.Contains(said, "@labour.example") ||
		strings.Contains(said, strings.TrimPrefix(path, "/partner/sign-in/")) {
		t.Error("the log shows an address or a link")
	}
}

// A form that cannot be read or is too large changes nothing.
func TestBadForms(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	v := s.signedIn(s.north)
	v.post("/partner/keys", url.Values{"name": {strings.Repeat("x", 100<<10)}}).want(t,
		http.StatusRequestEntityTooLarge)
	q := v.request(http.MethodPost, "/partner/keys?plan=%zz", nil)
	v.do(q).want(t, http.StatusBadRequest)
	if keys, err := s.stores.Keys.PartnerKeys(t.Context(), s.north); err != nil || len(keys) != 0 {
		t.Error(keys, err)
	}
	a := v.do(v.request(http.MethodDelete, "/partner/keys", nil))
	if a.StatusCode == http.StatusOK {
		t.Errorf("DELETE: status %d", a.StatusCode)
	}
}

// The usage page shows the calls at once.
func TestUsagePage(t *testing.T) {
	databases.RunOnEach(t, func(t *testing.T, address string) {
		s := newService(t, address)
		v := s.signedIn(s.north)
		id, secret := v.makeKey(url.Values{"name": {"Counted"}, "plan": {"evaluation"}})
		for range 3 {
			v.call(secret, "/v1/s106")
		}
		v.call(secret, "/v1/"+secret)
		a := v.get("/partner/usage?key=" + id)
		a.want(t, http.StatusOK, `data-f="today">4<`,
			`data-f="month">4<`, "96 of 100", "9,996 of 10,000", "Calls of today by hour, in UTC: 4 so far")
		_, other := v.makeKey(url.Values{"name": {"Other"}, "plan": {"evaluation"}})
		v.call(other, "/v1/s106")
		v.get("/partner/usage?key="+id).want(t, http.StatusOK, "<h2>Calls this month: 4</h2>",
			"Calls of this month by day, in UTC: 4 so far")
		v.get("/partner/usage").want(t, http.StatusOK, `data-f="today">5<`, `data-f="month">4<`, `data-f="month">1<`,
			"<h2>Calls this month: 5</h2>", "Calls of this month by day, in UTC: 5 so far")
		if strings.Contains(a.body, secret) {
			t.Error("the page shows what the caller wrote")
		}
		s.signedIn(s.south).get("/partner/usage").want(t, http.StatusOK, `data-f="today">0<`)
	})
}

// BenchmarkPages shows how long a page takes on the server, over TLS on loopback.
func BenchmarkPages(b *testing.B) {
	s := newService(b, statetest.SQLitePath(b))
	v := s.signedIn(s.north)
	id, secret := v.makeKey(url.Values{"plan": {"standard"}})
	v.call(secret, "/v1/s106")
	for _, path := range []string{"/partner", "/partner/keys/" + id, "/partner/usage", "/partner/webhooks"} {
		b.Run(strings.ReplaceAll(strings.TrimSuffix(path, id), "/", "_"), func(b *testing.B) {
			for b.Loop() {
				v.get(path).want(b, http.StatusOK)
			}
		})
	}
}
