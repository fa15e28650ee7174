package labourdata

import "github.com/paulmach/orb"

// Maps gives what a map of the boroughs is drawn from.
type Maps interface {
	// Outlines are the outlines of the boroughs, ordered by place; a borough of which
	// no source gives one is not among them. They are held in memory and must not be
	// changed by the caller.
	Outlines() Page[Outline]
}

// Outline is the outline of a borough, simplified for a map of 600 pixels.
type Outline struct {
	Place string           // slug
	Shape orb.MultiPolygon // longitude and latitude in degrees of WGS 84
}
