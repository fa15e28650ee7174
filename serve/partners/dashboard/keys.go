package dashboard

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"time"

	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/serve/partners/usage"
	"labour/serve/web/chart"
	"labour/serve/web/words"
)

type choice struct {
	Value, Name, Says string
	Chosen            bool
}

type keyLine struct {
	access.Key
	State  string // state of the key: usable, expired or revoked
	Counts usage.Counts
	Left   usage.Decision
}

type keysView struct {
	Grant access.Grant
	Most  access.Allowance // limits of the highest plan that the partner may choose
	Keys  []keyLine
	// Label is the text in the form's field for the name of a new key.
	Label  string
	Plans  []choice
	Scopes []choice
	Left   int // number of keys that the partner may still make this month
}

// keys shows the partner's API keys and a form to make a new key. If the partner just submitted an
// invalid form, it shows the same values again.
func (d *handler) keys(v *request) error {
	g, err := d.Keys.PartnerGrant(v.Context(), v.by.PartnerID)
	if err != nil {
		return err
	}
	body := keysView{Grant: g}
	body.Most, _ = g.Plan.Allowance()
	body.offer(v)
	if body.Left, err = d.Keys.NewKeysLeftThisMonth(v.Context(), v.by.PartnerID); err != nil {
		return err
	}
	if err := d.Keys.FlushLastUses(v.Context()); err != nil { // so that the last use is up to date
		return err
	}
	if body.Keys, err = d.lines(v); err != nil {
		return err
	}
	// Usable keys come first.
	order := map[string]int{"usable": 0, "expired": 1, "revoked": 1}
	slices.SortStableFunc(body.Keys, func(a, b keyLine) int { return order[a.State] - order[b.State] })
	return d.page(v, "keys", "Your keys", RootPath, body)
}

// offer fills in the form for a new API key: with the values that the partner has just submitted,
// or with the plan of its grant. It does not select a plan or scope that was just refused.
func (b *keysView) offer(v *request) {
	plan, scopes := cmp.Or(access.Plan(v.PostForm.Get("plan")), b.Grant.Plan), v.PostForm["scope"]
	b.Label = v.PostForm.Get("name")
	switch {
	case errors.Is(v.actionError, access.ErrNotGranted):
		plan, scopes = b.Grant.Plan, nil
	case errors.Is(v.actionError, access.ErrInvalidLabel):
		b.Label = ""
	}
	for _, p := range b.Grant.Plans() {
		a, _ := p.Allowance()
		b.Plans = append(b.Plans, choice{string(p), words.DisplayName("plan", string(p)), describe(a), p == plan})
	}
	for _, s := range b.Grant.Scopes {
		if s != access.ScopeLabourRead {
			b.Scopes = append(b.Scopes, choice{string(s), string(s), words.DisplayName("scope", string(s)),
				slices.Contains(scopes, string(s))})
		}
	}
}

func (d *handler) lines(v *request) (lines []keyLine, err error) {
	list, err := d.Keys.PartnerKeys(v.Context(), v.by.PartnerID)
	for _, k := range list {
		line, badLine := d.line(v, k)
		lines, err = append(lines, line), errors.Join(err, badLine)
	}
	return lines, err
}

func (d *handler) line(v *request, k access.Key) (line keyLine, err error) {
	at := d.Now().UTC()
	line = keyLine{Key: k, State: "usable"}
	switch {
	case k.RevokedAt != nil:
		line.State = "revoked"
	case !k.IsUsable(at):
		line.State = "expired"
	}
	line.Counts, err = d.Usage.CurrentCounts(v.Context(), k.ID, at)
	line.Left = usage.EvaluateLimits(k.Allowance(), line.Counts, at)
	return line, err
}

// createKey makes an API key and shows its secret. The secret is never shown again.
func (d *handler) createKey(v *request) error {
	n := access.SelfServiceKeyRequest{Label: v.PostForm.Get("name"), Plan: access.Plan(v.PostForm.Get("plan"))}
	for _, s := range v.PostForm["scope"] {
		n.Scopes = append(n.Scopes, access.Scope(s))
	}
	key, secret, err := d.Keys.CreateSelfServiceKey(v.Context(), v.by.PartnerID, n)
	if err != nil {
		return err
	}
	return d.page(v, "secret", "Your new key", RootPath,
		secretView{Secret: secret, Kind: "key", Next: RootPath + "/keys/" + key.ID, NextName: "Go to the key"})
}

// secretView is the content of the page with a new secret. The page is shown only once.
type secretView struct {
	Secret, Kind   string // Secret is the new secret. Kind is what it belongs to: key or webhook.
	Grace          string // when the previous secret expires, in words; empty = there was none
	Next, NextName string
}

type keyView struct {
	keyLine
	Graces []api.Named
}

func (d *handler) key(v *request) error {
	k, err := d.Keys.PartnerKey(v.Context(), v.by.PartnerID, v.PathValue("id"))
	if err != nil {
		return err
	}
	line, err := d.line(v, k)
	if err != nil {
		return err
	}
	return d.page(v, "key", cmp.Or(k.Label, "Key "+k.Prefix+"…"+k.LastFour), RootPath,
		keyView{line, words.List("grace")})
}

// ownKey returns the id of the key in the URL and the path of the key's page. The error wraps
// access.ErrNoKey if the partner has no such key.
func (d *handler) ownKey(v *request) (id, to string, err error) {
	id = v.PathValue("id")
	_, err = d.Keys.PartnerKey(v.Context(), v.by.PartnerID, id)
	return id, RootPath + "/keys/" + id, err
}

func (d *handler) nameKey(v *request) error {
	id, to, err := d.ownKey(v)
	if err == nil {
		err = d.Keys.RenameKey(v.Context(), id, v.PostForm.Get("name"))
	}
	return v.redirect(err, to, "named")
}

func (d *handler) revokeKey(v *request) error {
	id, to, err := d.ownKey(v)
	if err == nil && v.PostForm.Get("sure") == "" {
		err = errKeySure
	}
	if err == nil {
		err = d.Keys.RevokeKey(v.Context(), id)
	}
	return v.redirect(err, to, "revoked")
}

func (d *handler) rotateKey(v *request) error {
	id, to, err := d.ownKey(v)
	if err != nil {
		return err
	}
	grace, said, err := graceOf(v)
	if err != nil {
		return err
	}
	secret, err := d.Keys.RotateKey(v.Context(), id, grace)
	if err != nil {
		return err
	}
	return d.page(v, "secret", "The key’s new secret", RootPath, secretView{Secret: secret, Kind: "key", Grace: said,
		Next: to, NextName: "Back to the key"})
}

// graceOf reads from a form how long the old secret stays valid after a rotation: one of the periods
// that the form offers. said is the same period in words.
func graceOf(v *request) (grace time.Duration, said string, err error) {
	chosen := v.PostForm.Get("grace")
	grace, err = time.ParseDuration(chosen)
	if said = words.DisplayName("grace", chosen); said == "" || err != nil {
		return 0, "", errGrace
	}
	return grace, said, nil
}

type usageView struct {
	All       []keyLine
	Chosen    string    // id of the key whose requests are shown; empty = all keys
	Keys      []keyLine // keys that are usable or were used this month
	Report    usage.Report
	Hours     template.HTML
	Days      template.HTML
	Today     int64
	Month     int64 // number of requests this month with the chosen keys
	HourEnds  time.Time
	MonthEnds time.Time
	At        time.Time
}

func (d *handler) usage(v *request) (err error) {
	at := d.Now().UTC()
	body := usageView{At: at, HourEnds: usage.NextHour(at),
		MonthEnds: usage.NextMonth(at), Chosen: v.URL.Query().Get("key")}
	if body.Chosen != "" {
		if _, err := d.Keys.PartnerKey(v.Context(), v.by.PartnerID, body.Chosen); err != nil {
			return err
		}
	}
	if body.All, err = d.lines(v); err != nil {
		return err
	}
	for _, line := range body.All {
		if body.Chosen == "" || line.ID == body.Chosen {
			body.Month += line.Counts.Month
			if line.State == "usable" || line.Counts.Month > 0 {
				body.Keys = append(body.Keys, line)
			}
		}
	}
	if body.Report, err = d.Usage.Report(v.Context(), v.by.PartnerID, body.Chosen, at); err != nil {
		return err
	}
	hours, today := columnsOf(body.Report.Today, 6, "15:04")
	days, _ := columnsOf(body.Report.Month, 7, "2 Jan")
	body.Today = today
	body.Hours = chart.DrawColumns(fmt.Sprintf("Calls of today by hour, in UTC: %s so far", words.FormatNumber(today)),
		hours,
		words.FormatNumber)
	body.Days = chart.DrawColumns(fmt.Sprintf("Calls of this month by day, in UTC: %s so far",
		words.FormatNumber(body.Month)),
		days, words.FormatNumber)
	return d.page(v, "usage", "Usage", RootPath+"/usage", body)
}

// columnsOf returns one chart column for each hour or day in parts, and the total number of
// requests. Every column with an index divisible by labelStep is labelled with its start time, in
// the given time format.
func columnsOf(parts []usage.PeriodCount, labelStep int, format string) (columns []chart.Column, calls int64) {
	for i, s := range parts {
		c := chart.Column{Value: s.Calls}
		if i%labelStep == 0 {
			c.Label = s.Start.Format(format)
		}
		columns, calls = append(columns, c), calls+s.Calls
	}
	return columns, calls
}
