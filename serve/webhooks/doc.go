// Package webhooks tells partners what happened: they name HTTPS endpoints, and
// each event that is published is sent to every endpoint that asked for its
// type, signed as the Standard Webhooks specification says
// (https://www.standardwebhooks.com).
//
// # Delivery
//
// An event and its deliveries are written in one transaction of the state
// database, so an event is published wholly or not at all, and publishing it again
// changes nothing. The table of deliveries is the queue: a server claims a delivery
// before it attempts it, for two minutes. What a killed server had claimed is then
// attempted by another server, or by the same one after a restart. An endpoint gets each event at
// least once: twice only when a server was killed between the answer and its
// entry in the log. The id of a message is that of its event in every attempt,
// so a receiver can tell.
//
// Anything but a 2xx answer within 15 seconds is a failed attempt. A delivery is
// tried again at growing intervals with jitter over about three days, not
// earlier than Retry-After says. 410 Gone ends it and disables the endpoint. An
// endpoint whose attempts have failed for five days without a good one between
// them is disabled; what waits for it is cancelled.
//
// # Where a message may go
//
// Only https, no redirects, no proxy, and only public addresses: each address
// is checked when the connection is made, after names were looked up, so a name
// that changes its answer gains nothing (see guard).
//
// # What a message holds
//
// {"id", "type", "timestamp", "data"}. Data is a struct that has no place for a
// person or a pseudonym.
//
// # Secrets
//
// A signing secret is shared with the partner, so it cannot be stored as a hash.
// It is encrypted (AES-256-GCM, bound to its endpoint) with a key that the
// operator gives and keeps outside the database. Without such a key it is stored
// plainly, and who can read the state database can forge messages to partners.
// Options.Keys says how to introduce and to change the key. No secret is ever
// logged.
package webhooks
