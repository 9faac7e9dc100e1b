package charttest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"
)

// value returns a container's variable; "" if it has none, or one of a Secret.
func value(c corev1.Container, name string) string {
	for _, v := range c.Env {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// children returns the memory of the processes that a container's starts for pictures and
// videos: docs/media.md says 2 GiB.
func children(c corev1.Container) int64 {
	if c.Args[0] != "worker" || value(c, "MISSIOND_MEDIA_URL") == "" {
		return 0
	}
	return 2 << 30
}

// stored is what a pod has of the store of files.
type stored struct {
	url, claim, mount string
	keys              bool // of a bucket
}

func storedBy(t *testing.T, p pod) (s stored) {
	t.Helper()
	c := p.container(t)
	s.url = value(c, "MISSIOND_MEDIA_URL")
	for _, m := range c.VolumeMounts {
		i := slices.IndexFunc(p.spec.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name })
		if i < 0 || m.ReadOnly || s.mount != "" || *p.spec.SecurityContext.FSGroup != *p.spec.SecurityContext.RunAsGroup {
			t.Fatalf("%s mounts %+v of %+v as %+v", p.name, c.VolumeMounts, p.spec.Volumes, p.spec.SecurityContext)
		}
		s.claim, s.mount = p.spec.Volumes[i].PersistentVolumeClaim.ClaimName, m.MountPath
	}
	s.keys = slices.ContainsFunc(c.Env, func(v corev1.EnvVar) bool { return strings.HasPrefix(v.Name, "AWS_") })
	return s
}

// serve and worker have the store of files that the values name, and the migration has none.
func TestMedia(t *testing.T) {
	want := map[string]stored{
		"least.values.yaml": {},
		"all.values.yaml":   {url: "file:///var/lib/missiond/media", claim: "missiond-media", mount: "/var/lib/missiond"},
		"other.values.yaml": {url: "s3://missiond-media?region=eu-central-1", keys: true},
	}
	for _, r := range Renderings {
		m, name := read(t, r), filepath.Base(r.Values)
		for _, d := range m.deployments {
			if got := storedBy(t, pod{d.Name, nil, d.Spec.Template.Spec}); got != want[name] {
				t.Errorf("%s: %s has %+v, want %+v", name, d.Name, got, want[name])
			}
		}
		for _, j := range m.jobs {
			if got := storedBy(t, pod{j.Name, nil, j.Spec.Template.Spec}); got != (stored{}) {
				t.Errorf("%s: %s has %+v", name, j.Name, got)
			}
		}
	}
}

// kustomization is what deploy/kubernetes/kustomization.yaml has once its patches count.
type kustomization struct {
	Patches []struct {
		Target struct{ Kind, Name string }
		Patch  string
	}
}

// patched returns a Deployment with the patches that are for it.
func (k kustomization) patched(t *testing.T, d *appsv1.Deployment) *appsv1.Deployment {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range k.Patches {
		if p.Target.Kind != "Deployment" || p.Target.Name != "" && p.Target.Name != d.Name {
			continue
		}
		patch, err := yaml.YAMLToJSONStrict([]byte(p.Patch))
		if err != nil {
			t.Fatal(err)
		}
		if text, err = strategicpatch.StrategicMergePatch(text, patch, appsv1.Deployment{}); err != nil {
			t.Fatal(err)
		}
	}
	var out appsv1.Deployment
	if err := yaml.UnmarshalStrict(text, &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// The patches of the kustomization give the plain manifests what the chart does: a bucket, its
// keys, and the workers' memory.
func TestKustomizedMedia(t *testing.T) {
	text, err := os.ReadFile("../kubernetes/kustomization.yaml")
	if err != nil {
		t.Fatal(err)
	}
	before, patches, ok := strings.Cut(string(text), "\n# patches:\n")
	if !ok {
		t.Fatal("the kustomization has no patches to choose")
	}
	var k kustomization
	if err := yaml.Unmarshal([]byte(before+"\npatches:\n"+strings.ReplaceAll("\n"+patches, "\n# ", "\n")), &k); err != nil {
		t.Fatal(err)
	}
	plain, rendered := read(t, Renderings[0]), read(t, Renderings[2])
	for i, d := range plain.deployments {
		d = k.patched(t, d)
		got, want := d.Spec.Template.Spec.Containers[0], rendered.deployments[i].Spec.Template.Spec.Containers[0]
		if s := storedBy(t, pod{d.Name, nil, d.Spec.Template.Spec}); s != (stored{url: "s3://BUCKET?region=REGION", keys: true}) {
			t.Errorf("%s has %+v", d.Name, s)
		}
		for _, v := range want.Env {
			if strings.HasPrefix(v.Name, "AWS_") && !slices.ContainsFunc(got.Env, func(have corev1.EnvVar) bool { return reflect.DeepEqual(have, v) }) {
				t.Errorf("%s has no %+v", d.Name, v)
			}
		}
		if !got.Resources.Limits.Memory().Equal(*want.Resources.Limits.Memory()) || !got.Resources.Requests.Memory().Equal(*want.Resources.Requests.Memory()) {
			t.Errorf("%s has the memory %+v, want %+v", d.Name, got.Resources, want.Resources)
		}
	}
}
