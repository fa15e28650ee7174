package api

import "labour/snapshots/figure"

// ComplianceRequest is the body of a compliance export.
type ComplianceRequest struct {
	Scheme      string `json:"scheme" minLength:"1" maxLength:"100" example:"social-value-2026" doc:"Name of the reporting scheme, as you call it."`
	PeriodStart Date   `json:"period_start" doc:"First day of the period."`
	PeriodEnd   Date   `json:"period_end" doc:"Last day of the period, not before the first."`
}

// ComplianceExport is its answer: fixed figures, whatever is asked.
type ComplianceExport struct {
	Preview bool           `json:"preview" enum:"true" doc:"Always true: the figures are not live."`
	Notice  string         `json:"notice" doc:"Says so in a sentence."`
	Data    ComplianceData `json:"data" doc:"The summary."`
	Meta    ComplianceMeta `json:"meta" doc:"About this response."`
}

// ComplianceMeta is its metadata. No snapshot stands behind it.
type ComplianceMeta struct {
	Generated Timestamp `json:"generated" doc:"When this response was built."`
}

// ComplianceData is the request with the figures that a scheme reports.
type ComplianceData struct {
	ComplianceRequest
	S106
}

// ComplianceNotice is the sentence.
const ComplianceNotice = "These are fixed preview figures for building against. They are not live and describe no place, employer or person."

// PreviewOf is the fixed preview for a request: "It serves fixed preview data, so
// the figures are not live."
func PreviewOf(r ComplianceRequest, generated Timestamp) ComplianceExport {
	return ComplianceExport{Preview: true, Notice: ComplianceNotice, Meta: ComplianceMeta{generated}, Data: ComplianceData{r, S106{
		Developments: 12, Obligations: 48, JobsCreated: 320, ApprenticeshipsStarted: Count{figure.CountOf(45)}, LocalPeopleEmployed: Count{figure.CountOf(210)},
		TrainingPlaces: 160, ContributionsGBP: 1_250_000,
	}}}
}
