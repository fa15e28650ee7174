package serve

import (
	"strings"
	"testing"

	"labour/serve/partners/access"
)

// JSON has one kind of number, so that the schema of a whole number holds 3600.0 too.
func TestWholeNumbersOfJSON(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeWebhooksManage)
	path := "/" + s.manage(t, 201, "POST", "", hookBody).Data.ID + "/rotate-secret"
	for body, want := range map[string]int{
		`{"grace_seconds":3600.0}`:   200,
		`{"grace_seconds":3.6e3}`:    200,
		`{"grace_seconds":604800.0}`: 200,
		`{"grace_seconds":0.5}`:      400,
		`{"grace_seconds":604800.5}`: 400,
		`{"grace_seconds":604801.0}`: 400,
		`{"grace_seconds":-1.0}`:     400,
		`{"grace_seconds":1e400}`:    400,
		`{"grace_seconds":"3600"}`:   400,
	} {
		res := s.send(t, "POST", endpointsPath+path, body, "Authorization", "Bearer "+s.secret,
			"Content-Type", "application/json")
		if res.status != want {
			t.Errorf("%s: %d, want %d: %s", body, res.status, want, res.body)
		}
	}
}

// A description with U+0000 may be short, so that the fault names the character.
func TestZeroCharacterInADescription(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.ScopeWebhooksManage)
	res := s.send(t, "POST", endpointsPath, `{"url":"https://a.example/","description":"a\u0000b"}`,
		"Authorization", "Bearer "+s.secret, "Content-Type", "application/json")
	details := errorOf(t, res).Details
	if res.status != 400 || len(details) != 1 || !strings.Contains(details[0].Message, "U+0000") {
		t.Errorf("%d %s", res.status, res.body)
	}
}
