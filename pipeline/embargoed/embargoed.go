// Package embargoed computes those of the six held datasets that are not plain counts: "built but
// not available. Each waits on one stated condition". Everything here is a pure function of what was
// read and of the date the data describes; the pipeline gives it rows and writes what comes out.
// Demand, trends and reach are questions of package cells.
package embargoed
