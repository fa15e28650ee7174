package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"labour/snapshots"
)

// ManifestChainMessage is a message about one snapshot in the chain of manifests. Each manifest in
// the chain names its predecessor.
type ManifestChainMessage struct {
	ID snapshots.ID `json:"id"`
	// Fault is true if the chain is broken at this snapshot: there is a gap, or a manifest differs
	// from the sealed one.
	Fault bool   `json:"fault"`
	Text  string `json:"what"`
}

// CheckChain checks the chain of manifests, in which each manifest names its predecessor. It
// returns messages and an updated copy of the index, and writes nothing. A gap or a changed
// manifest is a fault. A fork is only a remark, because an operator can return to an older
// snapshot.
func (s *Store) CheckChain(ctx context.Context) (Index, []ManifestChainMessage, error) {
	ids, err := s.ids()
	if err != nil {
		return Index{}, nil, err
	}
	x, err := s.Index()
	var links []ManifestChainMessage
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist) && len(ids) == 0:
		return Index{Format: snapshots.Format}, nil, nil
	default:
		links = append(links, ManifestChainMessage{Fault: true, Text: fmt.Sprintf("the index cannot be read: %v", err)})
		x = Index{Format: snapshots.Format, Rebuilt: true}
	}
	if x.Rebuilt {
		links = append(links,
			ManifestChainMessage{Text: "the index was made again from the directories: it lacks snapshots that were " +
				"removed before"})
	}
	if _, err := s.Current(); errors.Is(err, ErrUnreadableCurrent) {
		links = append(links, ManifestChainMessage{Fault: true, Text: err.Error()})
	}
	for _, id := range ids {
		if ctx.Err() != nil {
			return Index{}, nil, ctx.Err()
		}
		links = append(links, s.compareWithIndex(x, id)...)
	}
	for _, e := range x.Snapshots {
		if !e.Removed && !slices.Contains(ids, e.ID) {
			links = append(links, ManifestChainMessage{e.ID, true, "its directory is missing, and no removal is recorded"})
		}
	}
	if err := s.reconcile(&x); err != nil {
		return Index{}, nil, err
	}
	return x, append(links, x.breaks()...), nil
}

// compareWithIndex returns a message if the index lacks the snapshot, or has a different hash for
// the snapshot's manifest.
func (s *Store) compareWithIndex(x Index, id snapshots.ID) []ManifestChainMessage {
	e, known := x.FindEntry(id)
	if !known {
		return []ManifestChainMessage{{id, false,
			"it is not in the index: a run was killed as it sealed it, or somebody else put it there"}}
	}
	_, sum, err := snapshots.ReadManifest(s.SnapshotDir(id))
	if err == nil && sum != e.ManifestSHA256 {
		return []ManifestChainMessage{{id, true, "its manifest is not the one that was sealed: SHA-256 " + sum +
			", the index has " + e.ManifestSHA256}}
	}
	return nil // List reports an unreadable manifest
}

// CheckAgainstIndex returns an error if a snapshot contradicts the store's index: the index states
// another SHA-256 of its manifest, or it names a predecessor with another SHA-256 than the index
// states. It returns nil if the index cannot be read or does not list the snapshot.
func (s *Store) CheckAgainstIndex(id snapshots.ID) error {
	x, err := s.Index()
	if err != nil {
		return nil // CheckChain reports it
	}
	links := s.compareWithIndex(x, id)
	if e, known := x.FindEntry(id); known {
		links = append(links, x.otherPredecessor(e)...)
	}
	for _, l := range links {
		if l.Fault {
			return fmt.Errorf("snapshot %s must not be used: %s; put it back from a backup, or withdraw it with "+
				"labour snapshot withdraw %[1]s", id, l.Text)
		}
	}
	return nil
}

// breaks returns a message for each irregularity in the chain of manifests: an unknown predecessor,
// a predecessor with a different SHA-256 than its successor states, a fork, or a missing run
// number. A fork is only a remark.
func (x Index) breaks() []ManifestChainMessage {
	var links []ManifestChainMessage
	// published and not withdrawn snapshots by predecessor; "" for those without one
	followers := map[snapshots.ID][]snapshots.ID{}
	for _, e := range x.Snapshots {
		before := e.predecessor()
		if e.Previous != nil {
			if _, known := x.FindEntry(before); !known {
				links = append(links, e.gap("it follows "+string(before)+", which is unknown here"))
			}
		}
		links = append(links, x.otherPredecessor(e)...)
		if e.Published() && e.Withdrawn == nil {
			followers[before] = append(followers[before], e.ID)
		}
	}
	for _, e := range x.Snapshots {
		if all := followers[e.predecessor()]; len(all) > 1 && slices.Contains(all[1:], e.ID) {
			links = append(links,
				ManifestChainMessage{e.ID, false, fmt.Sprintf("a fork: %s was published after %s too", all[0],
					cmp.Or(e.predecessor(), "nothing"))})
		}
	}
	return append(links, x.runGaps()...)
}

// otherPredecessor returns a message if the index lists the predecessor that an entry names, but
// with another SHA-256 than the entry states.
func (x Index) otherPredecessor(e IndexEntry) []ManifestChainMessage {
	p, known := x.FindEntry(e.predecessor())
	if !known || p.ManifestSHA256 == e.Previous.ManifestSHA256 {
		return nil
	}
	return []ManifestChainMessage{{e.ID, true, "it follows another " + string(p.ID) +
		" than the one that is known: SHA-256 " + e.Previous.ManifestSHA256}}
}

// runGaps returns a message for each gap in the run numbers of a date. The store assigns run
// numbers without gaps.
func (x Index) runGaps() []ManifestChainMessage {
	var links []ManifestChainMessage
	for i, e := range x.Snapshots {
		run := 0
		if i > 0 && x.Snapshots[i-1].ID.Date().Equal(e.ID.Date()) {
			run = x.Snapshots[i-1].ID.Run()
		}
		if e.ID.Run() > run+1 {
			links = append(links, e.gap(fmt.Sprintf("nothing is known of %s", snapshots.NewID(e.ID.Date(), run+1))))
		}
	}
	return links
}

// gap returns the message for a gap in the chain before the snapshot of e. text describes the gap.
// It is a fault if this store sealed the snapshot. It is only a remark if the snapshot came from
// another store, because a store need not take over every snapshot.
func (e IndexEntry) gap(text string) ManifestChainMessage {
	if e.FromOtherStore {
		return ManifestChainMessage{e.ID, false, "not taken over: " + text}
	}
	return ManifestChainMessage{e.ID, true, "a gap: " + text}
}

// predecessor returns the ID of the snapshot's predecessor, or "" if there is none.
func (e IndexEntry) predecessor() snapshots.ID {
	if e.Previous == nil {
		return ""
	}
	return e.Previous.ID
}

// SnapshotOrder states which of two snapshots was made first. It is determined from the
// predecessors that their manifests name.
type SnapshotOrder int

// The values of SnapshotOrder, as Index.Order(id, otherID) returns them.
const (
	// SnapshotOrderUnknown means that the index does not connect the two snapshots.
	SnapshotOrderUnknown SnapshotOrder = iota
	// SnapshotOrderEarlier means that the snapshot id is a predecessor of otherID.
	SnapshotOrderEarlier
	// SnapshotOrderLater means that the snapshot otherID is a predecessor of id.
	SnapshotOrderLater
	// SnapshotOrderForked means that neither snapshot is a predecessor of the other, but that both
	// descend from the same first snapshot.
	SnapshotOrderForked
)

// Order returns whether the snapshot id was made before or after the snapshot otherID. It follows
// the predecessors that the manifests name. It does not use times, since a clock may be wrong.
func (x Index) Order(id, otherID snapshots.ID) SnapshotOrder {
	forward, back := id, otherID // each iteration goes back to the predecessors
	for range x.Snapshots {
		before, after := x.madeFrom(forward), x.madeFrom(back)
		switch {
		case before == otherID:
			return SnapshotOrderLater
		case after == id:
			return SnapshotOrderEarlier
		case before == "" && after == "":
			return x.rootOrder(forward, back)
		}
		forward, back = cmp.Or(before, forward), cmp.Or(after, back)
	}
	return SnapshotOrderUnknown
}

// rootOrder returns the order of two snapshots from their oldest known predecessors, root and
// otherRoot. The result is SnapshotOrderForked if both are the first snapshot of the chain, and
// SnapshotOrderUnknown if they are not.
func (x Index) rootOrder(root, otherRoot snapshots.ID) SnapshotOrder {
	e, known := x.FindEntry(root)
	if known && root == otherRoot && e.Previous == nil {
		return SnapshotOrderForked
	}
	return SnapshotOrderUnknown
}

// madeFrom returns the ID of the predecessor of the snapshot id, which is the snapshot that was
// current when id was made. It returns "" if there was none or if the index does not list id.
func (x Index) madeFrom(id snapshots.ID) snapshots.ID {
	e, _ := x.FindEntry(id)
	return e.predecessor()
}

// LastNotWithdrawn returns the newest snapshot that was not withdrawn, among id and its
// predecessors. A snapshot that the index does not list counts as not withdrawn. If all of them
// were withdrawn, the result is "".
func (x Index) LastNotWithdrawn(id snapshots.ID) snapshots.ID {
	for id != "" {
		e, known := x.FindEntry(id)
		if !known || e.Withdrawn == nil {
			return id
		}
		id = e.predecessor()
	}
	return ""
}
