package grammar

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"missiond/mission"
)

// opening is how a post may begin.
type opening struct {
	text string
	mode mode
}

// openings yields all the openings of a post in the order in which they are to
// be tried: those of its angle, then those of the others. start is where each
// list begins. Two that follow each other share neither lead nor core.
func (v *voice) openings(start uint64) iter.Seq[opening] {
	return func(yield func(opening) bool) {
		for _, angle := range v.angles() {
			m := modes[angle]
			begins, says := v.leads(angle), v.cores(m)
			lead, core := int(start%uint64(len(begins))), int(start/uint64(len(begins))%uint64(len(says)))
			round := lcm(len(begins), len(says))
			for n := range len(begins) * len(says) {
				c := says[(core+n+n/round)%len(says)]
				if !yield(opening{begins[(lead+n)%len(begins)] + " " + c, m}) {
					return
				}
			}
		}
	}
}

func lcm(a, b int) int {
	x, y := a, b
	for y > 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// angles are the post's own, then the others.
func (v *voice) angles() []mission.Angle {
	own := v.slot.Angle
	if v.wish.question {
		own = mission.AngleQuestion
	}
	if _, ok := modes[own]; !ok {
		own = mission.AngleInsight
	}
	all := []mission.Angle{v.told(own)}
	for _, a := range mission.AllAngles() {
		if a = v.told(a); !slices.Contains(all, a) && !v.wish.question {
			all = append(all, a)
		}
	}
	return all
}

// told is the angle that the subject is told from: a line is neither a lesson nor
// a myth.
func (v *voice) told(a mission.Angle) mission.Angle {
	switch {
	case v.subject.form != asLine:
	case a == mission.AngleHowTo:
		return mission.AngleTip
	case a == mission.AngleMyth:
		return mission.AngleInsight
	}
	return a
}

// leads are those of an angle that the post can have: those with the brand only
// where it has one.
func (v *voice) leads(a mission.Angle) []string {
	var all []string
	of := phrases["leads "+string(a)]
	if v.subject.form == asLine && a == mission.AngleTip {
		of = phrases["leads request"]
	}
	for _, lead := range of {
		if !strings.Contains(lead, "{}") {
			all = append(all, v.person(lead))
		} else if v.name != "" && !v.named() {
			all = append(all, upperFirst(strings.Replace(lead, "{}", v.name, 1)))
		}
	}
	return all
}

// cores are what openings of a mode say.
func (v *voice) cores(m mode) []string {
	var all []string
	for _, c := range phrases["cores "+string(cmp.Or(v.subject.form, "line"))+" "+string(m)] {
		all = append(all, v.fill(c))
	}
	return all
}

// fill puts the subject's phrase into a core. It isn't read again, so that an
// objective can't bring any marks.
func (v *voice) fill(core string) string {
	before, after, ok := strings.Cut(v.person(core), "{}")
	if !ok {
		return before
	}
	return before + v.subject.phrase + after
}

// person is a sentence as one person says it, where the tenant speaks as one.
func (v *voice) person(text string) string {
	if v.alone {
		return singly(text)
	}
	return text
}

// singly turns a sentence of ours from "we" to "I".
func singly(text string) string {
	fields := strings.Split(text, " ")
	for i, f := range fields {
		word := strings.TrimRight(f, ".,:?!")
		if one, ok := singular[word]; ok {
			fields[i] = one + f[len(word):]
		}
		if i > 0 && word == "are" && fields[i-1] == "I" {
			fields[i] = "am" + f[len(word):]
		}
	}
	return strings.Join(fields, " ")
}

var singular = map[string]string{"we": "I", "We": "I", "us": "me", "our": "my", "Our": "My"}

// upperFirst is s with a capital, unless its first word has capitals of its own: "iPhone".
func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	word, _, _ := strings.Cut(s, " ")
	if r == utf8.RuneError || strings.ContainsFunc(word, unicode.IsUpper) {
		return s
	}
	return strings.ToUpper(string(r)) + s[size:]
}
