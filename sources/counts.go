package sources

// MaxCount is the maximum of a published count, such as a number of people, jobs or training
// places. No country has more. A higher number is a mistake of the publisher, and a connector
// reports it as a fault of its row.
const MaxCount = 1_000_000_000
