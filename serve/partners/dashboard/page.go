package dashboard

import (
	"fmt"
	"net/http"

	"labour/serve/partners/access"
	"labour/serve/web/words"
)

// page shows a partner page. name is the name of its template, and body the data for it. tabPath is
// the path of the selected tab.
func (d *handler) page(v *request, name, title, tabPath string, body any) error {
	p := view{Partner: v.by.PartnerName, Fault: v.fault, Body: body}
	if v.fault == "" {
		p.Note = words.DisplayName("done", v.URL.Query().Get("done"))
	}
	if p.Partner != "" {
		for _, t := range words.List("tab") {
			p.Tabs = append(p.Tabs, tab{t.Name, t.Value, t.Value == tabPath})
		}
	}
	d.show(v.w, v.Request, Page{Template: name, Title: title, Status: v.status, Data: p})
	return nil
}

// redirect returns err. If err is nil, it first redirects the browser to pagePath. messageName
// selects the message at the top of that page. For example, "named" selects the message that a key
// has a new name.
func (v *request) redirect(err error, pagePath, messageName string) error {
	if err == nil {
		http.Redirect(v.w, v.Request, pagePath+"?done="+messageName, http.StatusSeeOther)
	}
	return err
}

func describe(a access.Allowance) string {
	if a.Monthly == 0 {
		return words.FormatNumber(a.Hourly) + " calls an hour"
	}
	return fmt.Sprintf("%s calls an hour, %s a month", words.FormatNumber(a.Hourly), words.FormatNumber(a.Monthly))
}
