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

// Link is a message about one snapshot in the chain of manifests, in which each names its
// predecessor.
type Link struct {
	ID snapshots.ID `json:"id"`
	// Fault is true if the chain is broken here: a gap, or a manifest that differs from the sealed
	// one.
	Fault bool   `json:"fault"`
	What  string `json:"what"`
}

// Chain returns the index, brought up to date, and messages about the chain of manifests, in which
// each names its predecessor. A gap or a changed manifest is a fault. A fork is only a remark,
// since it may come from returning to an older snapshot. Chain writes nothing.
func (s *Store) Chain(ctx context.Context) (Index, []Link, error) {
	ids, err := s.ids()
	if err != nil {
		return Index{}, nil, err
	}
	x, err := s.Index()
	var links []Link
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist) && len(ids) == 0:
		return Index{Format: snapshots.Format}, nil, nil
	default:
		links = append(links, Link{Fault: true, What: fmt.Sprintf("the index cannot be read: %v", err)})
		x = Index{Format: snapshots.Format, Rebuilt: true}
	}
	if x.Rebuilt {
		links = append(links,
			Link{What: "the index was made again from the directories: what was removed before is not in it"})
	}
	if _, err := s.Current(); errors.Is(err, ErrUnreadableCurrent) {
		links = append(links, Link{Fault: true, What: err.Error()})
	}
	for _, id := range ids {
		if ctx.Err() != nil {
			return Index{}, nil, ctx.Err()
		}
		links = append(links, s.holdAgainst(x, id)...)
	}
	for _, e := range x.Snapshots {
		if !e.Removed && !slices.Contains(ids, e.ID) {
			links = append(links, Link{e.ID, true, "its directory is missing, and nothing says that it was removed"})
		}
	}
	if err := s.reconcile(&x); err != nil {
		return Index{}, nil, err
	}
	return x, append(links, x.links()...), nil
}

// holdAgainst compares a directory with its index entry.
func (s *Store) holdAgainst(x Index, id snapshots.ID) []Link {
	e, known := x.Entry(id)
	if !known {
		return []Link{{id, false,
			"it is not in the index: a run was killed as it sealed it, or somebody else put it there"}}
	}
	_, sum, err := snapshots.ReadManifest(s.Dir(id))
	if err == nil && sum != e.ManifestSHA256 {
		return []Link{{id, true, "its manifest is not the one that was sealed: SHA-256 " + sum + ", the index has " +
			e.ManifestSHA256}}
	}
	return nil // List reports an unreadable manifest
}

// links returns the points where the chain of the manifests breaks or forks.
func (x Index) links() []Link {
	var links []Link
	// published and not withdrawn snapshots by predecessor; "" for those without one
	followers := map[snapshots.ID][]snapshots.ID{}
	for _, e := range x.Snapshots {
		before := e.before()
		if e.Previous != nil {
			p, known := x.Entry(before)
			switch {
			case !known:
				links = append(links, e.gap("it follows "+string(before)+", of which nothing is known"))
			case p.ManifestSHA256 != e.Previous.ManifestSHA256:
				links = append(links,
					Link{e.ID, true, "it follows another " + string(before) + " than the one that is known: SHA-256 " +
						e.Previous.ManifestSHA256})
			}
		}
		if e.Published() && e.Withdrawn == nil {
			followers[before] = append(followers[before], e.ID)
		}
	}
	for _, e := range x.Snapshots {
		if all := followers[e.before()]; len(all) > 1 && slices.Contains(all[1:], e.ID) {
			links = append(links,
				Link{e.ID, false, fmt.Sprintf("a fork: %s was published after %s too", all[0],
					cmp.Or(e.before(), "nothing"))})
		}
	}
	return append(links, x.skipped()...)
}

// skipped returns the run numbers that are missing in a day: they are assigned without gaps.
func (x Index) skipped() []Link {
	var links []Link
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

// gap returns a gap before a snapshot: a fault if the snapshot was sealed here, a remark if it was
// adopted, since not every snapshot need be adopted.
func (e IndexEntry) gap(what string) Link {
	if e.Adopted {
		return Link{e.ID, false, "not taken over: " + what}
	}
	return Link{e.ID, true, "a gap: " + what}
}

// before returns the snapshot that an entry follows; empty if there is none.
func (e IndexEntry) before() snapshots.ID {
	if e.Previous == nil {
		return ""
	}
	return e.Previous.ID
}

// Order is the order in which two snapshots were made, by the chain of manifests.
type Order int

// The orders of two snapshots.
const (
	OrderUnknown Order = iota // the index lacks snapshots between them
	OrderEarlier              // the other one was made after it, directly or indirectly
	OrderLater                // it was made after the other one, directly or indirectly
	OrderForked               // each was made after a third one, on separate branches
)

// Order returns whether the snapshot id was made before or after other. It follows the predecessors
// named in the manifests and ignores times, since a clock may have been wrong.
func (x Index) Order(id, other snapshots.ID) Order {
	forward, back := id, other // each loop goes back to the predecessor
	for range x.Snapshots {
		before, after := x.madeFrom(forward), x.madeFrom(back)
		switch {
		case before == other:
			return OrderLater
		case after == id:
			return OrderEarlier
		case before == "" && after == "":
			return x.rootOrder(forward, back)
		}
		forward, back = cmp.Or(before, forward), cmp.Or(after, back)
	}
	return OrderUnknown
}

// rootOrder returns the order of two snapshots from the first snapshots of their chains.
func (x Index) rootOrder(one, other snapshots.ID) Order {
	e, known := x.Entry(one)
	if known && one == other && e.Previous == nil {
		return OrderForked
	}
	return OrderUnknown
}

// madeFrom returns the snapshot that was current when another was made; empty if it is not known.
func (x Index) madeFrom(id snapshots.ID) snapshots.ID {
	e, _ := x.Entry(id)
	return e.before()
}

// LastNotWithdrawn returns id or, if that snapshot was withdrawn, its nearest predecessor that was
// not. It returns "" if there is none.
func (x Index) LastNotWithdrawn(id snapshots.ID) snapshots.ID {
	for id != "" {
		e, known := x.Entry(id)
		if !known || e.Withdrawn == nil {
			return id
		}
		id = e.before()
	}
	return ""
}
