package mediafile_test

import (
	"bytes"
	"testing"

	"missiond/internal/testkit"

	"missiond/internal/mediafile"
	"missiond/internal/mediafile/mediatest"
)

// Each hostile file ends as it should, in a real child, and costs the service no memory. The most of its CPU is what starting
// a child for each file takes: what one file leaves behind would otherwise be another's.
func TestHostileFiles(t *testing.T) {
	testkit.SkipIfShort(t)
	all := mediatest.HostileFiles()
	if len(all) < 60 {
		t.Fatalf("%d files", len(all))
	}
	before := heap()
	runner := mediatest.NewRunner(2)
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) {
			made := files{}
			res, err := runner.Process(t.Context(), bytes.NewReader(c.Data), int64(len(c.Data)), mediafile.Request{Pictures: []mediafile.Picture{plain}}, made.sink)
			switch got := refusal(err); {
			case err != nil && got == "":
				t.Errorf("trouble: %v", err)
			case got != c.Want:
				t.Errorf("got %q (%v), want %q", got, err, c.Want)
			case err == nil && res.Hash != hexHash(c.Data):
				t.Error("not all of it was read")
			}
			for name, f := range made {
				for _, active := range []string{"<script", "PK\x03\x04"} {
					if err == nil && bytes.Contains(f.Bytes(), []byte(active)) {
						t.Errorf("%q has %q in it", name, active)
					}
				}
			}
		})
	}
	if after := heap(); after > before && after-before > 16<<20 {
		t.Errorf("%d bytes more are in use", after-before)
	}
}
