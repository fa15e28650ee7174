package objects

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// gateway starts an S3 server on loopback and gives the address of a new bucket.
// The server is versitygw over a directory; without it on the PATH, or in bin/ of
// the project, the test is skipped.
func gateway(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("versitygw")
	if err != nil {
		if program, err = filepath.Abs(filepath.Join("..", "..", "bin", "versitygw")); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(program); err != nil {
			t.Skip("no S3 server: versitygw is neither on the PATH nor in bin/ (continuous integration builds it)")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var log bytes.Buffer
	c := exec.Command(program, "--access", "made-up", "--secret", "made-up-too", "--port", addr, "posix", "--sidecar", t.TempDir(), dir)
	c.Stdout, c.Stderr = &log, &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // it holds nothing that matters
		_ = c.Wait()
		if t.Failed() {
			t.Logf("versitygw: %s", log.String())
		}
	})
	t.Setenv("AWS_ACCESS_KEY_ID", "made-up")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "made-up-too")
	bucket(t, "http://"+addr)
	return fmt.Sprintf("s3://labour?region=us-east-1&endpoint=http://%s&use_path_style=true&disable_https=true", addr)
}

// bucket makes the bucket, waiting until the server answers.
func bucket(t *testing.T, endpoint string) {
	t.Helper()
	client := s3.New(s3.Options{BaseEndpoint: aws.String(endpoint), Region: "us-east-1", UsePathStyle: true, RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("made-up", "made-up-too", "")})
	var err error
	for range 2400 {
		if _, err = client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("labour")}); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the S3 server does not answer: %v", err)
}
