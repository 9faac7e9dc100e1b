package charttest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// serviceMonitor is what the chart uses of the Prometheus operator's ServiceMonitor.
type serviceMonitor struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Selector  metav1.LabelSelector `json:"selector"`
		Endpoints []struct {
			Port      string `json:"port"`
			Path      string `json:"path"`
			Interval  string `json:"interval"`
			BasicAuth struct {
				Password corev1.SecretKeySelector `json:"password"`
			} `json:"basicAuth"`
		} `json:"endpoints"`
	} `json:"spec"`
}

// prometheusRule is what the chart uses of the Prometheus operator's PrometheusRule.
type prometheusRule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              rules `json:"spec"`
}

// rules is a file of Prometheus's rules.
type rules struct {
	Groups []struct {
		Name  string `json:"name"`
		Rules []struct {
			Alert       string            `json:"alert"`
			Expr        string            `json:"expr"`
			For         string            `json:"for"`
			Labels      map[string]string `json:"labels"`
			Annotations map[string]string `json:"annotations"`
		} `json:"rules"`
	} `json:"groups"`
}

// scaledObject is what the chart uses of KEDA's ScaledObject.
type scaledObject struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		ScaleTargetRef  autoscalingv2.CrossVersionObjectReference `json:"scaleTargetRef"`
		MinReplicaCount int32                                     `json:"minReplicaCount"`
		MaxReplicaCount int32                                     `json:"maxReplicaCount"`
		Triggers        []struct {
			Type       string            `json:"type"`
			MetricType string            `json:"metricType"`
			Metadata   map[string]string `json:"metadata"`
		} `json:"triggers"`
	} `json:"spec"`
}

// manifests are the objects of a rendering.
type manifests struct {
	deployments     []*appsv1.Deployment
	jobs            []*batchv1.Job
	services        []*corev1.Service
	serviceAccounts []*corev1.ServiceAccount
	ingresses       []*networkingv1.Ingress
	policies        []*networkingv1.NetworkPolicy
	budgets         []*policyv1.PodDisruptionBudget
	scalers         []*autoscalingv2.HorizontalPodAutoscaler
	scaled          []*scaledObject
	monitors        []*serviceMonitor
	rules           []*prometheusRule
}

// decode decodes an object strictly, and adds it to a list of its kind.
func decode[T any](text string, list *[]*T) error {
	object := new(T)
	*list = append(*list, object)
	return yaml.UnmarshalStrict([]byte(text), object)
}

// add decodes an object. Errors: a kind that the chart shouldn't have, a field that the
// kind hasn't, or one that is there twice.
func (m *manifests) add(text string) error {
	var object metav1.PartialObjectMetadata
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		return err
	}
	var err error
	switch kind := object.APIVersion + " " + object.Kind; kind {
	case "apps/v1 Deployment":
		err = decode(text, &m.deployments)
	case "batch/v1 Job":
		err = decode(text, &m.jobs)
	case "v1 Service":
		err = decode(text, &m.services)
	case "v1 ServiceAccount":
		err = decode(text, &m.serviceAccounts)
	case "networking.k8s.io/v1 Ingress":
		err = decode(text, &m.ingresses)
	case "networking.k8s.io/v1 NetworkPolicy":
		err = decode(text, &m.policies)
	case "policy/v1 PodDisruptionBudget":
		err = decode(text, &m.budgets)
	case "autoscaling/v2 HorizontalPodAutoscaler":
		err = decode(text, &m.scalers)
	case "keda.sh/v1alpha1 ScaledObject":
		err = decode(text, &m.scaled)
	case "monitoring.coreos.com/v1 ServiceMonitor":
		err = decode(text, &m.monitors)
	case "monitoring.coreos.com/v1 PrometheusRule":
		err = decode(text, &m.rules)
	default:
		err = fmt.Errorf("the chart has no %s", kind)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", object.Kind, object.Name, err)
	}
	return nil
}

// read decodes all objects of a rendering that is committed.
func read(t *testing.T, r Rendering) *manifests {
	t.Helper()
	text, err := os.ReadFile(r.Manifests)
	if err != nil {
		t.Fatal(err)
	}
	m := &manifests{}
	_, objects, _ := strings.Cut(string(text), "\n---\n")
	for object := range strings.SplitSeq(objects, "\n---\n") {
		if err := m.add(object); err != nil {
			t.Error(err)
		}
	}
	return m
}

// pod is what the pods of a Deployment or a Job are made from.
type pod struct {
	name   string
	labels map[string]string
	spec   corev1.PodSpec
}

// pods returns the templates of all pods.
func (m *manifests) pods() (list []pod) {
	for _, d := range m.deployments {
		list = append(list, pod{d.Name, d.Spec.Template.Labels, d.Spec.Template.Spec})
	}
	for _, j := range m.jobs {
		list = append(list, pod{j.Name, j.Spec.Template.Labels, j.Spec.Template.Spec})
	}
	return list
}

// selected returns the pods that a selector selects.
func (m *manifests) selected(selector map[string]string) (list []pod) {
	for _, p := range m.pods() {
		if matches(selector, p.labels) {
			list = append(list, p)
		}
	}
	return list
}

// matches reports whether a selector selects what has the labels. An empty one selects
// nothing here.
func matches(selector, labels map[string]string) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return len(selector) > 0
}

// container returns the pod's container.
func (p pod) container(t *testing.T) corev1.Container {
	t.Helper()
	if len(p.spec.Containers) != 1 || len(p.spec.InitContainers) != 0 {
		t.Fatalf("%s has %d containers and %d before them, want one", p.name, len(p.spec.Containers), len(p.spec.InitContainers))
	}
	return p.spec.Containers[0]
}

// port returns the number of a port's name; 0 if the pod has none.
func (p pod) port(t *testing.T, name string) int32 {
	t.Helper()
	for _, port := range p.container(t).Ports {
		if port.Name == name {
			return port.ContainerPort
		}
	}
	return 0
}
