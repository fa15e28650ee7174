package staging

import (
	"time"
)

// Shared is an advert whose terms permit that it is shown as it is, so that counts of
// such adverts may be shared too.
type Shared struct {
	Ordinal    int32     `col:"ordinal"`    // of the advert
	Precedence int32     `col:"precedence"` // of its source: of one vacancy the lowest gives the terms
	SourceKey  string    `col:"source_key"` // under whose terms it is shared
	Posted     time.Time `col:"posted"`
	Until      time.Time `col:"until"` // the last day on which it was live
}

// SharedPlace is one place of such an advert: a point, or a council.
type SharedPlace struct {
	Ordinal   int32   `col:"ordinal"`
	Code      string  `col:"code"`      // of the council; "" = a point
	Latitude  float64 `col:"latitude"`  // degrees north; 0 for a council
	Longitude float64 `col:"longitude"` // degrees east; 0 for a council
}
