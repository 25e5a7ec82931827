// Package simulator starts a Proxmox VE cluster in memory, for tests: in a container, or as a process.
package simulator

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const port = "8006/tcp"

// Access is what a client needs to reach the cluster. CA is the authority of its certificate, PEM.
type Access struct {
	URL, CA                                           string
	Fingerprint, User, Password, TokenID, TokenSecret string
}

// Client trusts the cluster, and logs in with its token.
func (a Access) Client() *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(a.CA))
	return &http.Client{Transport: login{a, &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}}
}

type login struct {
	access Access
	next   http.RoundTripper
}

func (l login) RoundTrip(asked *http.Request) (*http.Response, error) {
	asked = asked.Clone(asked.Context())
	asked.Header.Set("Authorization", "PVEAPIToken="+l.access.TokenID+"="+l.access.TokenSecret)
	return l.next.RoundTrip(asked)
}

// AccessTo makes access of a URL and of the line that the program prints when it listens.
func AccessTo(ctx context.Context, url string, line []byte) (Access, error) {
	access := Access{}
	if err := json.Unmarshal(line, &access); err != nil {
		return access, fmt.Errorf("this is no line of the simulator: %s: %w", line, err)
	}
	access.URL = url
	// the server is known by its fingerprint alone, until its authority is here
	known := func(shown [][]byte, _ [][]*x509.Certificate) error {
		sum := sha256.Sum256(shown[0])
		if digest := strings.ToUpper(hex.EncodeToString(sum[:])); digest != strings.ReplaceAll(access.Fingerprint, ":", "") {
			return fmt.Errorf("%s shows the fingerprint %s, and its log says %s", url, digest, access.Fingerprint)
		}
		return nil
	}
	once := http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true, VerifyPeerCertificate: known}}}
	asked, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/_sim/ca", nil)
	if err != nil {
		return access, err
	}
	answer, err := once.Do(asked)
	if err != nil {
		return access, err
	}
	defer answer.Body.Close()
	ca, err := io.ReadAll(answer.Body)
	access.CA = string(ca)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s/_sim/ca answers %s", url, answer.Status)
	}
	return access, err
}

// Container is a cluster in a container. Terminate it.
type Container struct {
	testcontainers.Container
	Access
}

// Run starts the image in a container: Run(ctx, "pve-simulator", testcontainers.WithCmd("--world", "homelab")).
func Run(ctx context.Context, image string, options ...testcontainers.ContainerCustomizer) (*Container, error) {
	all := append([]testcontainers.ContainerCustomizer{testcontainers.WithExposedPorts(port),
		testcontainers.WithWaitStrategy(wait.ForLog(`"tokenSecret"`))}, options...)
	started, err := testcontainers.Run(ctx, image, all...)
	if err != nil {
		return nil, err
	}
	access, err := accessOf(ctx, started)
	if err != nil {
		_ = started.Terminate(ctx)
		return nil, err
	}
	return &Container{started, access}, nil
}

func accessOf(ctx context.Context, started testcontainers.Container) (Access, error) {
	url, err := started.PortEndpoint(ctx, port, "https")
	if err != nil {
		return Access{}, err
	}
	log, err := started.Logs(ctx)
	if err != nil {
		return Access{}, err
	}
	defer log.Close()
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if at := bytes.Index(lines.Bytes(), []byte(`{"url"`)); at >= 0 {
			return AccessTo(ctx, url, lines.Bytes()[at:])
		}
	}
	return Access{}, fmt.Errorf("the simulator ended before it listened")
}

// Test is what Start needs of a testing.TB.
type Test interface {
	Context() context.Context
	Cleanup(func())
}

// Start does the same without containers, by the program that you name, until the test ends:
// Start(t, "node", "node_modules/pve-simulator/dist/pve-simulator.cjs", "--world", "homelab").
func Start(t Test, program string, args ...string) (Access, error) {
	command := exec.Command(program, args...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return Access{}, err
	}
	if err := command.Start(); err != nil {
		return Access{}, err
	}
	// waited for: a test binary that ends sooner would leave it behind
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	})
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		return Access{}, fmt.Errorf("%s ended before it listened: %w", program, err)
	}
	said := struct{ URL string }{}
	if err := json.Unmarshal(line, &said); err != nil {
		return Access{}, err
	}
	return AccessTo(t.Context(), said.URL, line)
}
