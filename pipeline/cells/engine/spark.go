package engine

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"labour/pipeline/cells/engine/sparkconnect"
)

// Cluster holds the settings for running queries on a Spark cluster. They are the block `engine` of
// the configuration.
type Cluster struct {
	// address of the Spark Connect server: sc://host:15002, with /;use_ssl=true for TLS
	Address string `yaml:"connect"`
	// WorkFolder is the folder for files shared with the cluster: an absolute directory that both
	// machines see, or s3://bucket/prefix.
	WorkFolder string `yaml:"work"`
	// TokenEnv names the environment variable or file with the bearer token of the Spark Connect
	// server; empty = no token.
	TokenEnv string `yaml:"token_env"`
	// AllowPlaintext permits a connection without TLS to another machine, for a network that is
	// itself encrypted. It does not permit one with a token.
	AllowPlaintext bool `yaml:"allow_plaintext"`
	// AllowReadableWorkFolder permits a work directory that other users of the machine can read.
	AllowReadableWorkFolder bool `yaml:"allow_open_work"`

	// bearer token for the Spark Connect server, from the variable or file TokenEnv; empty = none
	Token string `yaml:"-"`
	// ReconnectTimeout is how long the client tries to restore a lost connection; 0 = a minute.
	ReconnectTimeout time.Duration `yaml:"-"`
	// certificate authorities accepted for the server; nil = the system's
	RootCAs *x509.CertPool `yaml:"-"`
	// SessionFile is the path of a file in the protected zone. It names the session and folder in
	// use on the cluster, so that the next run can remove both after a crash.
	SessionFile string `yaml:"-"`
}

// settings are the settings of the Spark session. Results depend on the time zone and on the type
// of timestamps. Without fileCompressionFactor, Spark would send whole files to every executor. The
// factor makes Spark expect files to be larger in memory than on disk.
var settings = map[string]string{"spark.sql.session.timeZone": "UTC",
	"spark.sql.parquet.outputTimestampType":   "TIMESTAMP_MICROS",
	"spark.sql.sources.fileCompressionFactor": "8"}

// Spark is an engine that runs queries on a Spark cluster.
type Spark struct {
	client  *sparkconnect.Client
	cluster Cluster
	folder  folder
	// number of queries that Write has run; names the folder of the next result
	answers int
}

type onCluster struct {
	Connect    string `json:"connect"`
	Session    string `json:"session"`
	WorkFolder string `json:"work"`
}

// Validate returns an error if the cluster's address is not valid, or if a connection to another
// machine would not be encrypted. AllowPlaintext permits an unencrypted connection without a token.
// Validate also checks that WorkFolder is an absolute directory or an s3:// address.
func (c *Cluster) Validate() error {
	a, err := sparkconnect.ParseAddress(c.Address)
	if err != nil {
		return err
	}
	if !a.TLS && !a.IsLoopback() && !c.AllowPlaintext {
		return fmt.Errorf(
			"engine.connect %s is another machine and has no TLS: add /;use_ssl=true, "+
				"or set engine.allow_plaintext if the network itself is encrypted", c.Address)
	}
	if c.Token != "" && !a.TLS && !a.IsLoopback() {
		return fmt.Errorf("engine.connect %s: a token is sent over TLS only: add /;use_ssl=true", c.Address)
	}
	if bucket, ok := strings.CutPrefix(c.WorkFolder, "s3://"); !filepath.IsAbs(c.WorkFolder) && (!ok || bucket == "") {
		return fmt.Errorf("engine.work %q: it must be an absolute directory or s3://bucket/prefix", c.WorkFolder)
	}
	return nil
}

// ConnectCluster starts a session on the cluster and creates a folder for its files. First it
// cleans up after an earlier run that was killed. The caller must close the result.
func ConnectCluster(ctx context.Context, c Cluster) (_ *Spark, err error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := c.EndOrphanedSession(ctx); err != nil {
		return nil, err
	}
	left := onCluster{Connect: c.Address, Session: sparkconnect.NewSessionID(), WorkFolder: c.WorkFolder}
	s := &Spark{cluster: c}
	if s.folder, err = openFolder(ctx, left); err != nil {
		return nil, err
	}
	b, err := json.Marshal(left)
	if err != nil {
		return nil, errors.Join(err, s.folder.close())
	}
	if err := os.WriteFile(c.SessionFile, b, 0o600); err != nil {
		return nil, errors.Join(err, s.folder.close())
	}
	if err = s.folder.make(c.AllowReadableWorkFolder); err == nil {
		s.client, err = sparkconnect.Open(ctx, c.options(left))
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (c *Cluster) options(left onCluster) sparkconnect.Options {
	a, _ := sparkconnect.ParseAddress(left.Connect) // it was checked before it was written
	return sparkconnect.Options{Address: a, Token: c.Token, SessionID: left.Session, SparkSettings: settings,
		ReconnectTimeout: c.ReconnectTimeout, RootCAs: c.RootCAs}
}

// EndOrphanedSession cleans up after a run that was killed: it ends that run's cluster session and
// removes the session's files.
func (c *Cluster) EndOrphanedSession(ctx context.Context) error {
	b, err := os.ReadFile(c.SessionFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var left onCluster
	if err == nil {
		err = json.Unmarshal(b, &left)
	}
	if err != nil {
		return fmt.Errorf("read what an earlier run left on the cluster: %w", err)
	}
	_ = sparkconnect.EndSession(c.options(left)) // a server that is gone runs nothing
	f, err := openFolder(ctx, left)
	if err == nil {
		err = errors.Join(f.remove(ctx, ""), f.close())
	}
	if err != nil {
		return fmt.Errorf(
			"remove what an earlier run left in %s; remove the folder labour-%s there yourself, then the file %s: %w",
			left.WorkFolder, left.Session, c.SessionFile, err)
	}
	return os.Remove(c.SessionFile)
}

// Read copies a Parquet file to the cluster, and creates a view of it under the given name.
func (s *Spark) Read(ctx context.Context, name, file string) error {
	if err := s.folder.put(ctx, "staged/"+name+".parquet", file); err != nil {
		return fmt.Errorf("copy it to the work directory: %w", err)
	}
	return s.client.CreateParquetView(ctx, name, s.folder.url("staged/"+name+".parquet"))
}

// CreateView creates an SQL view from a query.
func (s *Spark) CreateView(ctx context.Context, name, query string) error {
	return s.client.CreateView(ctx, name, query)
}

// Materialise writes the rows of a query to files on the cluster, because files survive the loss of
// an executor. It creates a view of these files under the given name.
func (s *Spark) Materialise(ctx context.Context, name, query string) error {
	path := s.folder.url("kept/" + name)
	if err := s.client.WriteParquet(ctx, query, path); err != nil {
		return err
	}
	return s.client.CreateParquetView(ctx, name, path)
}

// Write runs a query on the cluster, and copies the files with its result to the local directory
// named by to.
func (s *Spark) Write(ctx context.Context, query, to string) error {
	s.answers++
	answer := "answers/" + strconv.Itoa(s.answers)
	if err := s.client.WriteParquet(ctx, query, s.folder.url(answer)); err != nil {
		return err
	}
	if err := s.folder.get(ctx, answer, to); err != nil {
		return fmt.Errorf("copy the answer from the work directory: %w", err)
	}
	return s.folder.remove(ctx, answer)
}

// Close ends the cluster session and removes the session's files.
func (s *Spark) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var err error
	if s.client != nil {
		_ = s.client.Close() // the statement has reported a lost server
	}
	if err = s.folder.remove(ctx, ""); err == nil {
		err = os.Remove(s.cluster.SessionFile)
	}
	return errors.Join(err, s.folder.close())
}
