package grammar

import "missiond/mission"

// mode is the kind of sentence that an angle is made of.
type mode string

const (
	asking     mode = "asking"
	advising   mode = "advising"
	thinking   mode = "thinking"
	telling    mode = "telling"
	correcting mode = "correcting"
)

var modes = map[mission.Angle]mode{
	mission.AngleQuestion: asking, mission.AngleTip: advising, mission.AngleHowTo: advising, mission.AngleInsight: thinking,
	mission.AngleStory: telling, mission.AngleMyth: correcting,
}
