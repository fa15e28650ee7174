package recordedtest

import (
	"fmt"
	"strings"
)

// Config is a labour.yaml that points every connector to base, where the World is
// served.
func (w *World) Config(base string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `platform: {name: Recorded Works, link: "https://works.example"}
contact: data@works.example
sources:
  employer_boards:
    vendors:
      ashby: {base_url: "%[1]s/ashby"}
      greenhouse: {base_url: "%[1]s/greenhouse"}
      lever: {base_url: "%[1]s/lever"}
      workable: {base_url: "%[1]s/workable"}
      recruitee: {base_url: "%[1]s/recruitee/{token}"}
      teamtailor: {base_url: "%[1]s/teamtailor/{token}"}
      personio: {base_url: "%[1]s/personio/{token}"}
    boards:
`, base)
	for _, board := range w.Boards {
		fmt.Fprintf(&b, "      - {vendor: %s, token: %q, employer: %q}\n", board.Vendor, board.Token, board.Employer)
	}
	fmt.Fprintf(&b, `  dfe_apprenticeships:
    base_url: "%[1]s/ees"
    data_sets:
      - {id: %[2]s, metric: apprenticeship_starts, covers: full_year}
      - {id: %[3]s, metric: further_education_enrolments, covers: to_april}
      - {id: %[4]s, metric: further_education_enrolments, covers: to_april}
  ons_geography:
    base_url: "%[1]s/ons"
    services:
      - {service: CTRY, areas: [nation]}
      - {service: LAD, areas: [council, region]}
      - {service: TTWA, areas: [travel_to_work_area]}
      - {service: ITL1, areas: [itl1]}
      - {service: ITL2, areas: [itl2]}
      - {service: ITL3, areas: [itl3]}
      - {service: LSIP, areas: [lsip]}
      - {service: EDGES, boundaries: council}
`, base, StartsID, EnrolmentsID, CouncilEnrolmentsID)
	return []byte(b.String())
}
