package simulator

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/testcontainers/testcontainers-go"
)

func nodes(t *testing.T, access Access) int {
	t.Helper()
	answer, err := access.Client().Get(access.URL + "/api2/json/nodes")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	said := struct{ Data []json.RawMessage }{}
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil {
		t.Fatal(err)
	}
	return len(said.Data)
}

func TestProcess(t *testing.T) {
	program := os.Getenv("PVE_SIMULATOR")
	if program == "" {
		t.Skip("PVE_SIMULATOR names no program")
	}
	access, err := Start(t, "node", program, "--nodes", "2")
	if err != nil {
		t.Fatal(err)
	}
	if count := nodes(t, access); count != 2 {
		t.Fatalf("%d nodes", count)
	}
	_, err = AccessTo(t.Context(), access.URL, []byte(`{"fingerprint":"00:11"}`))
	if err == nil || !strings.Contains(err.Error(), "its log says 00:11") {
		t.Fatal(err)
	}
}

func TestContainer(t *testing.T) {
	if os.Getenv("CONTAINERS") == "" {
		t.Skip("no container engine is asked for")
	}
	cluster, err := Run(context.Background(), "pve-simulator", testcontainers.WithCmd("--nodes", "2"))
	if err != nil {
		t.Fatal(err)
	}
	testcontainers.CleanupContainer(t, cluster)
	if count := nodes(t, cluster.Access); count != 2 {
		t.Fatalf("%d nodes", count)
	}
}
