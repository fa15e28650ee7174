package sources

// MaxCount is the largest count that a connector accepts, for example of people, jobs or training
// places. No country that the sources cover has as many people. A higher number is therefore a
// mistake of the publisher, and the connector reports it as a fault of the row.
const MaxCount = 1_000_000_000
