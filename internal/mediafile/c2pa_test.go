package mediafile_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"missiond/internal/mediafile/mediatest"
	"missiond/internal/testkit"
	"missiond/internal/testkit/npm"
	"missiond/mission"
)

// verifier signs files with C2PA manifests, and verifies these.
type verifier struct {
	t                 *testing.T
	node, program     string
	chain, key, roots string // files of PEM
}

// newVerifier installs the verifier in .tools, once for each lock file. Its package has a
// program for Linux on amd64 only; its own script would download the others.
func newVerifier(t *testing.T) *verifier {
	t.Helper()
	if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
		t.Skip("the verifier's package has a program for Linux on amd64 only")
	}
	folder, err := filepath.Abs(filepath.FromSlash("../../.tools/c2pa"))
	if err != nil {
		t.Fatal(err)
	}
	v := &verifier{t: t, program: filepath.Join(folder, "c2pa.mjs")}
	if v.node, err = npm.Install(t, "c2pa", folder); err != nil {
		testkit.Missing(t, "c2pa-node", "PATH", err)
	}
	authority, ca := v.certificate("authority", nil, nil)
	signer, key := v.certificate("signer", authority, ca)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	encoded := func(kind string, ders ...[]byte) (all []byte) {
		for _, der := range ders {
			all = append(all, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})...)
		}
		return all
	}
	v.roots = v.file("roots.pem", encoded("CERTIFICATE", authority.Raw))
	v.chain = v.file("chain.pem", encoded("CERTIFICATE", signer.Raw, authority.Raw))
	v.key = v.file("key.pem", encoded("PRIVATE KEY", pkcs8))
	return v
}

// certificate returns a certificate of an authority, or without one of an authority's own, and
// its key.
func (v *verifier) certificate(name string, by *x509.Certificate, key *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	v.t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		v.t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{Organization: []string{"Test"}, CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageEmailProtection},
	}
	if by == nil {
		by, key = c, own
		c.IsCA, c.KeyUsage, c.ExtKeyUsage = true, x509.KeyUsageCertSign, nil
	}
	der, err := x509.CreateCertificate(rand.Reader, c, by, &own.PublicKey, key)
	if err != nil {
		v.t.Fatal(err)
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		v.t.Fatal(err)
	}
	return made, own
}

// file writes a file that is removed after the test.
func (v *verifier) file(name string, data []byte) string {
	v.t.Helper()
	path := filepath.Join(v.t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		v.t.Fatal(err)
	}
	return path
}

func (v *verifier) run(args ...string) []byte {
	v.t.Helper()
	cmd := exec.CommandContext(v.t.Context(), v.node, append([]string{v.program}, args...)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		v.t.Fatalf("%s: %v\n%s", args[0], err, said.Bytes())
	}
	return out
}

// assertion is one of a manifest's.
type assertion struct {
	Label string         `json:"label"`
	Kind  string         `json:"kind,omitempty"`
	Data  map[string]any `json:"data"`
}

// signed returns a file with a manifest that names a source type, and has more assertions.
// ending is that of the file's name.
func (v *verifier) signed(ending string, data []byte, sourceType string, more ...assertion) []byte {
	v.t.Helper()
	created := assertion{Label: "c2pa.actions.v2", Data: map[string]any{"actions": []any{map[string]any{
		"action": "c2pa.created", "digitalSourceType": "http://cv.iptc.org/newscodes/digitalsourcetype/" + sourceType,
	}}}}
	manifest, err := json.Marshal(map[string]any{
		"claim_generator_info": []any{map[string]any{"name": "a test", "version": "1"}},
		"assertions":           append([]assertion{created}, more...),
	})
	if err != nil {
		v.t.Fatal(err)
	}
	out := v.file("signed."+ending, nil)
	v.run("sign", v.file("file."+ending, data), out, v.file("manifest.json", manifest), v.chain, v.key)
	if data, err = os.ReadFile(out); err != nil {
		v.t.Fatal(err)
	}
	return data
}

// validation is what the verifier says of a manifest; State is "" if there is none.
type validation struct {
	State    string   `json:"state"`
	Failures []string `json:"failures"`
}

func (v *verifier) read(ending string, data []byte) (got validation) {
	v.t.Helper()
	if err := json.Unmarshal(v.run("read", v.file("file."+ending, data), v.roots), &got); err != nil {
		v.t.Fatal(err)
	}
	return got
}

// in returns the verifier in a subtest.
func (v *verifier) in(t *testing.T) *verifier {
	other := *v
	other.t = t
	return &other
}

// What goes out as it was uploaded has a manifest that holds. A picture that is made anew has
// none: it would no longer match. A video's is kept even if something private was overwritten,
// which its hash covers. The service says that there is a manifest, whether it holds or not.
func TestManifestsAreVerified(t *testing.T) {
	testkit.SkipUnlessNightly(t)
	v := newVerifier(t)
	const sourceType = "trainedAlgorithmicMedia"
	plainJPEG, movie := mediatest.JPEG(60, 40), mediatest.Movie{Duration: time.Second, Width: 64, Height: 48}
	noted := movie
	noted.Private = mediatest.Notes()
	exif := func(orientation uint16, private bool) []byte {
		return mediatest.EXIFSegment(mediatest.EXIF(orientation, private))
	}
	signed := func(ending string, data []byte, more ...assertion) []byte {
		return v.signed(ending, data, sourceType, more...)
	}
	jpeg := func(segments ...[]byte) []byte { return signed("jpg", mediatest.WithSegments(plainJPEG, segments...)) }
	large := assertion{Label: "stds.schema-org.CreativeWork", Kind: "Json", Data: map[string]any{
		"@context": "https://schema.org", "@type": "CreativeWork", "text": strings.Repeat("word ", 40_000),
	}}
	holds, none := validation{State: "Trusted"}, validation{}
	changed := validation{State: "Invalid", Failures: []string{"assertion.dataHash.mismatch"}}
	for _, c := range []struct {
		name, ending  string
		data          []byte
		before, after validation
		passes        bool // it goes out byte for byte
	}{
		{"JPEG", "jpg", jpeg(), holds, holds, true},
		{"JPEG with what is harmless", "jpg", jpeg(exif(1, false), mediatest.XMPSegment(mediatest.XMP("", "A Studio", ""))), holds, holds, true},
		{"JPEG, a manifest of several segments", "jpg", signed("jpg", plainJPEG, large), holds, holds, true},
		{"JPEG with what is private", "jpg", jpeg(exif(1, true)), holds, none, false},
		{"JPEG to be turned", "jpg", jpeg(exif(6, false)), holds, none, false},
		{"JPEG changed after it was signed", "jpg", mediatest.WithSegments(jpeg(), exif(1, false)), changed, changed, true},
		{"JPEG with what is private since it was signed", "jpg", mediatest.WithSegments(jpeg(), exif(1, true)), changed, none, false},
		{"PNG", "png", signed("png", mediatest.PNG(60, 40)), holds, none, false},
		{"WebP", "webp", signed("webp", mediatest.WebP()), holds, none, false},
		{"video", "mp4", signed("mp4", movie.Bytes()), holds, holds, true},
		{"video with what is private", "mp4", signed("mp4", noted.Bytes()), holds, validation{State: "Invalid", Failures: []string{"assertion.bmffHash.mismatch"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := v.in(t)
			v.validates("uploaded", c.ending, c.data, c.before)
			res, made := processed(t, c.data, plain)
			if p := res.Provenance; !p.C2PA || p.SourceType != sourceType || p.AI != mission.AIDetected {
				t.Errorf("got %+v", p)
			}
			ending, out := c.ending, made[res.Made[0].Names[0]].Bytes()
			if res.Made[0].ContentType == mission.TypeJPEG {
				ending = "jpg"
			}
			v.validates("made", ending, out, c.after)
			if bytes.Equal(out, c.data) != c.passes {
				t.Errorf("%d bytes became %d", len(c.data), len(out))
			}
			again, _ := processed(t, out)
			if p := again.Provenance; p.C2PA != (c.after.State != "") || p.SourceType != sourceType {
				t.Errorf("what was made says %+v", p)
			}
		})
	}
}

// validates compares what the verifier says of a file's manifest with what it should.
func (v *verifier) validates(what, ending string, data []byte, want validation) {
	v.t.Helper()
	if got := v.read(ending, data); got.State != want.State || !slices.Equal(got.Failures, want.Failures) {
		v.t.Errorf("the manifest of the file that is %s: got %+v, want %+v", what, got, want)
	}
}
