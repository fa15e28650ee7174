// Package embargoed writes the six embargoed datasets: those that are built but not served until a
// condition is met. Four of them are results of queries in package cells. The other two, signals
// and priorities, are generated sentences.
package embargoed

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
	"labour/sources"
)

// wordsOf returns the topic of a headline as words, with spaces instead of underscores.
func wordsOf(t sources.Topic) string { return strings.ReplaceAll(string(t), "_", " ") }

// joinWords joins words to an English list, such as "a", "a and b" or "a, b and c".
func joinWords(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// signals returns a generated sentence for each news headline. The sentence has the headline's
// date, publisher and topics, but no quotation. by maps source keys to publishers. Headlines of
// other sources, headlines without topics, and headlines dated after asOf are left out. A second
// headline with the same id is left out too.
func signals(headlines []sources.Headline, by map[string]sources.Info, asOf time.Time) []snapshots.SignalsRow {
	var rows []snapshots.SignalsRow
	seen := map[string]bool{}
	for _, h := range headlines {
		p, permitted := by[h.Source]
		if !permitted || len(h.Topics) == 0 || h.Published.Time().After(asOf) {
			continue
		}
		sum := sha256.Sum256([]byte(h.ID))
		id := h.Source + ":" + hex.EncodeToString(sum[:8])
		if seen[id] {
			continue
		}
		seen[id] = true
		topics := slices.Clone(h.Topics)
		slices.Sort(topics)
		topics = slices.Compact(topics)
		var codes, words []string
		for _, t := range topics {
			codes, words = append(codes, string(t)), append(words, wordsOf(t))
		}
		rows = append(rows, snapshots.SignalsRow{ID: id, PublishedOn: h.Published.Time(),
			Topics: strings.Join(codes, ","),
			Summary: fmt.Sprintf("%s published on %s on %s.", p.Publisher, joinWords(words),
				h.Published.Time().Format("2 January 2006")),
			SourceKey: h.Source, Licence: p.Licence, Link: h.Link})
	}
	return rows
}

// priorities returns a generated sentence for each priority of a local skills plan. publishers maps
// the keys of permitted sources to their publishers, and priorities from other sources are left
// out. name returns the name of a code. If name returns false, the priority is left out and passed
// to reportUnknown.
func priorities(list []sources.PlanPriority, publishers map[string]sources.Info,
	name func(kind, code string) (string, bool), reportUnknown func(sources.PlanPriority)) []snapshots.PrioritiesRow {
	var rows []snapshots.PrioritiesRow
	for _, p := range list {
		of, permitted := publishers[p.Source]
		if !permitted {
			continue
		}
		called, ok := name(p.Kind, p.Code)
		if !ok {
			reportUnknown(p)
			continue
		}
		row := snapshots.PrioritiesRow{RegionCode: p.RegionCode, Plan: p.Plan, Kind: p.Kind, Code: p.Code, Name: called,
			PublishedOn: p.Published.Time(), SourceKey: p.Source, Licence: of.Licence, Link: p.Link}
		row.Summary = fmt.Sprintf("%s (%s, %d) lists %s as in demand", p.Title, of.Publisher, p.Published.Year,
			labelPriority(p, called))
		if p.Page != "" {
			row.Page = &p.Page
			row.Summary += ", page " + p.Page
		}
		row.Summary += "."
		rows = append(rows, row)
	}
	table, _ := snapshots.FindEmbargoedTable("priorities")
	return snapshots.DistinctRows(table, rows)
}

// labelPriority returns a priority as part of a sentence, such as "the skill welding".
func labelPriority(p sources.PlanPriority, name string) string {
	switch p.Kind {
	case sources.PriorityOccupation:
		return fmt.Sprintf("%s (SOC 2020 %s)", name, p.Code)
	case sources.PrioritySector:
		return "the sector " + name
	}
	return "the skill " + name
}
