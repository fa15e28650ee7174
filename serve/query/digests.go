package query

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"labour/snapshots"
)

// datasets lists, for each dataset of the API such as skills-unmet, the database queries that read
// it.
var datasets = map[string][]queryName{
	"skills-unmet": {listsOf, ranking, breakdown, advertsAsking, people, residents, peoplePlaces,
		figures + "/codes", figures + "/places", figures + "/sectors", figures + "/skills",
		figures + "/occupations", figures + "/levels"},
	"skills-gaps":   {skillsGaps, regionNames},
	"course-demand": {courseDemand, regionNames, corrected},
	"evidence":      {evidence, regionNames, corrected},
	"sources":       {allSources, freshness},
	"regions":       {allRegions},
	"jobs":          {liveJobs},
	"pathways":      {pathways},
	"candidates":    {candidates},
	"s106":          {s106, peoplePlaces},
	"events":        {eventsOf, eventCount, eventTotals, eventDigests, platform + "/codes"},
	"places":        {placeList},
	"sectors":       {sectorList},
	"skills":        {skillList},
	"occupations":   {occupationList},
	"demand":        {embargoed + "/demand"},
	"trends":        {embargoed + "/trends"},
	"outlook":       {embargoed + "/outlook"},
	"reach":         {embargoed + "/reach"},
	"signals":       {embargoed + "/signals"},
	"priorities":    {embargoed + "/priorities"},
}

// digestsOf returns a digest of the data that each dataset reads. The keys of the map are dataset
// names in the API, such as skills-unmet. The digest for events does not depend on the events; see
// DigestOfEvents.
func (s *Snapshot) digestsOf(m snapshots.Manifest) map[string]string {
	sums, digests := map[string]string{}, map[string]string{}
	for _, t := range m.Tables {
		sums[t.Name] = t.SHA256
	}
	for _, f := range m.Files {
		sums[f.Path] = f.SHA256
	}
	for dataset, queries := range datasets {
		h := sha256.New()
		fmt.Fprintln(h, s.AsOf(), s.PeopleAsOf(), m.Format)
		for _, q := range queries {
			for _, name := range partOf(q.part(), m).tablesOf(q) {
				fmt.Fprintln(h, name, sums[name])
			}
		}
		for _, key := range slices.Sorted(maps.Keys(s.sources)) {
			fmt.Fprintln(h, s.sources[key])
		}
		digests[dataset] = hex.EncodeToString(h.Sum(nil))
	}
	return digests
}

var (
	comment         = regexp.MustCompile(`--[^\n]*`)
	tableDefinition = regexp.MustCompile(`(?:TABLE|VIEW|INTO) (\w+)`)
	word            = regexp.MustCompile(`\w+`)
)

// eventFiles is the name of an SQL variable. Its value is the list of paths of the event files.
const eventFiles = "event_files"

// tablesOf returns the names of the snapshot tables that a query reads, sorted. It searches the SQL
// text of the query and of the statements that load the DuckDB file.
func (p partSpec) tablesOf(q queryName) []string {
	made := map[string]map[string]bool{} // tables of the snapshot by table of the part
	for _, file := range p.load {
		for statement := range strings.SplitSeq(comment.ReplaceAllString(p.text(file), ""), ";") {
			from := map[string]bool{}
			for _, read := range fileRead.FindAllStringSubmatch(statement, -1) {
				name := read[2]
				if read[1] == embargoed {
					name = snapshots.EmbargoedDirName + "/" + read[2] + ".parquet"
				}
				from[name] = true
			}
			for _, w := range word.FindAllString(statement, -1) {
				if w == eventFiles {
					from[w] = true
				}
				maps.Copy(from, made[w])
			}
			for _, name := range tableDefinition.FindAllStringSubmatch(statement, -1) {
				maps.Copy(from, made[name[1]])
				made[name[1]] = from
			}
		}
	}
	read := map[string]bool{}
	for _, w := range word.FindAllString(comment.ReplaceAllString(q.text(), ""), -1) {
		maps.Copy(read, made[w])
	}
	return slices.Sorted(maps.Keys(read))
}
