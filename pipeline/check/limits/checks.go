package limits

import "labour/sources"

// These are the names of the checks. An exception in the configuration refers to a check by its
// name.
const (
	// CheckVerify fails if files of the snapshot are damaged, missing or not valid. An exception
	// cannot allow that.
	CheckVerify = "verify"
	// CheckEarlierDate fails if the snapshot's date (as_of) is before the current snapshot's. The
	// operator cannot make an exception to this check.
	CheckEarlierDate = "date"
	// CheckQuarterMadeAgain fails if the snapshot made new counts of people for a quarter although
	// other counts for this quarter were published. An exception cannot allow that.
	CheckQuarterMadeAgain = "quarter"
	// CheckPlatformName fails if the name of the jobs platform has changed.
	CheckPlatformName = "platform"
	// CheckMinRows fails if a table has fewer rows than its minimum.
	CheckMinRows = "min_rows"
	// CheckFaultyRecords fails if too many of a source's records are faulty.
	CheckFaultyRecords = "faulty"
	// CheckTableShrink fails if a table lost too many rows.
	CheckTableShrink = "shrink"
	// CheckTableGrowth fails if a table gained too many rows.
	CheckTableGrowth = "growth"
	// CheckRevisedValues fails if too many values in a table of published statistics changed.
	CheckRevisedValues = "revised"
	// CheckLostSource fails if the new snapshot lacks a source of the current one.
	CheckLostSource = "lost_source"
	// CheckMissingFile fails if a required file of a source is missing. An exception cannot allow
	// that.
	CheckMissingFile = string(sources.FaultFileMissing)
	// CheckTruncatedFile fails if a file of a source is truncated. An exception cannot allow that.
	CheckTruncatedFile = string(sources.FaultTruncated)
	// CheckRecordCount fails if a source's number of records is outside its limits or changed too
	// much.
	CheckRecordCount = "records"
	// CheckCountedAdvertCount fails if a source's number of counted adverts is outside its limits or
	// changed too much.
	CheckCountedAdvertCount = "counted"
	// CheckListedAdvertCount fails if a source lists far fewer or far more adverts than before.
	CheckListedAdvertCount = "listed"
	// CheckCodedShare fails if too few of a source's adverts could be coded, or far fewer than
	// before.
	CheckCodedShare = "coded"
	// CheckPeopleCounts fails if published counts of people changed too much between quarters.
	CheckPeopleCounts = "people"
	// CheckUnknownCodes fails if a source delivered too many unknown or missing columns, or unknown
	// codes.
	CheckUnknownCodes = "unknown"
)

// ExcusableChecks returns the names of the checks whose faults an operator can acknowledge. The
// operator does so with an exception in the configuration.
func ExcusableChecks() []string {
	return []string{CheckPlatformName, CheckMinRows, CheckFaultyRecords, CheckTableShrink, CheckTableGrowth,
		CheckRevisedValues, CheckLostSource,
		CheckRecordCount, CheckCountedAdvertCount, CheckListedAdvertCount, CheckCodedShare, CheckPeopleCounts,
		CheckUnknownCodes}
}

// TableChecks returns the names of the checks of a single table. An exception for one of them names
// a table. An exception for another check names a source. CheckPlatformName needs neither.
func TableChecks() []string {
	return []string{CheckMinRows, CheckTableShrink, CheckTableGrowth, CheckRevisedValues}
}
