package sandbox

import (
	"encoding/json"
	"fmt"
	"html"
	"time"

	"labour/sources/publishers"
)

// boardRows are the rows of every board of a vendor, in the vendor's own format.
func (w *World) boardRows(vendor string) map[string]publishers.List {
	row := map[string]func(*vacancy, chance) any{"greenhouse": w.greenhouseRow, "lever": w.leverRow, "ashby": w.ashbyRow}[vendor]
	out := map[string]publishers.List{}
	from := w.adverts.own()
	for i, b := range w.boards {
		first := from
		from = w.adverts.own() + w.adverts.boards[i]
		if b.vendor != vendor {
			continue
		}
		out[b.token] = publishers.List{Len: from - first, Row: func(i int) (json.RawMessage, error) {
			v := w.vacancy(first + i)
			raw, err := json.Marshal(row(&v, w.chance(streamRows+uint64(v.number))))
			if err != nil {
				return nil, fmt.Errorf("advert %s of %s: %w", v.id, vendor, err)
			}
			return raw, nil
		}}
	}
	return out
}

// instant is the day as vendors state it, with a time of day; "" for no day.
func instant(v *vacancy, c chance, layout string) any {
	switch {
	case v.unreadable:
		return "soon"
	case v.posted.IsZero():
		return nil
	}
	return v.posted.Time().Add(time.Duration(c.between(8*3600, 18*3600)) * time.Second).Format(layout)
}

// department is the employer's own name of where the work is.
func (w *World) department(v *vacancy) string { return upperFirst(words(w.lists.jobs[v.job].sector)) }

func (w *World) link(v *vacancy) string {
	return fmt.Sprintf("https://%s.example/jobs/%s", w.boards[v.board].token, v.id)
}

// greenhouseRow is a job as the Greenhouse Job Board API gives it: the content is
// HTML that is escaped once more, and a prospect post has no internal_job_id.
func (w *World) greenhouseRow(v *vacancy, c chance) any {
	row := map[string]any{"id": json.Number(v.id), "internal_job_id": json.Number(v.requisition), "title": v.title,
		"updated_at": w.asOf.Time().Format(time.RFC3339), "first_published": instant(v, c, "2006-01-02T15:04:05-07:00"),
		"requisition_id": v.requisition[:4], "location": map[string]any{"name": v.place}, "absolute_url": v.applyURL,
		"language": "en", "company_name": w.employers[v.employer].name, "metadata": nil, "data_compliance": []any{},
		"application_deadline": nil, "content": html.EscapeString(markup(w.text(v))),
		"departments": []any{map[string]any{"id": 1000 + v.job, "name": w.department(v), "parent_id": nil, "child_ids": []any{}}},
		"offices":     []any{map[string]any{"id": 2000, "name": "London", "location": "London, United Kingdom", "parent_id": nil, "child_ids": []any{}}}}
	if v.unlisted {
		row["internal_job_id"] = nil
	}
	return row
}

// leverRow is a posting as Lever gives it: milliseconds, and lists beside the description.
func (w *World) leverRow(v *vacancy, _ chance) any {
	text := w.text(v)
	var created any
	switch {
	case v.unreadable:
		created = "soon"
	case !v.posted.IsZero():
		created = v.posted.Time().Add(9 * time.Hour).UnixMilli()
	}
	lists := []any{}
	for _, s := range text {
		if len(s.bullets) > 0 {
			lists = append(lists, map[string]any{"text": s.heading, "content": items(s.bullets)})
		}
	}
	head := []section{text[0], text[1]}
	j := w.lists.jobs[v.job]
	place := "hybrid"
	if v.remote {
		place = "remote"
	}
	return map[string]any{"id": leverID(v), "text": v.title, "country": nil, "createdAt": created, "workplaceType": place,
		"categories": map[string]any{"location": v.place, "allLocations": []string{v.place}, "commitment": "Full-time",
			"team": w.department(v), "department": "London"},
		"description": markup(head), "descriptionPlain": plain(head), "lists": lists, "additional": "", "additionalPlain": "",
		"salaryRange": map[string]any{"currency": "GBP", "interval": "per-year-salary", "min": j.low * 1000, "max": j.high * 1000},
		"hostedUrl":   w.link(v), "applyUrl": v.applyURL}
}

// leverID and ashbyID have the form of the vendors' ids.
func leverID(v *vacancy) string {
	return fmt.Sprintf("%08x-1e7e-4a1b-8a00-%012x", uint32(v.number*7919+1), v.number)
}
func ashbyID(v *vacancy) string {
	return fmt.Sprintf("%08x-a5b7-4c3d-9b00-%012x", uint32(v.number*6007+1), v.number)
}

// ashbyRow is a job as Ashby's public board gives it; isListed false is a direct link.
func (w *World) ashbyRow(v *vacancy, c chance) any {
	text := w.text(v)
	j := w.lists.jobs[v.job]
	place, locality, country := "Hybrid", "", ""
	switch {
	case v.remote:
		place = "Remote"
	case len(v.boroughs) > 0:
		locality, country = "London", c.pick([]string{"United Kingdom", "UK", "GB", "England"})
	}
	row := map[string]any{"id": ashbyID(v), "title": v.title, "department": w.department(v), "team": w.department(v),
		"employmentType": "FullTime", "location": v.place, "secondaryLocations": []any{}, "isListed": !v.unlisted,
		"isRemote": v.remote, "workplaceType": place, "jobUrl": w.link(v), "applyUrl": v.applyURL,
		"publishedAt":     instant(v, c, "2006-01-02T15:04:05.000-07:00"),
		"address":         map[string]any{"postalAddress": map[string]any{"addressLocality": locality, "addressCountry": country}},
		"descriptionHtml": markup(text), "descriptionPlain": plain(text), "shouldDisplayCompensationOnJobPostings": true,
		"compensation": map[string]any{"compensationTierSummary": fmt.Sprintf("£%dK – £%dK", j.low, j.high)}}
	return row
}
