package platform

import (
	"net/url"
	"regexp"

	"labour/sources"
)

// Config is the block `platform` of the configuration file. It describes the jobs platform and the
// address of its feed. The feed is a directory, or a web server with an index.json that lists the
// files.
type Config struct {
	Name string `yaml:"name"` // name of the platform, for the attribution `Source: <name>.` It must not contain `<`
	// Link is the public address of the platform. No real address ends in `.example`. If this
	// address or that of a live advert does, every page states that the data are made up.
	Link        string `yaml:"link"`
	FeedAddress string `yaml:"feed"` // directory, file:// or http(s):// address; empty = no feed
	// FeedKeyEnv names the environment variable or file with the value of the header Authorization for
	// requests to the feed, such as "Bearer" and a token; empty = no such header.
	FeedKeyEnv string `yaml:"feed_key_env"`
	// Kinds are the kinds of records to fetch and read; empty = all. Files of other kinds are taken
	// from the last extract.
	Kinds []RecordKind `yaml:"-"`
}

// HasPlainFeed reports whether the feed is empty, a directory, or an http(s) or file address without
// a user, a password, a query and a fragment. Other addresses are refused, because a configuration
// must not hold secrets.
func (c Config) HasPlainFeed() bool {
	if !beginsAddress.MatchString(c.FeedAddress) {
		return true
	}
	u, err := url.Parse(c.FeedAddress)
	if err != nil || u.User != nil || u.RawQuery+u.Fragment != "" {
		return false
	}
	return sources.IsWebOrFileAddress(c.FeedAddress)
}

// beginsAddress matches the beginning of an address, but not of a directory.
var beginsAddress = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*:|//)`)
