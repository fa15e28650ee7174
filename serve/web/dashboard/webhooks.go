package dashboard

import (
	"errors"
	"net/http"
	"slices"

	"labour/serve/api"
	"labour/serve/web/words"
	"labour/serve/webhooks"
)

// deliveriesPerPage is how many deliveries a page of the log shows.
const deliveriesPerPage = 25

// requireWebhooks lets an action happen when the partner may manage webhooks.
func (d *handler) requireWebhooks(f action) action {
	return func(v *request) error {
		may, err := d.Keys.MayManageWebhooks(v.Context(), v.by.PartnerID)
		if err == nil && !may {
			err = errNoHooks
		}
		if err != nil {
			return err
		}
		return f(v)
	}
}

// hookForm is what was filled in for an endpoint.
type hookForm struct {
	URL, Description string
	Enabled          bool
	Types            []choice
	Fresh            bool // for a new endpoint
}

func formOf(url, description string, enabled bool, chosen []string) hookForm {
	f := hookForm{URL: url, Description: description, Enabled: enabled}
	for _, t := range webhooks.EventTypes() {
		f.Types = append(f.Types, choice{t, t, words.In("event", t), slices.Contains(chosen, t)})
	}
	return f
}

// sent is the form that was sent. A browser sends no box that is not ticked.
func (v *request) sent() (hookForm, []string) {
	types := v.PostForm["event_types"]
	return formOf(v.PostForm.Get("url"), v.PostForm.Get("description"), v.PostForm.Get("enabled") != "", types), types
}

// hooksView is the page of the endpoints.
type hooksView struct {
	Endpoints []api.WebhookEndpoint
	Form      hookForm
}

func (d *handler) webhooks(v *request) error {
	return d.hooksPage(v, http.StatusOK, "", formOf("", "", true, webhooks.EventTypes()))
}

func (d *handler) hooksPage(v *request, status int, fault string, form hookForm) error {
	list, err := d.Webhooks.List(v.Context(), v.by.PartnerID)
	if err != nil {
		return err
	}
	form.Fresh = true
	return d.page(v, "webhooks", "Webhooks", Root+"/webhooks", status, fault, hooksView{list, form})
}

// refusal is what a person may see of an error of the service; ok is false for what
// is inside.
func refusal(err error) (status int, words string, ok bool) {
	var invalid *webhooks.InvalidError
	switch {
	case errors.As(err, &invalid):
		name := map[string]string{"url": "Address", "event_types": "Events", "description": "Description", "grace": "Old secret"}[invalid.Field]
		return http.StatusBadRequest, name + ": " + invalid.Problem + ".", true
	case errors.Is(err, webhooks.ErrConflict):
		return http.StatusConflict, "An endpoint with this address exists. Change that one, or give another address.", true
	case errors.Is(err, webhooks.ErrTooMany):
		return http.StatusConflict, "There are 20 endpoints already, which is the most. Delete one first.", true
	case errors.Is(err, webhooks.ErrTooManyTests):
		return http.StatusConflict, "This endpoint was sent 60 test messages in the last hour, which is the most. Wait before the next one.", true
	case errors.Is(err, webhooks.ErrDisabled):
		return http.StatusConflict, "The endpoint is switched off. Switch it on first.", true
	}
	return 0, "", false
}

// errNoTypes is the refusal of an endpoint without events: the interface takes that
// for all of them, a person who unticks every box means something else.
var errNoTypes = &webhooks.InvalidError{Field: "event_types", Problem: "tick at least one"}

func (d *handler) createWebhook(v *request) error {
	form, types := v.sent()
	var err error = errNoTypes
	var e api.WebhookEndpoint
	var secret string
	if len(types) > 0 {
		e, secret, err = d.Webhooks.Create(v.Context(), v.by.PartnerID, api.NewWebhook{URL: form.URL, EventTypes: types, Description: &form.Description})
	}
	if status, words, ok := refusal(err); ok {
		return d.hooksPage(v, status, words, form)
	}
	if err != nil {
		return err
	}
	return d.page(v, "secret", "Your new endpoint", Root+"/webhooks", http.StatusOK, "",
		secretView{Secret: secret, Kind: "webhook", Next: hookURL(e.ID), NextName: "Go to the endpoint"})
}

func hookURL(id string) string { return Root + "/webhooks/" + id }

// hookView is the page of an endpoint.
type hookView struct {
	api.WebhookEndpoint
	Form       hookForm
	Graces     []choice
	Deliveries []api.WebhookDelivery
	Older      string // address of the next page of the log; empty on the last
	Newest     string // of the first page; empty on it
}

func (d *handler) webhook(v *request) error { return d.hookPage(v, http.StatusOK, "", nil) }

// hookPage shows an endpoint, with what was filled in when that was refused.
func (d *handler) hookPage(v *request, status int, fault string, form *hookForm) error {
	e, err := d.Webhooks.Get(v.Context(), v.by.PartnerID, v.PathValue("id"))
	if err != nil {
		return err
	}
	body := hookView{WebhookEndpoint: e, Form: formOf(e.URL, e.Description, e.Enabled, e.EventTypes), Graces: graces()}
	if form != nil {
		body.Form = *form
	}
	before := v.URL.Query().Get("before")
	list, err := d.Webhooks.Deliveries(v.Context(), v.by.PartnerID, e.ID, before, deliveriesPerPage+1)
	if err != nil {
		return err
	}
	if len(list) > deliveriesPerPage {
		list = list[:deliveriesPerPage]
		body.Older = hookURL(e.ID) + "?before=" + list[deliveriesPerPage-1].ID
	}
	if before != "" {
		body.Newest = hookURL(e.ID)
	}
	body.Deliveries = list
	return d.page(v, "webhook", "Webhook", Root+"/webhooks", status, fault, body)
}

// answered leads back to the endpoint after something was done, or says why not.
func (d *handler) answered(v *request, err error, what string, form *hookForm) error {
	if status, words, ok := refusal(err); ok {
		return d.hookPage(v, status, words, form)
	}
	if err != nil {
		return err
	}
	return v.done(hookURL(v.PathValue("id")), what)
}

func (d *handler) changeWebhook(v *request) error {
	form, types := v.sent()
	c := api.WebhookChange{URL: &form.URL, EventTypes: types, Description: &form.Description, Enabled: &form.Enabled}
	_, err := d.Webhooks.Get(v.Context(), v.by.PartnerID, v.PathValue("id"))
	if err == nil && len(types) == 0 {
		err = errNoTypes
	}
	if err == nil {
		_, err = d.Webhooks.Patch(v.Context(), v.by.PartnerID, v.PathValue("id"), c)
	}
	return d.answered(v, err, "changed", &form)
}

func (d *handler) testWebhook(v *request) error {
	_, err := d.Webhooks.SendTest(v.Context(), v.by.PartnerID, v.PathValue("id"))
	return d.answered(v, err, "tested", nil)
}

func (d *handler) redeliver(v *request) error {
	_, err := d.Webhooks.Redeliver(v.Context(), v.by.PartnerID, v.PathValue("id"), v.PathValue("delivery"))
	return d.answered(v, err, "redelivered", nil)
}

func (d *handler) rotateWebhook(v *request) error {
	id := v.PathValue("id")
	if _, err := d.Webhooks.Get(v.Context(), v.by.PartnerID, id); err != nil {
		return err
	}
	grace, words, ok := graceOf(v)
	if !ok {
		return d.hookPage(v, http.StatusBadRequest, "Choose how long the old secret stays valid.", nil)
	}
	secret, err := d.Webhooks.RotateSecret(v.Context(), v.by.PartnerID, id, grace)
	if err != nil {
		return err
	}
	return d.page(v, "secret", "The endpoint’s new secret", Root+"/webhooks", http.StatusOK, "",
		secretView{Secret: secret, Kind: "webhook", Grace: words, Next: hookURL(id), NextName: "Back to the endpoint"})
}

func (d *handler) deleteWebhook(v *request) error {
	id := v.PathValue("id")
	if _, err := d.Webhooks.Get(v.Context(), v.by.PartnerID, id); err != nil {
		return err
	}
	if v.PostForm.Get("sure") == "" {
		return d.hookPage(v, http.StatusBadRequest, "Tick the box first: a deleted endpoint and its deliveries cannot be brought back.", nil)
	}
	if err := d.Webhooks.Delete(v.Context(), v.by.PartnerID, id); err != nil {
		return err
	}
	return v.done(Root+"/webhooks", "deleted")
}
