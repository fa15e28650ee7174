package dashboard_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"labour/serve/partners/access"
	"labour/serve/partners/dashboard"
	"labour/serve/state/statetest"
	"labour/serve/web/words"
)

// Keys that can be used stand first, each group in the order in which it was made. The others say
// why they cannot.
func TestUsableKeysComeFirst(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	v := s.signedIn(s.north)
	revoked, _ := v.makeKey(url.Values{"name": {"Was revoked"}, "plan": {"standard"}})
	end := s.now().Add(time.Minute)
	expired, _, err := s.stores.Keys.CreateKey(t.Context(), access.KeyRequest{Partner: "North", Label: "Has expired",
		ExpiresAt: &end})
	if err != nil {
		t.Fatal(err)
	}
	v.makeKey(url.Values{"name": {"Still good"}, "plan": {"evaluation"}})
	v.post("/partner/keys/"+revoked+"/revoke", url.Values{"sure": {"yes"}}).want(t, http.StatusSeeOther)
	s.pass(2 * time.Minute)
	page := v.get("/partner").body
	good, expiredAt, revokedAt := strings.Index(page, "Still good"), strings.Index(page, "Has expired"),
		strings.Index(page, "Was revoked")
	if good < 0 || good > revokedAt || good > expiredAt || revokedAt < 0 || expiredAt < 0 {
		t.Errorf("the keys stand at %d, %d and %d", good, expiredAt, revokedAt)
	}
	tag := func(id string) string {
		found := regexp.MustCompile(`<dt>State</dt><dd>(?s:.*?)</dd>`).FindString(v.get("/partner/keys/" + id).body)
		return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(found, " ")), " ")
	}
	if got := tag(expired.ID) + ", " + tag(revoked); got != "State expired, State revoked" {
		t.Errorf("the states are %s", got)
	}
	if a := v.get("/partner/keys/" + expired.ID); strings.Contains(a.body, "/rotate") {
		t.Error("an expired key is offered a new secret, which would be refused")
	}
	v.post("/partner/keys/"+expired.ID+"/rotate", url.Values{"grace": {"1h"}}).want(t, http.StatusConflict,
		"An expired key has no new secret.")
}

func TestAPlanWithoutAMonthlyLimit(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	if err := s.stores.Keys.SetGrant(t.Context(), s.north, access.Grant{Plan: access.PlanPartner,
		Scopes: access.Scopes(), Keys: 1}); err != nil {
		t.Fatal(err)
	}
	page := s.signedIn(s.north).get("/partner").body
	for _, want := range []string{"100 calls an hour, 10,000 a month", "1,000 calls an hour, 250,000 a month",
		"10,000 calls an hour", "at most 1, 1 left. A key counts until the end of the month in which it is revoked"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page, "calls an hour, 0 a month") {
		t.Error("a plan without a monthly limit has one of 0")
	}
	const north = "<dt>Plan</dt><dd>up to Partner: 10,000 calls an hour, for each key</dd>"
	const south = "<dt>Plan</dt><dd>up to Standard: 1,000 calls an hour, 250,000 a month, for each key</dd>"
	if !strings.Contains(page, north) {
		t.Errorf("the grant is not %q", north)
	}
	s.signedIn(s.south).get("/partner").want(t, http.StatusOK, south)
}

// Only a grace period of the list is taken, for keys and for webhooks. Both take each of the list.
func TestGracePeriodsAreThoseOfTheList(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	v := s.signedIn(s.north)
	key, secret := v.makeKey(url.Values{"plan": {"standard"}})
	hook, _ := v.makeHook("https://127.0.0.1:1/hooks")
	paths := []string{"/partner/keys/" + key, "/partner/webhooks/" + hook}
	for _, path := range paths {
		for _, grace := range []string{"", "2h", "1", "-1h", "200h"} {
			v.post(path+"/rotate", url.Values{"grace": {grace}}).want(t, http.StatusBadRequest,
				"Choose when the old secret expires.")
		}
		for grace, said := range map[string]string{"1h": "after 1 hour", "168h": "after 7 days"} {
			v.post(path+"/rotate", url.Values{"grace": {grace}}).want(t, http.StatusOK, said)
		}
	}
	if status := v.call(secret, "/v1/labour/nothing"); status != http.StatusNotFound {
		t.Errorf("the first secret after rotations with grace: %d", status)
	}
	for _, path := range paths {
		for _, choice := range words.List("grace") {
			v.post(path+"/rotate", url.Values{"grace": {choice.Value}}).want(t, http.StatusOK)
		}
	}
}

// A refused change shows what was typed, and an endpoint without event types is refused.
func TestARefusedChangeOfAnEndpoint(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	v := s.signedIn(s.north)
	id, _ := v.makeHook("https://127.0.0.1:1/hooks")
	page := "/partner/webhooks/" + id
	v.post(page+"/change", url.Values{"url": {"http://typed.example"}, "description": {"Typed words"},
		"event_types": {"click.recorded"}}).want(t, http.StatusBadRequest, "only https", `value="http://typed.example"`,
		`value="Typed words"`)
	v.post(page+"/change", url.Values{"url": {"https://127.0.0.1:1/hooks"}}).want(t, http.StatusBadRequest,
		"tick at least one")
	a := v.post(page+"/rotate", url.Values{"grace": {"2h"}, "url": {"http://typed.example"}})
	if a.want(t, http.StatusBadRequest, `value="https://127.0.0.1:1/hooks"`); strings.Contains(a.body, "typed.example") {
		t.Error("the refused rotation changes the form")
	}
}

// A page has 25 deliveries, the newest first, with links to older ones and back.
func TestDeliveriesHavePages(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	v := s.signedIn(s.north)
	id, _ := v.makeHook("https://127.0.0.1:1/hooks")
	page := "/partner/webhooks/" + id
	shown := func(path string) (ids []string, older, newest bool) {
		body := v.get(path).body
		for _, m := range regexp.MustCompile(`data-delivery="(whd_[0-9A-Z]{26})"`).FindAllStringSubmatch(body, -1) {
			ids = append(ids, m[1])
		}
		return ids, strings.Contains(body, ">Older</a>"), strings.Contains(body, ">Newest</a>")
	}
	for n := 1; n <= 26; n++ {
		if _, err := s.hook.SendTest(t.Context(), s.north, id); err != nil {
			t.Fatal(err)
		}
		if n < 25 {
			continue
		}
		if ids, older, newest := shown(page); len(ids) != 25 || older != (n > 25) || newest {
			t.Errorf("of %d deliveries %d are shown, with older ones: %v, with newer ones: %v", n, len(ids), older, newest)
		}
	}
	first, _, _ := shown(page)
	body := v.get(page).body
	next := `href="` + page + `?before=` + first[24] + `"`
	if !strings.Contains(body, next) {
		t.Errorf("the page has no %s", next)
	}
	if ids, older, newest := shown(page + "?before=" + first[24]); len(ids) != 1 || older || !newest ||
		ids[0] == first[24] {
		t.Errorf("the second page has %q, with older ones: %v, with newer ones: %v", ids, older, newest)
	}
	if !strings.Contains(v.get(page+"?before="+first[24]).body, `<a href="`+page+`">Newest</a>`) {
		t.Error("the second page does not lead back")
	}
}

// A page that does not exist is the same for everybody.
func TestAnUnknownPageNeedsNoSession(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	s.visitor().get("/partner/nothing").want(t, http.StatusNotFound, "There is no such page")
}

// unmailed is a mailer that fails.
type unmailed struct{}

func (unmailed) SendLink(context.Context, string, string, time.Time) error {
	return errors.New("no mail server")
}

// A mail that cannot be sent is logged, and so is a link that cannot be made. Mail that is not set
// up does not exist.
func TestLinksThatAreNotMailed(t *testing.T) {
	s := newService(t, statetest.SQLitePath(t))
	if err := s.stores.Signin.AddAddress(t.Context(), s.north, "one@labour.example"); err != nil {
		t.Fatal(err)
	}
	linkMails := dashboard.NewSignInMailQueue(s.stores.Signin, unmailed{}, "https://labour.example",
		slog.New(slog.NewTextHandler(&s.said, nil)))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go linkMails.Run(ctx)
	linkMails.RequestLink("nobody@labour.example")
	linkMails.RequestLink("one@labour.example")
	eventually(t, "the failed mail is logged", func() bool { return strings.Contains(s.said.String(), "no mail server") })
	if strings.Contains(s.said.String(), "sign-in/") {
		t.Error("the log has a link")
	}
	if n := strings.Count(s.said.String(), "level=ERROR"); n != 1 {
		t.Errorf("%d errors are logged, want that of the failed mail only: an unknown address is none", n)
	}
	var shown dashboard.Page
	pages := dashboard.New(dashboard.Options{Signin: s.stores.Signin, Now: s.now, Log: slog.New(slog.DiscardHandler)},
		func(_ http.ResponseWriter, _ *http.Request, p dashboard.Page) { shown = p })
	v := s.visitor()
	pages.ServeHTTP(nullWriter{http.Header{}}, v.request(http.MethodPost, "/partner/sign-in",
		url.Values{"email": {"a@b.example"}}))
	if shown.Status != http.StatusNotFound {
		t.Errorf("without mail the form leads to %+v", shown)
	}
}

// nullWriter is a response that nobody reads.
type nullWriter struct{ header http.Header }

func (w nullWriter) Header() http.Header         { return w.header }
func (w nullWriter) Write(b []byte) (int, error) { return len(b), nil }
func (w nullWriter) WriteHeader(int)             {}
