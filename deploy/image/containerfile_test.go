package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// copied is a path that a Containerfile copies into the image.
type copied struct {
	path, owner string
	mode        string
}

// described is what the last stage of a Containerfile makes.
type described struct {
	config v1.Config
	copies []copied
}

// instructions returns a Containerfile's instructions, each on a line, by stage.
func instructions(text string) (stages [][]string) {
	var code []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			code = append(code, line)
		}
	}
	joined := strings.ReplaceAll(strings.Join(code, "\n"), "\\\n", "")
	for line := range strings.SplitSeq(joined, "\n") {
		if strings.HasPrefix(line, "FROM ") {
			stages = append(stages, nil)
		}
		stages[len(stages)-1] = append(stages[len(stages)-1], line)
	}
	return stages
}

// pairs matches NAME=value and NAME="value".
var pairs = regexp.MustCompile(`([\w.]+)=(?:"([^"]*)"|(\S+))`)

// describe reads the last stage of a Containerfile, with build arguments. Errors: an
// instruction that this test doesn't know.
func describe(text string, args map[string]string) (d described, err error) {
	stages := instructions(text)
	d.config.ExposedPorts, d.config.Labels = map[string]struct{}{}, map[string]string{}
	for _, line := range stages[len(stages)-1] {
		word, rest, _ := strings.Cut(line, " ")
		rest = os.Expand(strings.TrimSpace(rest), func(name string) string { return args[name] })
		switch word {
		case "FROM", "ARG":
		case "COPY":
			d.copies = append(d.copies, newCopied(rest))
		case "LABEL":
			for _, m := range pairs.FindAllStringSubmatch(rest, -1) {
				d.config.Labels[m[1]] = m[2] + m[3]
			}
		case "ENV":
			for _, m := range pairs.FindAllStringSubmatch(rest, -1) {
				d.config.Env = append(d.config.Env, m[1]+"="+m[2]+m[3])
			}
		case "EXPOSE":
			for port := range strings.FieldsSeq(rest) {
				d.config.ExposedPorts[port] = struct{}{}
			}
		case "USER":
			d.config.User = rest
		case "WORKDIR":
			d.config.WorkingDir = rest
		case "STOPSIGNAL":
			d.config.StopSignal = rest
		case "ENTRYPOINT":
			err = json.Unmarshal([]byte(rest), &d.config.Entrypoint)
		case "CMD":
			err = json.Unmarshal([]byte(rest), &d.config.Cmd)
		case "HEALTHCHECK":
			d.config.Healthcheck, err = healthcheck(rest)
		default:
			err = fmt.Errorf("the instruction %s isn't known here", word)
		}
		if err != nil {
			return d, fmt.Errorf("%s: %w", line, err)
		}
	}
	return d, nil
}

func newCopied(rest string) (c copied) {
	for word := range strings.FieldsSeq(rest) {
		switch name, value, _ := strings.Cut(word, "="); name {
		case "--chown":
			c.owner = value
		case "--chmod":
			c.mode = value
		}
		c.path = word
	}
	return c
}

func healthcheck(rest string) (h *v1.HealthConfig, err error) {
	flags, command, _ := strings.Cut(rest, " CMD ")
	h = &v1.HealthConfig{}
	var words []string
	if err := json.Unmarshal([]byte(command), &words); err != nil {
		return nil, err
	}
	h.Test = append([]string{"CMD"}, words...)
	for flag := range strings.FieldsSeq(flags) {
		name, value, _ := strings.Cut(flag, "=")
		if name == "--retries" {
			_, err = fmt.Sscan(value, &h.Retries)
		} else {
			into, ok := map[string]*time.Duration{"--interval": &h.Interval, "--timeout": &h.Timeout, "--start-period": &h.StartPeriod}[name]
			if !ok {
				return nil, fmt.Errorf("the flag %s isn't known here", name)
			}
			*into, err = time.ParseDuration(value)
		}
		if err != nil {
			return nil, err
		}
	}
	return h, nil
}

func containerfile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "Containerfile"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// arguments are the build arguments of the sample's source.
var arguments = map[string]string{"VERSION": sample.Version, "COMMIT": sample.Commit, "COMMIT_TIME": sample.Time.Format(time.RFC3339)}

// deploy/Containerfile describes the image that make image builds: how it is run, and
// its files, with their owners and modes.
func TestContainerfile(t *testing.T) {
	t.Parallel()
	d, err := describe(containerfile(t), arguments)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "image")
	if err := run(samplePrograms(t), out); err != nil {
		t.Fatal(err)
	}
	index, _ := opened(t, out)
	for arch, image := range images(t, index) {
		file, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(file.Config, d.config) {
			t.Errorf("linux/%s: make image configures\n%+v\nand the Containerfile\n%+v", arch, file.Config, d.config)
		}
		files := map[string]copied{}
		for _, h := range entries(t, image) {
			if owner := h.Uid != 0 || h.Gid != 0; h.Typeflag != '5' || owner {
				c := copied{path: path.Clean("/" + h.Name), mode: fmt.Sprintf("%04o", h.Mode)}
				if owner {
					c.owner = fmt.Sprintf("%d:%d", h.Uid, h.Gid)
				}
				files[c.path] = c
			}
		}
		if got := slices.Collect(maps.Values(files)); len(got) != len(d.copies) {
			t.Errorf("linux/%s: make image has the files %+v, and the Containerfile %+v", arch, got, d.copies)
		}
		for _, c := range d.copies {
			if files[c.path] != c {
				t.Errorf("linux/%s: make image has %+v, and the Containerfile %+v", arch, files[c.path], c)
			}
		}
	}
}

// The first stage is of the Go that the module asks for, and builds the program as make
// image does.
func TestContainerfileBuilds(t *testing.T) {
	t.Parallel()
	stages := instructions(containerfile(t))
	module, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(string(module))[1]
	if len(stages) != 2 || !strings.Contains(stages[0][0], "/golang:"+version+"-") || stages[1][0] != "FROM scratch" {
		t.Errorf("the stages are from %s and %s, want golang:%s and scratch", stages[0][0], stages[len(stages)-1][0], version)
	}
	build := stages[0][len(stages[0])-1]
	for _, want := range []string{"go run ./deploy/release -programs ", `-platforms "linux/$TARGETARCH"`, `-version "$VERSION"`, `-commit "$COMMIT"`, `-time "$COMMIT_TIME"`} {
		if !strings.Contains(build, want) {
			t.Errorf("the build lacks %s: %s", want, build)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	d, err := describe("FROM a AS b\nRUN x \\\n  y\nFROM scratch\n# no\nLABEL a.b=\"c d\" \\\n  e=$V\nUSER 1:2\nHEALTHCHECK --retries=2 CMD [\"/x\"]\n", map[string]string{"V": "v"})
	if err != nil || !maps.Equal(d.config.Labels, map[string]string{"a.b": "c d", "e": "v"}) || d.config.User != "1:2" || d.config.Healthcheck.Retries != 2 {
		t.Errorf("got %+v, %v", d, err)
	}
	for _, wrong := range []string{"FROM scratch\nVOLUME /x\n", "FROM scratch\nHEALTHCHECK --sometimes=2s CMD [\"/x\"]\n", "FROM scratch\nENTRYPOINT /missiond\n"} {
		if _, err := describe(wrong, nil); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}
