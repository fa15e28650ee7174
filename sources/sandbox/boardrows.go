package sandbox

import (
	"encoding/json"
	"fmt"
	"html"
	"time"
)

// boardRows are the rows of every board, in the vendor's own format.
func (w *World) boardRows() (map[string][]json.RawMessage, error) {
	out := map[string][]json.RawMessage{}
	from := w.adverts.own
	for i, b := range w.boards {
		upTo := w.adverts.boardsUpTo[i]
		rows := []json.RawMessage{}
		for _, v := range w.adverts.list[from:upTo] {
			row, err := json.Marshal(w.greenhouseRow(&v, w.chance(streamRows+uint64(v.number))))
			if err != nil {
				return nil, fmt.Errorf("advert %s: %w", v.id, err)
			}
			rows = append(rows, row)
		}
		out[b.token], from = rows, upTo
	}
	return out, nil
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
