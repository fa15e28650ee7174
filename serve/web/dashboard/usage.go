package dashboard

import (
	"fmt"
	"html/template"
	"net/http"
	"time"

	"labour/serve/access"
	"labour/serve/usage"
	"labour/serve/web/chart"
)

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
	b.Hours = chart.Columns(fmt.Sprintf("Calls of today by hour, in UTC: %s so far", grouped(b.Today)), hours, grouped)
	b.Days = chart.Columns(fmt.Sprintf("Calls of this month by day, in UTC: %s so far", grouped(b.Month)), days, grouped)
}

// nameOf is a key as its partner knows it.
func nameOf(k access.Key) string {
	ending := k.Prefix + "…" + k.LastFour
	if k.Label == "" {
		return ending
	}
	return k.Label + " (" + ending + ")"
}
