package webhooks

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/serve/state"
	"labour/serve/state/statetest"
)

func keyOf(t testing.TB, fill byte) EncryptionKey {
	t.Helper()
	k, err := ParseEncryptionKey(hex.EncodeToString(bytes.Repeat([]byte{fill}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestParseKey(t *testing.T) {
	raw := bytes.Repeat([]byte{0xfe}, 32)
	want := keyOf(t, 0xfe).name
	for _, text := range []string{hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)),
		base64.StdEncoding.EncodeToString(raw) + "\n",
		base64.RawURLEncoding.EncodeToString(raw), hex.EncodeToString(raw) + "\n",
		" \t" + base64.RawURLEncoding.EncodeToString(raw) + " "} {
		if got, err := ParseEncryptionKey(text); err != nil || got.name != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "geheim", hex.EncodeToString(raw[:31]),
		base64.StdEncoding.EncodeToString(append(raw, 1))} {
		if _, err := ParseEncryptionKey(text); err == nil || text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestKeyNeverShows(t *testing.T) {
	k := keyOf(t, 0x41)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d", "%q"} {
		for _, v := range []any{k, []EncryptionKey{k}, vault{[]EncryptionKey{k}},
			Options{EncryptionKeys: []EncryptionKey{k}}} {
			text := fmt.Sprintf(verb, v)
			if strings.Contains(text, "AAAA") || strings.Contains(text, "41414141") || strings.Contains(text, "65 65") {
				t.Errorf("%s of %T: %s", verb, v, text)
			}
		}
	}
}

// TestSecretsInPlainText: they can be opened, and are current only as long as there is no key.
func TestSecretsInPlainText(t *testing.T) {
	for keys, want := range map[int]bool{0: true, 1: false} {
		v := vault{[]EncryptionKey{keyOf(t, 1)}[:keys]}
		if got, current, err := v.open("whe_1", vault{}.seal("whe_1", "secret")); err != nil || got != "secret" ||
			current != want {
			t.Errorf("with %d keys: %q, current %t, %v; want current %t", keys, got, current, err, want)
		}
	}
}

func TestVault(t *testing.T) {
	sealer := vault{[]EncryptionKey{keyOf(t, 1)}}
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.String().Draw(t, "secret")
		stored := sealer.seal("whe_1", secret)
		if len(secret) > 8 && strings.Contains(stored, secret) {
			t.Fatalf("%s shows the secret", stored)
		}
		if got, current, err := sealer.open("whe_1", stored); err != nil || got != secret || !current {
			t.Fatalf("%q, %v, %v", got, current, err)
		}
		if got, _, err := sealer.open("whe_2", stored); err == nil {
			t.Fatalf("opened for another endpoint: %q", got)
		}
		b := []byte(stored)
		i := rapid.IntRange(0, len(b)-1).Draw(t, "place")
		b[i] ^= 1 << rapid.IntRange(0, 6).Draw(t, "bit")
		// The last character of base64 may hold bits that mean nothing.
		if got, _, err := sealer.open("whe_1", string(b)); err == nil && (got != secret || i < len(b)-4) {
			t.Fatalf("opened after a change at %d: %q", i, got)
		}
	})
}

// From plain to a key, to another key: every secret goes on to sign, and is
// stored under the newest key after each start.
func TestIntroducingAndChangingTheKey(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		r := newReceiver(t)
		with := func(keys ...EncryptionKey) func(*Options) {
			return func(o *Options) { r.trust(o); o.EncryptionKeys = keys }
		}
		f := newFixture(t, address, with())
		e, secret := f.endpoint(r.URL)
		one, two := keyOf(t, 1), keyOf(t, 2)
		for i, step := range []struct {
			keys []EncryptionKey
			form string
		}{
			{nil, "plain:whsec_"}, {[]EncryptionKey{one}, "sealed:" + one.name}, {[]EncryptionKey{one, two},
				"sealed:" + one.name},
			{[]EncryptionKey{two, one}, "sealed:" + two.name}, {[]EncryptionKey{two}, "sealed:" + two.name},
		} {
			f = newFixture(t, address, with(step.keys...))
			var stored string
			if err := f.db.QueryRow(`SELECT secret FROM webhook_secrets`).Scan(&stored); err != nil ||
				!strings.HasPrefix(stored, step.form) {
				t.Errorf("step %d: stored as %.20s (%v), want %s", i, stored, err, step.form)
			}
			if got, err := f.validSecrets(t.Context(), e.ID); err != nil || len(got) != 1 || got[0] != secret {
				t.Errorf("step %d: %d secrets, %v", i, len(got), err)
			}
		}
		for _, keys := range [][]EncryptionKey{nil, {one}} {
			o := Options{DB: f.db, Now: f.clock.now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
				EncryptionKeys: keys}
			if _, err := New(t.Context(), o); !errors.Is(err, ErrNoDecryptionKey) {
				t.Errorf("with %d other keys: %v", len(keys), err)
			}
		}
	})
}

// One damaged secret stops neither the server nor the other endpoints.
func TestDamagedSecret(t *testing.T) {
	r := newReceiver(t)
	address := statetest.SQLitePath(t)
	with := func(o *Options) { r.trust(o); o.EncryptionKeys = []EncryptionKey{keyOf(t, 1)} }
	f := newFixture(t, address, with)
	bad, _ := f.endpoint(r.URL + "/bad")
	good, secret := f.endpoint(r.URL + "/good")
	const swap = `UPDATE webhook_secrets SET secret = (SELECT secret FROM webhook_secrets WHERE endpoint_id = $1) ` +
		`WHERE endpoint_id = $2`
	if _, err := f.db.Exec(swap, good.ID, bad.ID); err != nil {
		t.Fatal(err)
	}
	f = newFixture(t, address, with)
	if !strings.Contains(f.log.String(), bad.ID) {
		t.Error("the operator is not told")
	}
	f.publish(click("ev-1"))
	f.due(f.deliveries(good.ID)[0].ID)
	if err := f.deliver(t.Context(), f.deliveries(bad.ID)[0].ID); err == nil {
		t.Error("signed with another endpoint's secret")
	}
	if got := r.messages(); len(got) != 1 {
		t.Errorf("%d messages", len(got))
	} else {
		verify(t, got[0], secret)
	}
	if _, err := f.RotateSecret(t.Context(), "ptn_a", bad.ID, 0); err != nil {
		t.Fatal(err)
	}
	if f.due(f.deliveries(bad.ID)[0].ID); f.deliveries(bad.ID)[0].Status != StatusDelivered {
		t.Error("not repaired by a rotation")
	}
}

// An old secret stays valid for a week at most, and for a day where no time is chosen.
func TestGraceOfARotation(t *testing.T) {
	const day = 24 * time.Hour
	if DefaultSigningGracePeriod != day {
		t.Errorf("without a choice the old secret is valid for %v", DefaultSigningGracePeriod)
	}
	f := newFixture(t, statetest.SQLitePath(t), nil)
	e, _ := f.endpoint("https://127.0.0.1:1/")
	if _, err := f.RotateSecret(t.Context(), "ptn_a", e.ID, 7*day+time.Second); err == nil {
		t.Error("an old secret may be valid for more than a week")
	}
	if _, err := f.RotateSecret(t.Context(), "ptn_a", e.ID, 7*day); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		after time.Duration
		valid int
	}{{7*day - time.Second, 2}, {time.Second, 1}} {
		f.clock.pass(want.after)
		if secrets, err := f.validSecrets(t.Context(), e.ID); err != nil || len(secrets) != want.valid {
			t.Errorf("%v later %d secrets are valid, %v", want.after, len(secrets), err)
		}
	}
}

// A stored secret is replaced only as it was read: another server may have encrypted it meanwhile, or
// a rotation may have deleted it.
func TestSecretsAreReplacedAsTheyWereRead(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address, nil)
		f.endpoint("https://127.0.0.1/hooks")
		var id, stored string
		if err := f.db.QueryRow(`SELECT id, secret FROM webhook_secrets`).Scan(&id, &stored); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ name, id, read, want string }{
			{"replaced meanwhile", id, "earlier text", stored},
			{"deleted meanwhile", "whs_gone", stored, stored},
			{"as it was read", id, stored, "new text"},
		} {
			replace := state.NewBoundStatement(statement("replace_secret"), "new text", c.id, c.read)
			var got string
			err := state.ExecAll(t.Context(), f.db, replace)
			if err == nil {
				err = f.db.QueryRow(`SELECT secret FROM webhook_secrets`).Scan(&got)
			}
			if err != nil || got != c.want {
				t.Errorf("%s: %.20q is stored, want %.20q (%v)", c.name, got, c.want, err)
			}
		}
	})
}
