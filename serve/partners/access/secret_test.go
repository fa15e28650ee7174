package access

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSecretsHaveTheContractsForm(t *testing.T) {
	for _, m := range []KeyMode{ModeLive, ModeTest} {
		secret, err := newSecret(m, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if len(secret) != len("lmk_live_")+32+6 || !strings.HasPrefix(secret, "lmk_"+string(m)+"_") {
			t.Errorf("secret of %d characters, %s", len(secret), secret[:9])
		}
		if err := checkSecret(secret); err != nil {
			t.Error(err)
		}
	}
}

// The checksum is fixed: a scanner elsewhere computes the same.
func TestChecksumIsCRC32InBase62(t *testing.T) {
	// CRC-32 of "123456789" is 0xCBF43926 = 3421780262 = 3·62⁵ + 45·62⁴ + 35·62³ + 27·62² + 22·62 + 14.
	digits := []int64{3, 45, 35, 27, 22, 14}
	var n int64
	want := ""
	for _, d := range digits {
		n = n*62 + d
		want += string(base62[d])
	}
	if n != 0xCBF43926 {
		t.Fatalf("the test's own digits make %d", n)
	}
	if got := checksum("123456789"); got != want {
		t.Errorf("checksum = %s, want %s", got, want)
	}
}

func TestAnyChangedCharacterIsMalformed(t *testing.T) {
	secret, err := newSecret(ModeLive, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(secret)-1).Draw(t, "place")
		b := rapid.Byte().Draw(t, "byte")
		if b == secret[i] {
			return
		}
		changed := secret[:i] + string([]byte{b}) + secret[i+1:]
		if err := checkSecret(changed); !errors.Is(err, ErrMalformedSecret) {
			t.Fatalf("changed at %d: %v", i, err)
		}
	})
}

func FuzzCheckSecret(f *testing.F) {
	f.Add("lmk_live_")
	f.Add("lmk_test_" + strings.Repeat("0", 38))
	f.Fuzz(func(t *testing.T, s string) {
		if err := checkSecret(s); err == nil && (len(s) != 47 || !strings.HasPrefix(s, ModeLive.prefix()) &&
			!strings.HasPrefix(s, ModeTest.prefix())) {
			t.Fatalf("%q taken", s)
		}
	})
}

func TestRotateKeepsTheOldSecretForTheGrace(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		ctx := context.Background()
		key, first := create(t, s, KeyRequest{})
		start := c.at
		second, err := s.RotateKey(ctx, key.ID, DefaultKeyGracePeriod)
		if err != nil {
			t.Fatal(err)
		}
		// A second rotation with a longer grace must not lengthen the first one's.
		c.at = start.Add(time.Hour)
		third, err := s.RotateKey(ctx, key.ID, 48*time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			name, secret string
			after        time.Duration
			want         error
		}{
			{"first in its grace", first, 24*time.Hour - time.Second, nil},
			{"first after it", first, 24 * time.Hour, ErrKeyExpired},
			{"second in its grace", second, 49*time.Hour - time.Second, nil},
			{"second after it", second, 49 * time.Hour, ErrKeyExpired},
			{"third for good", third, 1000 * time.Hour, nil},
		} {
			got, err := s.Authenticate(ctx, tt.secret, start.Add(tt.after))
			if !errors.Is(err, tt.want) || err == nil && got.ID != key.ID {
				t.Errorf("%s: key %q, %v, want %v", tt.name, got.ID, err, tt.want)
			}
		}
		got, err := s.FindKey(ctx, key.ID)
		if err != nil || got.LastFour != third[len(third)-4:] {
			t.Errorf("listed by %q, %v; want the newest secret's %q", got.LastFour, err, third[len(third)-4:])
		}
	})
}

// Old secrets are listed with the end that Authenticate holds them to: a later rotation with a shorter
// grace period ends them earlier, and so does the end of the key.
func TestOldSecretsAreListedUntilTheirEnd(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		end := c.at.Add(50 * time.Hour)
		key, first := create(t, s, KeyRequest{ExpiresAt: &end})
		other, _ := create(t, s, KeyRequest{Partner: "Other"})
		rotate := func(id string, grace time.Duration) string {
			t.Helper()
			secret, err := s.RotateKey(t.Context(), id, grace)
			if err != nil {
				t.Fatal(err)
			}
			return secret
		}
		start := c.at.Add(time.Minute)
		c.at = start
		rotate(other.ID, 10*time.Hour)
		second := rotate(key.ID, 24*time.Hour)
		wantOldSecrets(t, s, key.ID, first, start.Add(24*time.Hour))
		c.at = start.Add(time.Hour)
		third := rotate(key.ID, time.Hour)
		wantOldSecrets(t, s, key.ID, first, start.Add(2*time.Hour), second, start.Add(2*time.Hour))
		c.at = start.Add(2 * time.Hour)
		wantOldSecrets(t, s, key.ID)
		rotate(key.ID, MaxKeyGracePeriod)
		wantOldSecrets(t, s, key.ID, third, end)
		if all, err := s.OldSecrets(t.Context(), ""); err != nil || len(all) != 2 {
			t.Errorf("old secrets of all keys: %+v, %v", all, err)
		}
		if err := s.RevokeKey(t.Context(), key.ID); err != nil {
			t.Fatal(err)
		}
		wantOldSecrets(t, s, key.ID)
	})
}

// Old secrets are not listed from the second at which their key ends, although their grace period is
// longer.
func TestOldSecretsEndWithTheirKey(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		end := c.at.Add(time.Hour)
		key, first := create(t, s, KeyRequest{ExpiresAt: &end})
		if _, err := s.RotateKey(t.Context(), key.ID, 24*time.Hour); err != nil {
			t.Fatal(err)
		}
		c.at = end.Add(-time.Second)
		wantOldSecrets(t, s, key.ID, first, end)
		c.at = end
		wantOldSecrets(t, s, key.ID)
	})
}

// wantOldSecrets checks the old secrets of a key. want holds each secret and its end.
func wantOldSecrets(t *testing.T, s *Store, keyID string, want ...any) {
	t.Helper()
	var secrets []OldSecret
	for i := 0; i < len(want); i += 2 {
		secret := want[i].(string)
		until := want[i+1].(time.Time)
		secrets = append(secrets, OldSecret{KeyID: keyID, LastFour: secret[len(secret)-4:], ValidUntil: until})
		for after, refusal := range map[time.Duration]error{-time.Second: nil, 0: ErrKeyExpired} {
			_, err := s.Authenticate(t.Context(), secret, until.Add(after))
			if !errors.Is(err, refusal) {
				t.Errorf("%v from its end, the secret is refused with %v", after, err)
			}
		}
	}
	got, err := s.OldSecrets(t.Context(), keyID)
	if diff := cmp.Diff(secrets, got); diff != "" || err != nil {
		t.Errorf("%s%v", diff, err)
	}
}

func TestRotateWithoutGraceEndsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		key, first := create(t, s, KeyRequest{Mode: ModeTest})
		second, err := s.RotateKey(context.Background(), key.ID, 0)
		if err != nil || !strings.HasPrefix(second, "lmk_test_") {
			t.Fatalf("%q, %v", second, err)
		}
		if _, err := s.Authenticate(context.Background(), first, c.at); !errors.Is(err, ErrKeyExpired) {
			t.Errorf("old secret: %v", err)
		}
	})
}

func TestRevokeEndsEverySecretAndRotation(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		ctx := context.Background()
		key, first := create(t, s, KeyRequest{})
		second, err := s.RotateKey(ctx, key.ID, DefaultKeyGracePeriod)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.RevokeKey(ctx, key.ID); err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{first, second} {
			if _, err := s.Authenticate(ctx, secret, c.at); !errors.Is(err, ErrKeyRevoked) {
				t.Errorf("after revocation: %v", err)
			}
		}
		when := c.at
		c.at = c.at.Add(time.Hour)
		if err := s.RevokeKey(ctx, key.ID); err != nil {
			t.Error(err)
		}
		if got, err := s.FindKey(ctx, key.ID); err != nil || !got.RevokedAt.Equal(when) {
			t.Errorf("revoked at %v (%v), want the first time %v", got.RevokedAt, err, when)
		}
		if _, err := s.RotateKey(ctx, key.ID, 0); !errors.Is(err, ErrKeyRevoked) {
			t.Errorf("rotated a revoked key: %v", err)
		}
	})
}

// A new secret or another limit of a key that has ended would have no effect, so the operator gets an error.
func TestKeysThatEndedAreNotChanged(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		end := c.at.Add(time.Hour)
		expired, _ := create(t, s, KeyRequest{ExpiresAt: &end})
		revoked, _ := create(t, s, KeyRequest{})
		if err := s.RevokeKey(t.Context(), revoked.ID); err != nil {
			t.Fatal(err)
		}
		c.at = end
		for id, want := range map[string]error{expired.ID: ErrKeyExpired, revoked.ID: ErrKeyRevoked} {
			secret, rotate := s.RotateKey(t.Context(), id, time.Hour)
			for what, err := range map[string]error{"rotate": rotate,
				"allow":  s.SetKeyLimits(t.Context(), id, new(int64(3)), nil),
				"change": s.ChangeKeyPlanAndScopes(t.Context(), id, PlanPartner, nil)} {
				if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), what+" key "+id+": the key ") {
					t.Errorf("%s: %v, want %v", what, err, want)
				}
			}
			key, err := s.FindKey(t.Context(), id)
			if err != nil || secret != "" || key.Hourly != nil || key.Plan != PlanEvaluation {
				t.Errorf("changed to %q %+v, %v", secret, key, err)
			}
		}
		_, err := s.RotateKey(t.Context(), expired.ID, 0)
		if want := "the key expired at 2026-11-20T07:00:00Z"; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	})
}

// Of two rotations at once one ends the secret of the other: a key has one secret without an
// end.
func TestRotationsAtOnceLeaveOneSecretWithoutAnEnd(t *testing.T) {
	each(t, func(t *testing.T, s *Store, _ *clock) {
		for range 20 {
			key, _ := create(t, s, KeyRequest{})
			var both sync.WaitGroup
			for range 2 {
				both.Go(func() {
					if _, err := s.RotateKey(context.Background(), key.ID, time.Hour); err != nil {
						t.Error(err)
					}
				})
			}
			both.Wait()
			var n int
			if err := s.db.QueryRowContext(t.Context(),
				`SELECT count(*) FROM key_secrets WHERE key_id = $1 AND valid_until IS NULL`, key.ID).Scan(
				&n); err != nil || n != 1 {
				t.Fatalf("%d secrets without an end, %v", n, err)
			}
		}
	})
}

// drawn is a source of randomness that gives these bytes, one after the other, and then fails.
type drawn []byte

func (d *drawn) Read(to []byte) (int, error) {
	if len(*d) == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n := copy(to, *d)
	*d = (*d)[n:]
	return n, nil
}

// Each of the 62 characters stands for 4 of the bytes 0 to 247; the other bytes are drawn again, or
// the first characters would be likelier than the last.
func TestEveryCharacterOfASecretIsAsLikely(t *testing.T) {
	count := map[byte]int{}
	for b := range 256 {
		from := append(drawn{byte(b)}, bytes.Repeat([]byte{1}, randomChars)...)
		secret, err := newSecret(ModeLive, &from)
		if err != nil {
			t.Fatal(err)
		}
		if left := len(from); left == 0 { // the byte was drawn again
			count[0]++
		} else {
			count[secret[len(ModeLive.prefix())]]++
		}
	}
	if len(count) != 1+len(base62) || count[0] != 256-4*len(base62) {
		t.Errorf("%d characters; %d bytes are drawn again", len(count)-1, count[0])
	}
	for c, n := range count {
		if c != 0 && n != 4 {
			t.Errorf("%q stands for %d bytes", c, n)
		}
	}
}

// Without randomness there is no new secret, and the old one stays valid.
func TestRotateWithoutRandomnessKeepsTheSecret(t *testing.T) {
	each(t, func(t *testing.T, s *Store, c *clock) {
		key, first := create(t, s, KeyRequest{})
		s.random = &drawn{}
		if secret, err := s.RotateKey(t.Context(), key.ID, 0); err == nil || secret != "" {
			t.Errorf("rotated to %q", secret)
		}
		c.at = c.at.Add(time.Hour)
		if _, err := s.Authenticate(t.Context(), first, c.at); err != nil {
			t.Errorf("the old secret: %v", err)
		}
	})
}
