package sources

// Origin is where an advert was first posted, for example on an employer's own board. Adverts of
// unknown origin are not counted.
type Origin string

// Possible values of Origin. Adverts first posted on a job board or an aggregator are not counted,
// nor are adverts of unknown origin.
const (
	OriginUnknown  Origin = ""
	OriginPlatform Origin = "platform" // The advert was posted on the platform.
	// OriginEmployerBoard is for adverts from an employer's own careers site.
	OriginEmployerBoard Origin = "employer_board"
	// OriginApprenticeship is for adverts from the national apprenticeship vacancy service.
	OriginApprenticeship Origin = "find_an_apprenticeship"
	// OriginJobBoard is for adverts from a job board, or copied from one.
	OriginJobBoard Origin = "job_board"
	// OriginAggregator is for adverts from an aggregator, or copied from one.
	OriginAggregator Origin = "aggregator"
)
