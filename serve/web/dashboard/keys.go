package dashboard

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"time"

	"labour/serve/access"
	"labour/serve/usage"
	"labour/serve/web/chart"
	"labour/serve/web/words"
	"labour/serve/webhooks"
)

// choice is an entry of a list to choose from.
type choice struct {
	Value, Name, Says string
	Chosen            bool
}

type keyLine struct {
	access.Key
	State  string // usable, expired or revoked
	Counts usage.Counts
	Left   usage.Decision
}

// keyForm is what was filled in for a new key.
type keyForm struct {
	Label   string
	Plan    access.Plan
	Scopes  []access.Scope
	Plans   []choice
	Granted []choice // scopes
	Left    int      // keys that may still be made this month
}

type keysView struct {
	Grant access.Grant
	Most  access.Allowance // of the largest plan
	Keys  []keyLine
	Form  keyForm
}

func (d *handler) keys(v *request, status int, fault string, form keyForm) error {
	g, err := d.Keys.GrantOf(v.Context(), v.by.PartnerID)
	if err != nil {
		return err
	}
	body := keysView{Grant: g, Form: form.offered(g)}
	body.Most, _ = g.Plan.Allowance()
	if body.Form.Left, err = d.Keys.KeysLeft(v.Context(), v.by.PartnerID); err != nil {
		return err
	}
	if err := d.Keys.FlushUsed(v.Context()); err != nil { // so that the last use is this moment's
		return err
	}
	list, err := d.Keys.KeysOf(v.Context(), v.by.PartnerID)
	if err != nil {
		return err
	}
	at := d.Now().UTC()
	for _, k := range list {
		line, err := d.line(v, k, at)
		if err != nil {
			return err
		}
		body.Keys = append(body.Keys, line)
	}
	// Those that can be used come first.
	slices.SortStableFunc(body.Keys, func(a, b keyLine) int { return order(a.State) - order(b.State) })
	return d.page(v, "keys", "Your keys", Root, status, fault, body)
}

func order(state string) int {
	if state == "usable" {
		return 0
	}
	return 1
}

func (d *handler) line(v *request, k access.Key, at time.Time) (keyLine, error) {
	line := keyLine{Key: k, State: "usable"}
	switch {
	case k.RevokedAt != nil:
		line.State = "revoked"
	case !k.Usable(at):
		line.State = "expired"
	}
	var err error
	line.Counts, err = d.Tally.Now(v.Context(), k.ID, at)
	line.Left = usage.Evaluate(k.Allowance(), line.Counts, at)
	return line, err
}

func (f keyForm) offered(g access.Grant) keyForm {
	f.Plan = cmp.Or(f.Plan, g.Plan)
	for _, p := range g.Plans() {
		a, _ := p.Allowance()
		f.Plans = append(f.Plans, choice{string(p), words.In("plan", string(p)), describe(a), p == f.Plan})
	}
	for _, s := range g.Scopes {
		if s != access.LabourRead {
			f.Granted = append(f.Granted, choice{string(s), string(s), words.In("scope", string(s)), slices.Contains(f.Scopes, s)})
		}
	}
	return f
}

// createKey makes a key and shows its secret, on this page alone.
func (d *handler) createKey(v *request) error {
	form := keyForm{Label: v.PostForm.Get("name"), Plan: access.Plan(v.PostForm.Get("plan"))}
	for _, s := range v.PostForm["scope"] {
		form.Scopes = append(form.Scopes, access.Scope(s))
	}
	key, secret, err := d.Keys.CreateOwn(v.Context(), v.by.PartnerID, access.OwnKey{Label: form.Label, Plan: form.Plan, Scopes: form.Scopes})
	switch {
	case errors.Is(err, access.ErrNotGranted):
		return d.keys(v, http.StatusForbidden, "This plan or scope is not granted to you. Ask the operator for it.", keyForm{Label: form.Label})
	case errors.Is(err, access.ErrTooManyKeys):
		return d.keys(v, http.StatusConflict, "You have as many keys this month as were granted. Rotate one to give it a new secret, or ask the operator for more.", form)
	case errors.Is(err, access.ErrLabel):
		form.Label = ""
		return d.keys(v, http.StatusBadRequest, "Give a name of at most 80 characters, on one line.", form)
	case err != nil:
		return err
	}
	return d.page(v, "secret", "Your new key", Root, http.StatusOK, "", secretView{Secret: secret, Kind: "key", Next: Root + "/keys/" + key.ID, NextName: "Go to the key"})
}

// secretView is a secret that is shown once.
type secretView struct {
	Secret, Kind   string // key or webhook
	Grace          string // how long the one before stays valid; empty = there was none
	Next, NextName string
}

type keyView struct {
	keyLine
	Graces []choice
}

func (d *handler) key(v *request) error { return d.keyPage(v, http.StatusOK, "") }

func (d *handler) keyPage(v *request, status int, fault string) error {
	k, err := d.Keys.OwnKeyOf(v.Context(), v.by.PartnerID, v.PathValue("id"))
	if err != nil {
		return err
	}
	line, err := d.line(v, k, d.Now().UTC())
	if err != nil {
		return err
	}
	title := k.Label
	title = cmp.Or(title, "Key "+k.Prefix+"…"+k.LastFour)
	return d.page(v, "key", title, Root, status, fault, keyView{line, graces()})
}

// own is the address of a key that belongs to who is signed in.
func (d *handler) own(v *request) (id, to string, err error) {
	id = v.PathValue("id")
	_, err = d.Keys.OwnKeyOf(v.Context(), v.by.PartnerID, id)
	return id, Root + "/keys/" + id, err
}

func (d *handler) nameKey(v *request) error {
	id, to, err := d.own(v)
	if err == nil {
		err = d.Keys.Rename(v.Context(), id, v.PostForm.Get("name"))
	}
	if errors.Is(err, access.ErrLabel) {
		return d.keyPage(v, http.StatusBadRequest, "Give a name of at most 80 characters, on one line.")
	}
	if err != nil {
		return err
	}
	return v.done(to, "named")
}

func (d *handler) revokeKey(v *request) error {
	id, to, err := d.own(v)
	if err != nil {
		return err
	}
	if v.PostForm.Get("sure") == "" {
		return d.keyPage(v, http.StatusBadRequest, "Tick the box first: a revoked key cannot be made valid again.")
	}
	if err := d.Keys.Revoke(v.Context(), id); err != nil {
		return err
	}
	return v.done(to, "revoked")
}

func (d *handler) rotateKey(v *request) error {
	id, to, err := d.own(v)
	if err != nil {
		return err
	}
	grace, words, ok := graceOf(v)
	if !ok {
		return d.keyPage(v, http.StatusBadRequest, "Choose how long the old secret stays valid.")
	}
	secret, err := d.Keys.Rotate(v.Context(), id, grace)
	if errors.Is(err, access.ErrRevoked) {
		return d.keyPage(v, http.StatusConflict, "A revoked key has no new secret. Make another key.")
	}
	if err != nil {
		return err
	}
	return d.page(v, "secret", "The key’s new secret", Root, http.StatusOK, "", secretView{Secret: secret, Kind: "key", Grace: words, Next: to, NextName: "Back to the key"})
}

// graces are how long an old secret may stay valid, within webhooks.MaxGrace.
func graces() []choice {
	list := []choice{{Value: "0s", Name: "not at all"}, {Value: "1h", Name: "1 hour"}, {Value: "24h", Name: "24 hours"}, {Value: "168h", Name: "7 days"}}
	for i := range list {
		list[i].Chosen = list[i].Value == "24h"
	}
	return list
}

// graceOf is the chosen one.
func graceOf(v *request) (grace time.Duration, words string, ok bool) {
	for _, c := range graces() {
		if c.Value == v.PostForm.Get("grace") {
			grace, err := time.ParseDuration(c.Value)
			return grace, c.Name, err == nil && grace <= webhooks.MaxGrace
		}
	}
	return 0, "", false
}

type usageView struct {
	Keys       []keyLine // those that may call, or that called this month
	Choices    []choice
	Report     usage.Report
	Hours      template.HTML
	Days       template.HTML
	Today      int64
	Month      int64 // exactly
	HourEnds   time.Time
	MonthEnds  time.Time
	At         time.Time
	MonthCells int64 // what the table by endpoint adds up to
}

func (d *handler) usage(v *request) error {
	at := d.Now().UTC()
	chosen := v.URL.Query().Get("key")
	if chosen != "" {
		if _, err := d.Keys.OwnKeyOf(v.Context(), v.by.PartnerID, chosen); err != nil {
			return err
		}
	}
	list, err := d.Keys.KeysOf(v.Context(), v.by.PartnerID)
	if err != nil {
		return err
	}
	body := usageView{At: at, HourEnds: at.Truncate(time.Hour).Add(time.Hour), MonthEnds: time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, time.UTC),
		Choices: []choice{{Name: "All keys", Chosen: chosen == ""}}}
	for _, k := range list {
		line, err := d.line(v, k, at)
		if err != nil {
			return err
		}
		body.Choices = append(body.Choices, choice{Value: k.ID, Name: nameOf(k), Chosen: k.ID == chosen})
		if chosen == "" || k.ID == chosen {
			body.Month += line.Counts.Month
			if line.State == "usable" || line.Counts.Month > 0 {
				body.Keys = append(body.Keys, line)
			}
		}
	}
	if body.Report, err = d.Tally.Report(v.Context(), v.by.PartnerID, chosen, at); err != nil {
		return err
	}
	body.draw()
	return d.page(v, "usage", "Usage", Root+"/usage", http.StatusOK, "", body)
}

func (b *usageView) draw() {
	hours := make([]chart.Column, len(b.Report.Today))
	for i, s := range b.Report.Today {
		hours[i].Value = s.Calls
		b.Today += s.Calls
		if i%6 == 0 {
			hours[i].Label = s.Start.Format("15:04")
		}
	}
	days := make([]chart.Column, len(b.Report.Month))
	for i, s := range b.Report.Month {
		days[i].Value = s.Calls
		if i%7 == 0 {
			days[i].Label = s.Start.Format("2 Jan")
		}
	}
	for _, k := range b.Report.Kinds {
		b.MonthCells += k.Month
	}
	b.Hours = chart.Columns(fmt.Sprintf("Calls of today by hour, in UTC: %s so far", words.Number(b.Today)), hours, words.Number)
	b.Days = chart.Columns(fmt.Sprintf("Calls of this month by day, in UTC: %s so far", words.Number(b.Month)), days, words.Number)
}

// nameOf is a key as its partner knows it.
func nameOf(k access.Key) string {
	ending := k.Prefix + "…" + k.LastFour
	if k.Label == "" {
		return ending
	}
	return k.Label + " (" + ending + ")"
}
