// Package embargoed computes the six held datasets: "built but not available. Each waits on one
// stated condition". Everything here is a pure function of what was read and of the date the data
// describes; the pipeline gives it rows and writes what comes out.
//
// # What is counted
//
// Demand, trends and reach are "counts from shareable sources only": of counted vacancies of which
// at least one advert may be shown as it is, under the terms of the source where it was first
// posted. What may only be counted is not in them. They hold nothing about people. "If fewer than 5
// adverts, or fewer than 3 employers, remain", there is no figure.
//
// # Methods
//
// Demand: a vacancy is live from the day on which it was posted to its closing day. Without a
// closing day it is live to the last day on which its source showed it, which is how /v1/jobs
// understands it too. Days before a source was first fetched hold what it still showed then.
//
// Trends: vacancies posted in the 91 days (13 weeks) up to as_of, against those of the 91 days that
// ended 364 days (52 weeks) before. Both have the same weekdays and the same season. A source takes
// part only if it was watched throughout: it shows its past, or was first fetched before the
// earlier window began, and has a vacancy from before then. So a new source is not growth. An
// occupation needs 20 vacancies in the earlier window. It grows or shrinks when the change is at
// least 10 per cent and larger than twice the square root of both counts together (two standard
// deviations of a difference of two counts of independent events); everything else is steady. Ranks
// are within groups of as many digits of SOC 2020.
//
// Outlook: see Outlook. Reach: see Reach.
package embargoed

import (
	"slices"
	"strings"
	"time"
)

// The floor of every count of vacancies: "fewer than 5 counted adverts, or adverts of
// fewer than 3 employers", give no figure.
const (
	fewestVacancies = 5
	fewestEmployers = 3
)

// Vacancy is one counted vacancy that may be shared.
type Vacancy struct {
	Vacancy  int32     `col:"vacancy"`    // number of it in this build
	Employer int32     `col:"employer"`   // number of its employer
	SOC      string    `col:"soc"`        // SOC 2020 group of 2 to 4 digits; "" = not known
	Source   string    `col:"source_key"` // under whose terms it is shared
	Posted   time.Time `col:"posted"`     // midnight UTC
	Until    time.Time `col:"until"`      // the last day on which it was live; midnight UTC
}

// Names gives the name of an occupation by its SOC 2020 code.
type Names func(soc string) string

// tally is a count of vacancies, with as many of their employers as the floor needs
// to know, and their sources.
type tally struct {
	vacancies int32
	employers []int32 // distinct, at most fewestEmployers
	sources   []string
}

func (t *tally) add(employer int32, source string) {
	t.vacancies++
	if len(t.employers) < fewestEmployers && !slices.Contains(t.employers, employer) {
		t.employers = append(t.employers, employer)
	}
	t.source(source)
}

func (t *tally) source(key string) {
	if at, found := slices.BinarySearch(t.sources, key); !found {
		t.sources = slices.Insert(t.sources, at, key)
	}
}

// publishable says that the count is over the floor.
func (t *tally) publishable() bool {
	return t.vacancies >= fewestVacancies && len(t.employers) >= fewestEmployers
}

// keys are source keys as a column holds them.
func keys(list []string) string { return strings.Join(list, ",") }

// secondsPerDay makes days of times.
const secondsPerDay = 24 * 60 * 60

// dayNumber counts days since 1970 in UTC.
func dayNumber(t time.Time) int { return int(t.Unix() / secondsPerDay) }

func timeOf(day int) time.Time { return time.Unix(int64(day)*secondsPerDay, 0).UTC() }
