package state

import (
	"context"
	"time"
)

// FlushEvery writes what is kept in memory at each interval until ctx ends, and once
// more then, with a context that has not ended. What flush fails with is reported,
// and the next interval comes all the same.
func FlushEvery(ctx context.Context, interval time.Duration, flush func(context.Context) error, report func(error)) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for last := false; !last; {
		select {
		case <-ctx.Done():
			last = true
		case <-tick.C:
		}
		if err := flush(context.WithoutCancel(ctx)); err != nil {
			report(err)
		}
	}
}
