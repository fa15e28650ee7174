package dashboard

import (
	"slices"
	"strings"

	"labour/serve/api"
	"labour/serve/web/words"
	"labour/serve/webhooks"
)

// hooksRoot is the path of the page that lists the partner's webhook endpoints. Each endpoint has a
// page below that path.
const hooksRoot = RootPath + "/webhooks"

const deliveriesPerPage = 25

type hookForm struct {
	URL, Description string
	Enabled          bool
	Types            []choice
	Fresh            bool // whether the form is for a new endpoint
}

func formOf(url, description string, enabled bool, chosen []string) hookForm {
	f := hookForm{URL: url, Description: description, Enabled: enabled}
	for _, t := range webhooks.EventTypes() {
		f.Types = append(f.Types, choice{t, t, words.DisplayName("event", t), slices.Contains(chosen, t)})
	}
	return f
}

// submittedForm returns the form of a webhook endpoint as the partner submitted it, and the ticked
// event types.
func (v *request) submittedForm() (hookForm, []string) {
	types := v.PostForm["event_types"]
	return formOf(v.PostForm.Get("url"), v.PostForm.Get("description"), v.PostForm.Get("enabled") != "", types), types
}

type hooksView struct {
	Endpoints []api.WebhookEndpoint
	Form      hookForm
}

func (d *handler) webhooks(v *request) error {
	list, err := d.Webhooks.ListEndpoints(v.Context(), v.by.PartnerID)
	if err != nil {
		return err
	}
	form := formOf("", "", true, webhooks.EventTypes())
	if v.actionError != nil {
		form, _ = v.submittedForm()
	}
	form.Fresh = true
	return d.page(v, "webhooks", "Webhooks", hooksRoot, hooksView{list, form})
}

func (d *handler) createWebhook(v *request) error {
	form, types := v.submittedForm()
	if len(types) == 0 {
		return errNoTypes
	}
	e, secret, err := d.Webhooks.CreateEndpoint(v.Context(), v.by.PartnerID,
		api.NewWebhook{URL: form.URL, EventTypes: types,
			Description: &form.Description})
	if err != nil {
		return err
	}
	return d.page(v, "secret", "Your new endpoint", hooksRoot,
		secretView{Secret: secret, Kind: "webhook", Next: hooksRoot + "/" + e.ID, NextName: "Go to the endpoint"})
}

type hookView struct {
	api.WebhookEndpoint
	Form       hookForm
	Graces     []api.Named
	Deliveries []api.WebhookDelivery
	Older      string // URL of the page with older deliveries; empty on the last page
	Newest     string // URL of the page with the newest deliveries; empty if this page shows them
}

// webhook shows the page of one webhook endpoint. If the partner just submitted an invalid change,
// it shows the same values again.
func (d *handler) webhook(v *request) error {
	e, err := d.Webhooks.FindEndpoint(v.Context(), v.by.PartnerID, v.PathValue("id"))
	if err != nil {
		return err
	}
	body := hookView{WebhookEndpoint: e, Form: formOf(e.URL, e.Description, e.Enabled, e.EventTypes),
		Graces: words.List("grace")}
	if v.actionError != nil && strings.HasSuffix(v.URL.Path, "/change") {
		body.Form, _ = v.submittedForm()
	}
	before := v.URL.Query().Get("before")
	if before != "" {
		body.Newest = hooksRoot + "/" + e.ID
	}
	body.Deliveries, err = d.Webhooks.ListDeliveries(v.Context(), v.by.PartnerID, e.ID, before, deliveriesPerPage+1)
	if err != nil {
		return err
	}
	if len(body.Deliveries) > deliveriesPerPage {
		body.Deliveries = body.Deliveries[:deliveriesPerPage]
		body.Older = hooksRoot + "/" + e.ID + "?before=" + body.Deliveries[deliveriesPerPage-1].ID
	}
	return d.page(v, "webhook", "Webhook", hooksRoot, body)
}

func (d *handler) changeWebhook(v *request) error {
	form, types := v.submittedForm()
	if len(types) == 0 {
		return errNoTypes
	}
	id := v.PathValue("id")
	_, err := d.Webhooks.ChangeEndpoint(v.Context(), v.by.PartnerID, id,
		api.WebhookChange{URL: &form.URL, EventTypes: types,
			Description: &form.Description, Enabled: &form.Enabled})
	return v.redirect(err, hooksRoot+"/"+id, "changed")
}

func (d *handler) testWebhook(v *request) error {
	_, err := d.Webhooks.SendTest(v.Context(), v.by.PartnerID, v.PathValue("id"))
	return v.redirect(err, hooksRoot+"/"+v.PathValue("id"), "tested")
}

func (d *handler) redeliver(v *request) error {
	_, err := d.Webhooks.Redeliver(v.Context(), v.by.PartnerID, v.PathValue("id"), v.PathValue("delivery"))
	return v.redirect(err, hooksRoot+"/"+v.PathValue("id"), "redelivered")
}

func (d *handler) rotateWebhook(v *request) error {
	grace, said, err := graceOf(v)
	if err != nil {
		return err
	}
	id := v.PathValue("id")
	secret, err := d.Webhooks.RotateSecret(v.Context(), v.by.PartnerID, id, grace)
	if err != nil {
		return err
	}
	return d.page(v, "secret", "The endpoint’s new secret", hooksRoot,
		secretView{Secret: secret, Kind: "webhook", Grace: said, Next: hooksRoot + "/" + id,
			NextName: "Back to the endpoint"})
}

func (d *handler) deleteWebhook(v *request) error {
	if v.PostForm.Get("sure") == "" {
		return errHookSure
	}
	return v.redirect(d.Webhooks.DeleteEndpoint(v.Context(), v.by.PartnerID, v.PathValue("id")), hooksRoot, "deleted")
}
