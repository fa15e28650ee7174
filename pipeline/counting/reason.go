package counting

// Reason says why an advert is not counted. The empty Reason means that it is.
type Reason string

// The reasons, in the order in which the rules are applied.
const (
	Counted          Reason = ""
	ImportedListing  Reason = "imported_listing"
	UnknownOrigin    Reason = "unknown_origin"
	TermsForbid      Reason = "terms_do_not_permit"
	NotListed        Reason = "not_listed"
	NoRole           Reason = "no_role"
	OutsideUK        Reason = "outside_uk"
	CountryUnknown   Reason = "country_unknown"
	Undated          Reason = "undated"
	FutureDated      Reason = "future_dated"
	BeforeWindow     Reason = "before_window"
	DuplicateVacancy Reason = "duplicate"
)

// reasons numbers the reasons, Counted first.
var reasons = [...]Reason{Counted, ImportedListing, UnknownOrigin, TermsForbid, NotListed, NoRole, OutsideUK, CountryUnknown, Undated,
	FutureDated, BeforeWindow, DuplicateVacancy}

// Rule is a reason with the sentence that it enforces.
type Rule struct {
	Reason   Reason
	Sentence string // of the specification, or of the documented choice
}

const onlyFrom = "Adverts are counted only from roles posted on the platform itself, from employers' own applicant-tracking boards, and from a national apprenticeship vacancy service."

// Rules lists every rule in the order of application: an advert that breaks
// several is excluded by the first.
func Rules() []Rule {
	return []Rule{
		{ImportedListing, "Listings from job boards and aggregators, and listings imported from them, are excluded, because their terms forbid passing on vacancy counts."},
		{UnknownOrigin, onlyFrom + " Where it was first posted is not known, so it is not counted."},
		{TermsForbid, onlyFrom + " The terms of the source that delivered it do not permit counting."},
		{NotListed, onlyFrom + " A prospect post or a direct link is not a role on the board."},
		{NoRole, onlyFrom + " A talent pool, or an invitation to apply for what may come, is no role."},
		{OutsideUK, "Regions cover the United Kingdom only."},
		{CountryUnknown, "Regions cover the United Kingdom only. Which country the work is in is not known, so it is not counted."},
		{Undated, "window: one of 3, 6, 12, 24 (months). Without a date of posting no window holds it."},
		{FutureDated, "The date the data describes: a role posted after it is not counted yet."},
		{BeforeWindow, "window: one of 3, 6, 12, 24 (months). It was posted before the longest window."},
		{DuplicateVacancy, "The same vacancy seen twice (same requisition, same apply address, or same employer, title, place and fortnight) is counted once. Two requisition numbers are two vacancies."},
	}
}
