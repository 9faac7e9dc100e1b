// Package local finds the model servers that run on this machine.
package local

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"missiond/internal/outbound"
	"missiond/mission"
)

// Bounds of the search.
const (
	wait      = 500 * time.Millisecond
	maxHeader = 16 << 10  // bytes
	maxBody   = 256 << 10 // bytes
	maxModels = 200
)

// Port is where a program serves models by default.
type Port struct {
	Number  int
	Program string
}

// Ports lists the usual ports.
func Ports() []Port {
	return []Port{{11434, "Ollama"}, {1234, "LM Studio"}, {8080, "llama.cpp"}, {8000, "vLLM"}}
}

// Names returns ports in words, as in "11434 (Ollama)".
func Names(ports []Port) string {
	names := make([]string, len(ports))
	for i, p := range ports {
		names[i] = fmt.Sprintf("%d (%s)", p.Number, p.Program)
	}
	return strings.Join(names, ", ")
}

// Server is a model server.
type Server struct {
	// Program is what usually serves at its port.
	Program string
	// URL is the base URL of its chat completions.
	URL string
	// Models are the names of its models, at least one.
	Models []string
}

// Find asks the ports of this machine's loopback address which models they serve, all at once, and
// returns those that answer properly within half a second, in the order of the ports.
func Find(ctx context.Context, ports []Port) []Server {
	client := outbound.Rules{Local: true}.Client(outbound.Options{Call: wait, Connect: wait, Wait: wait, Header: maxHeader, Body: maxBody})
	found := make([]*Server, len(ports))
	var all sync.WaitGroup
	for i, p := range ports {
		all.Go(func() { found[i] = ask(ctx, client, p) })
	}
	all.Wait()
	var servers []Server
	for _, s := range found {
		if s != nil {
			servers = append(servers, *s)
		}
	}
	return servers
}

// ask returns the server at a port, or nil if there is none.
func ask(ctx context.Context, client *http.Client, p Port) *Server {
	s := Server{Program: p.Program, URL: fmt.Sprintf("http://127.0.0.1:%d/v1", p.Number)}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/models", nil)
	if err != nil {
		return nil
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil || resp.StatusCode != http.StatusOK || kind != "application/json" {
		return nil
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil
	}
	if s.Models = models(body); len(s.Models) == 0 {
		return nil
	}
	return &s
}

// models returns the names of the models in a response that can write.
func models(body []byte) (names []string) {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &list) != nil {
		return nil
	}
	for _, m := range list.Data[:min(len(list.Data), maxModels)] {
		// A name is printed; what isn't one line is no name.
		if m.ID != "" && len(m.ID) <= mission.MaxModel && mission.CleanLine(m.ID) == m.ID && !strings.Contains(strings.ToLower(m.ID), "embed") {
			names = append(names, m.ID)
		}
	}
	return names
}

// Choose returns the first of the servers that has a model or, for "", any, and its model. Errors:
// if there is none.
func Choose(servers []Server, model string) (s Server, chosen string, err error) {
	for _, s := range servers {
		if model == "" || slices.Contains(s.Models, model) {
			return s, cmp.Or(model, s.Models[0]), nil
		}
	}
	if model != "" && len(servers) > 0 {
		return s, "", fmt.Errorf("no model server on this machine has the model %q", model)
	}
	return s, "", fmt.Errorf("no model server answers on 127.0.0.1 at the ports %s", Names(Ports()))
}
