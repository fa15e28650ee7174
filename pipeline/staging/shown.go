package staging

import (
	"time"

	"labour/snapshots"
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
	PostedAt   time.Time  `col:"posted_at"`
	ClosesOn   *time.Time `col:"closes_on"`
	Link       *string    `col:"link"`
	SourceKey  string     `col:"source_key"` // under whose terms it is shown
}

// jobColumns are the columns of the table jobs with what chooses among them.
func jobColumns() []snapshots.Column {
	columns := []snapshots.Column{column("ordinal", snapshots.Int32), column("precedence", snapshots.Int32)}
	table, _ := snapshots.TableNamed("jobs")
	for _, c := range table.Columns[1:] { // without as_of
		if c.Name != "boroughs" { // coded places are staged apart
			columns = append(columns, c)
		}
	}
	return columns
}

// eventColumns are those of the table events: an event is staged as it is shown.
func eventColumns() []snapshots.Column {
	table, _ := snapshots.TableNamed("events")
	return table.Columns[1:]
}
