package web

import (
	"fmt"
	"strconv"

	"labour/serve/api"
	"labour/serve/web/words"
	"labour/snapshots/figure"
)

// scale divides the figures of a map into classes of equal width, each with its own colour. Classes
// begin at round numbers. Their bounds are counted in steps of the last digit that pages show: 0.1
// for a score, and 1 for a percentage or a count.
type scale struct {
	least   int64 // lower end of the first class, in steps of the last digit shown
	unit    int64 // smallest difference of two figures, in steps: 5 for counts rounded to multiples of 5
	width   int64 // a multiple of unit
	classes int   // number of classes; 0 = there are no figures
}

// mostClasses is the largest number of classes on a map. Each class has its own colour.
const mostClasses = 5

// steps returns the figure of a row as pages show it, as a number of steps. A step is 0.1 for a
// score, and 1 for a percentage or a count. ok is false if the figure is not a number.
func (m measure) steps(r api.SkillsUnmetRow) (n int64, ok bool) {
	n, ok = m.number(r)
	switch m.Field {
	case "adverts_share_pct":
		n = wholePoints(roundedOnce(r.AdvertsShare.Tenths, r.AdvertsSample))
	case "people_below_share_pct":
		n = wholePoints(figure.Tenths(n))
	case "score":
		n = int64(scoreTenths(n))
	}
	return n, ok
}

// scaleOf returns the scale for the figures of rows. It has at most mostClasses classes. Their
// width is the smallest round number with which they cover all figures. If no row has a figure, the
// scale has no classes.
func scaleOf(m measure, rows []bucketRow) (s scale) {
	var least, most int64
	s.unit = unitOf(m, rows)
	for _, r := range rows {
		n, ok := m.steps(r.SkillsUnmetRow)
		switch {
		case !ok:
		case s.classes == 0:
			least = n
			most = n
			s.classes = 1
		default:
			least, most = min(least, n), max(most, n)
		}
	}
	if s.classes == 0 {
		return s
	}
	for ten := int64(1); ; ten *= 10 {
		for digit := int64(1); digit <= mostClasses; digit++ {
			s.width = digit * ten * s.unit
			s.least = least / s.width * s.width
			s.classes = int((most-s.least)/s.width) + 1
			if s.classes <= mostClasses {
				return s
			}
		}
	}
}

// roundedCounts is 5: rounded counts of people are multiples of it.
const roundedCounts = 5

// unitOf returns the smallest difference of two figures of a map, in steps. It is 5 for counts of
// people that are all multiples of 5, so that no class is between two printed counts.
func unitOf(m measure, rows []bucketRow) int64 {
	if m.Field != "people_turned_down" {
		return 1
	}
	for _, r := range rows {
		if n, ok := m.steps(r.SkillsUnmetRow); ok && n%roundedCounts != 0 {
			return 1
		}
	}
	return roundedCounts
}

// class returns the CSS class that shades a figure on a map. n is the figure in steps, as
// measure.steps returns it.
func (s scale) class(n int64) string { return s.name(int((n - s.least) / s.width)) }

// name returns the CSS class for a class of the scale, by its index. The result is from c1, the
// palest colour, to c5, the darkest. It is c3 if the scale has only one class.
func (s scale) name(class int) string {
	if s.classes == 1 {
		return "c3"
	}
	return "c" + strconv.Itoa(1+class*(mostClasses-1)/(s.classes-1))
}

// words returns the range of figures in a class of the scale as text, such as "10 to under 15%". For
// counts it names the first and the last count of the class, such as "10 to 15".
func (s scale) words(m measure, class int) string {
	from := s.least + int64(class)*s.width
	to, unit := from+s.width, "%"
	show := words.FormatNumber
	switch m.Field {
	case "score":
		unit = ""
		show = func(n int64) string { return string(figure.AppendTenths(nil, figure.Tenths(n))) }
	case "people_turned_down":
		unit = ""
	}
	isWhole := unit == "%" && from == 100
	if s.width == s.unit || isWhole {
		return show(from) + unit
	}
	if m.Field == "people_turned_down" {
		return fmt.Sprintf("%s to %s", show(from), show(to-s.unit))
	}
	return fmt.Sprintf("%s to under %s%s", show(from), show(to), unit)
}
