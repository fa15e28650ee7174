package counting

import (
	"regexp"
	"slices"
	"strings"
)

// pool matches the titles of adverts that are no role: they collect people for what may
// come. "Talent Pool Manager" is a role, and so is "Future Opportunities Lead".
var pool = regexp.MustCompile(`(?i)\b(?:` +
	`(?:talent|candidate|applicant)[ -](?:pool|community|network|bank|pipeline)s?\b|` +
	`(?:future|upcoming|potential|other|general)[ -](?:job |career |employment |work )?(?:opportunit(?:y|ies)|vacanc(?:y|ies)|openings?|roles)\b|` +
	`(?:speculative|spontaneous|unsolicited|general|open|prospective|initiative)[ -](?:job )?(?:applications?|applicants?|cvs?|candidat(?:e|es|ure)|submissions?)\b|` +
	`expressions? of interest\b|register (?:your|my|an) interest\b|` +
	`(?:don['’]?t|do not|didn['’]?t|can['’]?t|cannot|not) (?:see|find|seeing|finding) (?:a |the |your |an )?(?:right |perfect |suitable |dream )?(?:role|job|position|vacancy|fit|opportunity|what you)|` +
	`(?:join|keep in touch|stay connected|stay in touch|connect)(?: with)? our (?:talent|team for future)|send us your cv\b|work with us\s*$|` +
	`initiativbewerbung|candidature spontan)`)

// poolWorkers are the roles of those who look after pools.
var poolWorkers = regexp.MustCompile(`(?i)\b(?:manager|lead|partner|specialist|head|director|co-?ordinator|officer|advis[eo]r|administrator|consultant|recruiter|assistant|executive|analyst|developer|engineer|designer|team leader)\b`)

// poolHints are parts of the words of pool: hardly a title has one.
var poolHints = []string{"talent", "candidat", "applica", "opportunit", "vacanc", "opening", "roles", "cv", "submission", "interest", " see", "find", "keep in touch", "work with us", "bewerbung"}

// isPool reports whether a title says that the advert is no role.
func isPool(title string) bool {
	lower := strings.ToLower(title)
	if !slices.ContainsFunc(poolHints, func(hint string) bool { return strings.Contains(lower, hint) }) {
		return false
	}
	at := pool.FindStringIndex(title)
	if at == nil {
		return false
	}
	// "Talent Community Manager" looks after one; "Expression of Interest: Care Manager" is one.
	worker := poolWorkers.FindStringIndex(title[at[1]:])
	return worker == nil || worker[0] > 1
}
