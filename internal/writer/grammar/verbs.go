package grammar

import "strings"

// verb is what an objective's verb wants of its object.
type verb string

const (
	noVerb verb = ""
	// offerVerb puts its object before people: "sell our seeds".
	offerVerb verb = "offer"
	// newVerb puts something new before people: "launch a podcast".
	newVerb verb = "new"
	// metricVerb has a figure grow: "increase newsletter sign-ups".
	metricVerb verb = "metric"
	// directVerb moves people to do something: "remind patients to …".
	directVerb verb = "direct"
	// tellVerb lets people know something: "teach people how to …".
	tellVerb verb = "tell"
	// seekVerb looks for people: "recruit volunteers".
	seekVerb verb = "seek"
	// readerVerb is what readers themselves may do: "visit our shop".
	readerVerb verb = "reader"
	// aimVerb is what the tenant wants to do: "reduce food waste".
	aimVerb verb = "aim"
)

// verbs are those that objectives begin with, by what they want.
var verbs = classes[verb]("verbs")

// nouns are the verbs above that are nouns or adjectives as often: what follows
// has to show which it is.
var nouns = listed("nouns")

// metric is a figure that tenants want to see grow, and what readers can do
// about it.
type metric struct {
	// act is what readers do: with an object where the objective names one, and
	// alone. "" where there is nothing to ask of them.
	act, alone string
	// links are the prepositions before that object.
	links string
}

var noMetric metric

// bases are what tenants want to see grow by a verb that says so: "grow our
// business".
var bases = words("base list community business market network brand company following shop store sales")

// metrics are the figures by name. Of those without act and alone, readers are
// told of the brand, or what the figure is of.
var metrics = func() map[string]metric {
	table := map[string]metric{}
	for _, line := range lexicon["metrics"] {
		cells := strings.Split(line, "|")
		for w := range words(cells[0]) {
			table[w] = metric{act: strings.TrimSpace(cells[1]), alone: strings.TrimSpace(cells[2]), links: strings.TrimSpace(cells[3])}
		}
	}
	return table
}()

// places are what a figure may be of without a preposition: "website traffic".
var places = map[string]string{
	"newsletter": "sign up for our newsletter", "website": "visit our website", "web": "visit our website", "site": "visit our website",
	"blog": "visit our blog", "shop": "visit our shop", "store": "visit our shop", "app": "download our app",
}

// people are those whom objectives are about: the reader, as far as it goes.
var people = listed("people")

// staff are those whom one looks for rather than serves.
var staff = words("volunteers staff sponsors apprentices trainees interns nurses teachers helpers partners drivers cooks carers investors musicians singers")

// served are those whom tenants win rather than look for.
var served = words("customers clients users visitors readers viewers guests people buyers shoppers followers subscribers fans")

// reaching are verbs whose object, where it is people, are the readers.
var reaching = words("engage connect retain convert keep delight serve bring")

// months and days tell a date.
var calendar = listed("calendar")
