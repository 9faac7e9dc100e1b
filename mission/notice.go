package mission

import "fmt"

// Notice warns a caller that a value was stored but won't have the effect it
// seems intended to have.
type Notice struct {
	// Param is the path of the field.
	Param   string `json:"param" doc:"The path of the field" example:"kpis[0].metric"`
	Message string `json:"message" doc:"What is to be known" example:"None of the mission's platforms reports reach: this KPI stays without a current figure."`
}

// Notices returns the warnings about a mission's configuration.
func (m Mission) Notices() []Notice {
	notices := []Notice{}
	for i, k := range m.KPIs {
		if len(k.reportedBy(m)) > 0 {
			continue
		}
		who := "None of the mission's platforms reports"
		if k.Platform != EveryPlatform {
			who = string(k.Platform) + " doesn't report"
		}
		notices = append(notices, Notice{
			Param: fmt.Sprintf("kpis[%d].metric", i), Message: fmt.Sprintf("%s %s: this KPI will have no current figure.", who, k.Metric),
		})
	}
	return append(append(notices, m.disclosureNotices()...), m.linkNotices()...)
}
