package access

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"labour/serve/state"
)

// Plan is the name of a plan for API keys, such as standard. A plan sets the hourly and monthly
// limits of a key.
type Plan string

// PlanEvaluation, PlanStandard and PlanPartner are the plans for API keys. PlanEvaluation has the
// lowest limits and PlanPartner the highest.
const (
	PlanEvaluation Plan = "evaluation"
	PlanStandard   Plan = "standard"
	PlanPartner    Plan = "partner"
)

// Allowance holds the limits on the requests with an API key, per hour and per month.
type Allowance struct {
	Hourly  int64 // requests per clock hour, at least 1
	Monthly int64 // requests per calendar month; 0 = no monthly limit
}

// Plans returns all plans for API keys, from the lowest limits to the highest.
func Plans() []Plan { return []Plan{PlanEvaluation, PlanStandard, PlanPartner} }

// Allowance returns the hourly and monthly limits of a plan. It returns false if the plan does not
// exist.
func (p Plan) Allowance() (Allowance, bool) {
	switch p {
	case PlanEvaluation:
		return Allowance{Hourly: 100, Monthly: 10_000}, true
	case PlanStandard:
		return Allowance{Hourly: 1_000, Monthly: 250_000}, true
	case PlanPartner:
		return Allowance{Hourly: 10_000}, true
	}
	return Allowance{}, false
}

// Scope is a permission of an API key, such as jobs:read. It gives access to some API endpoints.
type Scope string

// ScopeLabourRead and the constants below are the permissions of API keys. Every key has
// ScopeLabourRead. The operator grants the others.
const (
	// ScopeLabourRead permits reading the lists under /v1/labour.
	ScopeLabourRead Scope = "labour:read"
	// ScopeJobsRead permits reading live adverts, at /v1/jobs.
	ScopeJobsRead Scope = "jobs:read"
	// ScopePathwaysRead permits reading careers pathways, at /v1/pathways.
	ScopePathwaysRead Scope = "pathways:read"
	// ScopeCandidatesRead permits reading counts of registered residents, at /v1/candidates.
	ScopeCandidatesRead Scope = "candidates:read"
	// ScopeS106Read permits reading counts of section 106 agreements, at /v1/s106.
	ScopeS106Read Scope = "s106:read"
	// ScopeEventsRead permits reading the partner's events, at /v1/events.
	ScopeEventsRead Scope = "events:read"
	// ScopeWebhooksManage permits managing the partner's webhook endpoints.
	ScopeWebhooksManage Scope = "webhooks:manage"
	// ScopeDeveloper permits requests for compliance exports, at /v1/compliance-export.
	ScopeDeveloper Scope = "developer"
)

// Scopes returns all scopes that a key can have.
func Scopes() []Scope {
	return []Scope{ScopeLabourRead, ScopeJobsRead, ScopePathwaysRead, ScopeCandidatesRead, ScopeS106Read, ScopeEventsRead,
		ScopeWebhooksManage, ScopeDeveloper}
}

// Key describes an API key of a partner. It does not contain the secret.
type Key struct {
	ID          string // identifier of the key: "key_" and a ULID
	PartnerID   string // identifier of the partner: "ptn_" and a ULID
	PartnerName string
	Label       string // the partner's own name for the key; may be empty
	Mode        KeyMode
	Plan        Plan
	Scopes      []Scope // permissions of the key, such as jobs:read, sorted
	Hourly      *int64  // hourly limit of this key; nil = the limit of its plan
	Monthly     *int64  // monthly limit of this key; nil = the limit of its plan
	Prefix      string  // first characters of the key's newest secret: lmk_live_ or lmk_test_
	LastFour    string  // last four characters of the key's newest secret
	CreatedAt   time.Time
	LastUsedAt  *time.Time // time of the last use, which may be written with a delay; nil = never
	ExpiresAt   *time.Time // time from which the key is refused; nil = never
	RevokedAt   *time.Time
}

// HasScope reports whether the key has the permission s, such as jobs:read.
func (k Key) HasScope(s Scope) bool { return slices.Contains(k.Scopes, s) }

// IsUsable reports whether the key is neither revoked nor expired at the given time.
func (k Key) IsUsable(at time.Time) bool { return k.checkUsable(at) == nil }

// checkUsable returns an error that wraps ErrKeyRevoked or ErrKeyExpired if the key was revoked or
// has expired at the given time. Otherwise it returns nil.
func (k Key) checkUsable(at time.Time) error {
	switch {
	case k.RevokedAt != nil:
		return ErrKeyRevoked
	case hasEnded(k.ExpiresAt, at):
		return fmt.Errorf("the key %w at %s", ErrKeyExpired, k.ExpiresAt.Format(time.RFC3339))
	}
	return nil
}

// Allowance returns the hourly and monthly limits of the key. These are the limits of its plan, unless
// the operator has set limits for this key. If the plan is unknown, each limit is one request.
func (k Key) Allowance() Allowance {
	a, ok := k.Plan.Allowance()
	if !ok {
		a = Allowance{Hourly: 1, Monthly: 1}
	}
	if k.Hourly != nil {
		a.Hourly = *k.Hourly
	}
	if k.Monthly != nil {
		a.Monthly = *k.Monthly
	}
	return a
}

// KeyMode is live or test. A live key is for real use. A test key is for trials with made-up data.
type KeyMode string

// ModeLive and ModeTest are the modes of an API key: for real use, and for trials with made-up
// data.
const (
	ModeLive KeyMode = "live"
	ModeTest KeyMode = "test"
)

// ErrMalformedSecret means that a text cannot be the secret of an API key. Its prefix, length,
// characters or checksum are wrong.
var ErrMalformedSecret = errors.New("not a secret of this service")

const (
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	randomChars = 32
	checkChars  = 6
)

// prefix returns the beginning of each secret with this mode, such as lmk_live_. It shows people
// and secret scanners that a text is a secret.
func (m KeyMode) prefix() string { return "lmk_" + string(m) + "_" }

// newSecret makes the secret of an API key. The secret is the prefix of the mode, 32 random base62
// characters (190 bits) and a checksum of 6 characters.
func newSecret(m KeyMode, random io.Reader) (string, error) {
	var b strings.Builder
	b.WriteString(m.prefix())
	one := make([]byte, 1)
	for n := 0; n < randomChars; {
		if _, err := io.ReadFull(random, one); err != nil {
			return "", fmt.Errorf("make a secret: %w", err)
		}
		// 248 is the largest multiple of 62 in a byte; larger values are drawn again, so that every
		// character is equally likely.
		if one[0] < 248 {
			b.WriteByte(base62[one[0]%62])
			n++
		}
	}
	return b.String() + checksum(b.String()), nil
}

// checksum returns the CRC-32 (IEEE) of a text as 6 base62 digits, the most significant first.
func checksum(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	out := make([]byte, checkChars)
	for i := checkChars - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return string(out)
}

// form matches texts that look like the secret of an API key, such as lmk_live_ and 38 letters and
// digits. The checksum may still be wrong.
var form = regexp.MustCompile(fmt.Sprintf(`^lmk_(%s|%s)_[0-9A-Za-z]{%d}$`, ModeLive, ModeTest, randomChars+checkChars))

// checkSecret returns ErrMalformedSecret if a text cannot be the secret of an API key. It does not
// query the database.
func checkSecret(s string) error {
	if end := len(s) - checkChars; !form.MatchString(s) || checksum(s[:end]) != s[end:] {
		return ErrMalformedSecret
	}
	return nil
}

// hash returns the SHA-256 of a secret in hexadecimal. The database stores the hash and not the
// secret. A slow password hash is not needed, because secrets have 190 random bits.
func hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// Authenticate returns the API key to which a secret belongs, and records that it was used at the
// given time. It queries the database each time, so that a revocation takes effect at once. If the
// secret is not accepted, the error wraps ErrMalformedSecret, ErrUnknownSecret, ErrKeyRevoked or
// ErrKeyExpired. Any other error is a failure of the database.
func (s *Store) Authenticate(ctx context.Context, secret string, at time.Time) (_ Key, err error) {
	defer state.WrapError(&err, "look up a key")
	if err := checkSecret(secret); err != nil {
		return Key{}, err
	}
	if err := s.db.CheckFile(); err != nil {
		return Key{}, err
	}
	want := hash(secret)
	found, err := scanKey(s.bySecret.QueryRowContext(ctx, want).Scan)
	if errors.Is(err, sql.ErrNoRows) || err == nil && subtle.ConstantTimeCompare([]byte(found.hash),
		[]byte(want)) != 1 {
		return Key{}, ErrUnknownSecret
	}
	if err == nil {
		err = found.checkValid(at)
	}
	if err != nil {
		return Key{}, err
	}
	s.noteUse(found.ID, at)
	return found.Key, nil
}

// checkValid returns an error that wraps ErrKeyRevoked or ErrKeyExpired if the secret in the row,
// or the key to which it belongs, is not valid at the given time. Otherwise it returns nil.
func (r *row) checkValid(at time.Time) error {
	err := r.checkUsable(at)
	if err == nil && hasEnded(r.validUntil, at) {
		err = fmt.Errorf("the secret %w", ErrKeyExpired)
	}
	return err
}
