package mission

import "fmt"

// Notice tells a caller of something that it stated and that is kept, but won't
// have the effect that it seems to be meant to have.
type Notice struct {
	// Param is the path of the field.
	Param   string `json:"param"`
	Message string `json:"message"`
}

// Notices returns what a mission's owner should know about how it is stated.
func (m Mission) Notices() []Notice {
	notices := []Notice{}
	for i, k := range m.KPIs {
		if len(k.reportedBy(m.Platforms)) > 0 {
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
	return notices
}
