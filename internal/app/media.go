package app

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"missiond/internal/blobs"
	"missiond/internal/mediafile"
	"missiond/internal/outbound"
)

// MediaOptions say where the bytes of pictures and videos are.
type MediaOptions struct {
	MediaURL       string `name:"media-url" help:"Where pictures and videos are: file:///folder, or s3://bucket?region=…&endpoint=…, whose credentials are read as the AWS SDK does (AWS_ACCESS_KEY_ID …). All processes need the same. By default missiond dev has them in <data-dir>/media, and others take none." placeholder:"URL"`
	MediaPublicURL string `name:"media-public-url" help:"The URL at which platforms that fetch files reach this service, such as https://media.example.com. By default --public-url." placeholder:"URL"`
}

// check checks the addresses.
func (o MediaOptions) check() error {
	if o.MediaPublicURL == "" {
		return nil
	}
	u, err := url.Parse(o.MediaPublicURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("--media-public-url: %q is not an http or https URL without a query", outbound.Shown(o.MediaPublicURL))
	}
	return nil
}

// maxChildren is how many files a process examines at once.
const maxChildren = 2

// open opens the store of files; without an address that in dataDir or, if that is "", none.
func (o MediaOptions) open(ctx context.Context, c *Config, dataDir string) error {
	if err := o.check(); err != nil {
		return err
	}
	c.MediaPublicURL = strings.TrimRight(o.MediaPublicURL, "/")
	address := o.MediaURL
	if address == "" && dataDir == "" {
		return nil // uploads are refused
	}
	if address == "" {
		folder, err := filepath.Abs(filepath.Join(dataDir, "media"))
		if err != nil {
			return err
		}
		address = (&url.URL{Scheme: "file", Path: filepath.ToSlash(folder)}).String()
	}
	files, err := blobs.Open(ctx, address)
	if err != nil {
		return fmt.Errorf("--media-url: %w", err)
	}
	c.Files, c.CheckFiles = files, files.Check
	c.Examiners = min(maxChildren, runtime.NumCPU())
	c.Processor = mediafile.NewRunner(c.Examiners)
	if !mediafile.Bounded() {
		c.Log.Warn("files are examined in a child process whose memory and network nothing bounds on this system: take them from people that you trust")
	}
	return nil
}

// hidden reports whether platforms can't fetch files from the service: it has no address for that, or
// one of this machine. A development run may have a platform here too.
func (a *App) hidden() bool {
	u, err := url.Parse(a.MediaPublicURL)
	if err != nil || u.Hostname() == "" {
		return true
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return !a.Rules.Local && (u.Hostname() == "localhost" || err == nil && (ip.IsLoopback() || ip.IsUnspecified()))
}
