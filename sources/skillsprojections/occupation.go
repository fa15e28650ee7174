package skillsprojections

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"labour/sources"
)

// Values of Evidence.Signal: whether a publication points to a shortage of people in an occupation.
const (
	// signalGap means that the publication points to a shortage of people in the occupation.
	signalGap = "gap"
	// signalNoGap means that the publication points to no shortage, for example to falling employment.
	signalNoGap = "no_gap"
	// signalNone means that the publication points neither to a shortage nor to the lack of one.
	signalNone = "none"
)

// minPeople is the minimum number of people, in thousands, behind a published figure. The
// publisher's guidance says: "PUBLISHED DATA: Ideally, a minimum of 10,000 individuals per cell".
const minPeople = 10

// occupation is one row of a publication: an occupation with its projected demand, its sectors and
// its figures.
type occupation struct {
	soc, name string // SOC 2020 code and name; the code is "" for all occupations together
	signal    string
	category  string   // category of demand as published, such as critical
	sectors   []string // sectors in which the occupation is a priority
	figures   *figures // projected employment; nil if there is none
}

// figures holds the projected employment in an occupation, in thousands of people. base and horizon
// are the employment in the first and last year, and net is the difference. replacement is the number
// of people who leave and have to be replaced. total is net plus replacement. replacement and total
// are 0 if the publication does not give them.
type figures struct {
	baseYear, horizonYear int
	base, horizon, net    float64
	replacement, total    float64
}

// publishable reports whether the employment in both years is at least minPeople thousand.
func (f figures) publishable() bool { return f.base >= minPeople && f.horizon >= minPeople }

// change returns the net change of employment in per cent, with one decimal. It never returns
// negative zero.
func (f figures) change() float64 { return math.Round(1000*f.net/f.base)/10 + 0 }

// signalOf returns the skills gap signal of an occupation: "gap", "no_gap" or "none". f holds the
// occupation's figures. overall holds the figures of all occupations together.
func signalOf(f, overall figures) string {
	// compares total/base of the occupation with total/base of all occupations; both bases are
	// positive
	harder := f.total*overall.base - overall.total*f.base
	switch {
	case f.net > 0 && harder > 0:
		return signalGap
	case f.net < 0 && harder < 0:
		return signalNoGap
	}
	return signalNone
}

// evidence adds an occupation's data to the record e. It leaves out figures for fewer than 10,000
// people. The second result is false if p is a projection and no figure is left; the record is then
// not used.
func (o occupation) evidence(e sources.Evidence, p Publication) (sources.Evidence, bool) {
	e.ID = p.ID + "/" + o.soc
	e.SOC = o.soc
	e.Occupation = o.name
	e.Signal = o.signal
	if o.soc == "" {
		e.ID = p.ID + "/all"
	}
	e.Title += ": " + o.name
	e.Kind = map[string]string{KindProjections: "projection", KindPriorityOccupations: "report",
		KindOccupationsInDemand: "statistic"}[p.Kind]
	var said []string
	switch p.Kind {
	case KindOccupationsInDemand:
		said = append(said, fmt.Sprintf("%s: %s.", o.label(), o.category))
	case KindPriorityOccupations:
		in := ""
		if len(o.sectors) > 0 {
			in = " in " + strings.Join(o.sectors, "; ")
		}
		said = append(said, fmt.Sprintf("%s is a priority occupation%s.", o.label(), in))
	}
	if f := o.figures; f != nil {
		switch {
		case f.publishable():
			e.Kind = "projection"
			said = append(said, o.describeProjection())
			change := f.change()
			e.BaseYear = f.baseYear
			e.HorizonYear = f.horizonYear
			e.ChangePct = &change
			if f.total >= minPeople {
				people := int64(math.Round(f.total * 1000))
				e.Openings = &people
			}
		case p.Kind == KindProjections:
			return e, false
		}
	}
	e.Statement = strings.Join(said, " ")
	return e, true
}

func (o occupation) label() string {
	if o.soc == "" {
		return o.name
	}
	return o.name + " (SOC 2020 " + o.soc + ")"
}

// describeProjection describes the occupation's projection in one sentence, in thousands of people.
func (o occupation) describeProjection() string {
	f, w := o.figures, message.NewPrinter(language.BritishEnglish)
	text := w.Sprintf("%s: employment %.1f thousand in %s, projected %.1f thousand in %s (%+.1f per cent)",
		o.label(), f.base, fmt.Sprint(f.baseYear), f.horizon, fmt.Sprint(f.horizonYear), f.change())
	if f.total >= minPeople {
		text += w.Sprintf("; %.1f thousand people needed over the period, leavers replaced", f.total)
	}
	return text + "."
}

var codedPattern = regexp.MustCompile(`^([1-9][0-9]{0,3})[\s.:–-]+(\S.*)$`)

// majorGroups maps the names of the major groups of SOC 2020 to their codes. Projections give only
// the names.
var majorGroups = map[string]string{
	"managers, directors and senior officials":         "1",
	"professional occupations":                         "2",
	"associate professional occupations":               "3",
	"associate professional and technical occupations": "3",
	"administrative and secretarial occupations":       "4",
	"skilled trades occupations":                       "5",
	"caring, leisure and other service occupations":    "6",
	"sales and customer service occupations":           "7",
	"process, plant and machine operatives":            "8",
	"elementary occupations":                           "9",
}

// splitCode splits a label such as "11 Corporate managers and directors" into code and name. For
// the name of a major group without a code, it adds the group's code. ok is false for other labels.
func splitCode(label string) (soc, name string, ok bool) {
	if m := codedPattern.FindStringSubmatch(label); m != nil {
		return m[1], m[2], true
	}
	soc, ok = majorGroups[strings.ToLower(label)]
	return soc, label, ok
}
