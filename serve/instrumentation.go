package serve

import "time"

// Instrumentation is told of every call and every query, for measuring; *metrics.Metrics is
// the real one. It is called by many goroutines at once.
type Instrumentation interface {
	// Answered: a call ended. route is a pattern of the interface, empty when there is
	// none at that path; code is the error's code, empty for none.
	Answered(route, method string, status int, code string, took time.Duration)
	// QueryBegan: a query has its turn.
	QueryBegan()
	// QueryEnded: it is over; interrupted says that it passed its deadline or that
	// nobody waited any more.
	QueryEnded(took time.Duration, interrupted bool)
	// QueryRefused: a query got no turn.
	QueryRefused()
}

// noInstrumentation is the Instrumentation of a server that nobody measures.
type noInstrumentation struct{}

func (noInstrumentation) Answered(string, string, int, string, time.Duration) {}
func (noInstrumentation) QueryBegan()                                         {}
func (noInstrumentation) QueryEnded(time.Duration, bool)                      {}
func (noInstrumentation) QueryRefused()                                       {}
