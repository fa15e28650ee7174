package counting

// ExclusionReason is why an advert is not counted as a vacancy, such as ReasonDuplicateVacancy. The
// reason of a counted advert is ReasonCounted.
type ExclusionReason string

// The reasons for not counting an advert, in the order in which the rules are applied.
const (
	// ReasonCounted means that the advert is counted as a vacancy.
	ReasonCounted ExclusionReason = ""
	// ReasonImportedListing excludes adverts from job boards and aggregators.
	ReasonImportedListing ExclusionReason = "imported_listing"
	// ReasonUnknownOrigin excludes adverts of unknown origin. They may come from a job board.
	ReasonUnknownOrigin ExclusionReason = "unknown_origin"
	// ReasonTermsForbid excludes adverts from a source whose terms do not permit counting.
	ReasonTermsForbid ExclusionReason = "terms_do_not_permit"
	// ReasonNotListed excludes adverts that the employer does not show on its board.
	ReasonNotListed ExclusionReason = "not_listed"
	// ReasonNoJobToFill excludes adverts that offer no job, such as an advert for a talent pool.
	ReasonNoJobToFill ExclusionReason = "no_role"
	// ReasonOutsideUK excludes adverts for work outside the United Kingdom.
	ReasonOutsideUK ExclusionReason = "outside_uk"
	// ReasonCountryUnknown excludes adverts for work in an unknown country.
	ReasonCountryUnknown ExclusionReason = "country_unknown"
	// ReasonUndated excludes adverts without a date of posting.
	ReasonUndated ExclusionReason = "undated"
	// ReasonFutureDated excludes adverts posted after the snapshot's date (as_of).
	ReasonFutureDated ExclusionReason = "future_dated"
	// ReasonBeforeWindow excludes adverts posted before the longest window (24 months).
	ReasonBeforeWindow ExclusionReason = "before_window"
	// ReasonDuplicateVacancy excludes adverts for a vacancy that is counted through another advert.
	ReasonDuplicateVacancy ExclusionReason = "duplicate"
)

// reasons lists all reasons in the order in which the rules are applied. The type summary stores an
// index in this list.
var reasons = [...]ExclusionReason{ReasonCounted, ReasonImportedListing, ReasonUnknownOrigin, ReasonTermsForbid,
	ReasonNotListed, ReasonNoJobToFill, ReasonOutsideUK,
	ReasonCountryUnknown, ReasonUndated,
	ReasonFutureDated, ReasonBeforeWindow, ReasonDuplicateVacancy}

// ExclusionRule is a reason for not counting an advert, and a sentence that explains it.
type ExclusionRule struct {
	Reason ExclusionReason
	// text of the rule, from the specification or a decision of this project
	Sentence string
}

const onlyFrom = "Adverts are counted only from roles posted on the platform itself, from employers' own " +
	"applicant-tracking boards, and from a national apprenticeship vacancy service."

// ExclusionRules returns all rules for not counting an advert, in the order in which they are
// applied. The reason for an excluded advert is that of the first rule that excludes it.
func ExclusionRules() []ExclusionRule {
	return []ExclusionRule{
		{ReasonImportedListing,
			"Listings from job boards and aggregators, and listings imported from them, are excluded, because their terms " +
				"forbid passing on vacancy counts."},
		{ReasonUnknownOrigin, onlyFrom + " Where it was first posted is not known, so it is not counted."},
		{ReasonTermsForbid, onlyFrom + " The terms of the source that delivered it do not permit counting."},
		{ReasonNotListed, onlyFrom + " A prospect post or a direct link is not a role on the board."},
		{ReasonNoJobToFill, onlyFrom + " A talent pool, or an invitation to apply for what may come, is no role."},
		{ReasonOutsideUK, "Regions cover the United Kingdom only."},
		{ReasonCountryUnknown,
			"Regions cover the United Kingdom only. The country of the work is not known, so it is not counted."},
		{ReasonUndated, "window: one of 3, 6, 12, 24 (months). Without a date of posting no window holds it."},
		{ReasonFutureDated, "The date the data describes: a role posted after it is not counted yet."},
		{ReasonBeforeWindow, "window: one of 3, 6, 12, 24 (months). It was posted before the longest window."},
		{ReasonDuplicateVacancy,
			"The same vacancy seen twice (same title, with the same employer and requisition, the same apply address, or " +
				"the same employer, place and fortnight) is counted once in a month, and in a later month only if its " +
				"last advert of that month was posted at least 14 days after its last of the months before. Two " +
				"requisition numbers are two vacancies; a requisition without a digit, or an apply address that several " +
				"titles share, tells nothing."},
	}
}
