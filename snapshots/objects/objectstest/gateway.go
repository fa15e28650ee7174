// Package objectstest starts an S3 server for tests.
package objectstest

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

// StartS3Server starts a local S3 server (versitygw) and returns the address of a new bucket. It
// sets the credentials in the environment. It skips the test if versitygw is not installed.
func StartS3Server(t *testing.T) string {
	t.Helper()
	program := findInstalled(t)
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
	c := exec.Command(program, "--access", "made-up", "--secret", "made-up-too", "--port", addr, "posix", "--sidecar",
		t.TempDir(), dir)
	c.Stdout, c.Stderr = &log, &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // its data is not needed any more
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

func findInstalled(t *testing.T) string {
	t.Helper()
	if program, err := exec.LookPath("versitygw"); err == nil {
		return program
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		program := filepath.Join(dir, "bin", "versitygw")
		if _, err := os.Stat(program); err == nil {
			return program
		}
	}
	t.Skip("no S3 server: versitygw is neither on the PATH nor in bin/ (continuous integration builds it)")
	return ""
}

// bucket creates a bucket on the test server, and waits until the server responds.
func bucket(t *testing.T, endpoint string) {
	t.Helper()
	client := s3.New(s3.Options{BaseEndpoint: aws.String(endpoint), Region: "us-east-1", UsePathStyle: true,
		RetryMaxAttempts: 1,
		Credentials:      credentials.NewStaticCredentialsProvider("made-up", "made-up-too", "")})
	var err error
	for range 2400 {
		if _, err = client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("labour")}); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the S3 server does not answer: %v", err)
}
