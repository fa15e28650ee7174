package staging

import (
	"time"
)

// Job is what may be shown of a live advert whose terms permit republishing.
type Job struct {
	Ordinal    int32      `col:"ordinal"`    // of the advert
	Precedence int32      `col:"precedence"` // of its source: of one vacancy the lowest is shown
	ID         string     `col:"id"`         // source key and the publisher's id
	Type       string     `col:"type"`
	Title      string     `col:"title"`
	Employer   string     `col:"employer"`
	Sector     string     `col:"sector"`
	SOC        string     `col:"soc"`
	SalaryText *string    `col:"salary_text"`
	PostedAt   time.Time  `col:"posted_at" is:"moment"`
	FirstSeen  time.Time  `col:"first_seen" is:"moment"` // when the extract that holds it was fetched
	ClosesOn   *time.Time `col:"closes_on"`
	Link       *string    `col:"link"`
	SourceKey  string     `col:"source_key"` // under whose terms it is shown
}
