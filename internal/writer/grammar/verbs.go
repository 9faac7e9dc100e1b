package grammar

// verb is what an objective's verb wants of its object.
type verb int

const (
	noVerb verb = iota
	// offerVerb puts its object before people: "sell our seeds".
	offerVerb
	// newVerb puts something new before people: "launch a podcast".
	newVerb
	// metricVerb has a figure grow: "increase newsletter sign-ups".
	metricVerb
	// directVerb moves people to do something: "remind patients to …".
	directVerb
	// tellVerb lets people know something: "teach people how to …".
	tellVerb
	// seekVerb looks for people: "recruit volunteers".
	seekVerb
	// readerVerb is what readers themselves may do: "visit our shop".
	readerVerb
	// aimVerb is what the tenant wants to do: "reduce food waste".
	aimVerb
)

// verbs are those that objectives begin with, by what they want.
var verbs = classes(map[verb]string{
	offerVerb:  "sell promote advertise publicise publicize market present showcase highlight push plug celebrate upsell commemorate announce",
	newVerb:    "launch introduce unveil release open reveal debut premiere",
	metricVerb: "increase grow boost raise improve drive generate gain get win build strengthen expand maximise maximize attract reach more double triple earn lift",
	directVerb: "encourage remind ask invite persuade convince inspire motivate urge nudge",
	tellVerb:   "teach show tell explain inform educate help enable demonstrate let",
	seekVerb:   "recruit hire find enlist seek",
	readerVerb: "visit join book come subscribe register follow download try donate vote apply order buy discover explore learn sign attend meet eat read listen recycle adopt choose enjoy",
	aimVerb: `reduce cut become make keep turn change create establish support protect save fight host organise organize
		collect start stop prevent lower position develop defend secure bring connect engage retain convert
		share plan run finish restore fund thank welcome extend maintain lead be provide deliver spread draw stay stand preserve rebuild revive
		feature design train test publish fill clean plant replace reopen move`,
})

// nouns are the verbs above that are nouns or adjectives as often: what follows
// has to show which it is.
var nouns = words(`market present feature highlight push plug launch release open reveal debut premiere increase boost raise
	drive gain win more double triple earn lift ask show help visit book try vote order buy sign cut make turn change support fight
	host start stop share plan run fund lead design train test fill clean plant move draw spread stay stand position welcome
		bring keep protect secure download follow live`)

func classes(lists map[verb]string) map[string]verb {
	all := map[string]verb{}
	for v, list := range lists {
		for w := range words(list) {
			all[w] = v
		}
	}
	return all
}

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

// plainMetrics are figures that readers do nothing about by name: what they are
// to be told of is the brand, or what the figure is of.
const plainMetrics = `awareness visibility reach engagement recognition sales revenue revenues turnover leads conversions conversion
	retention loyalty trust reputation credibility presence audience customers customer clients users views viewers
	readers readership listeners fans likes comments shares orders demand interest growth profit profits confidence goodwill
	satisfaction mentions impressions clicks inquiries enquiries streams plays excitement buzz curiosity understanding
	followership shoppers buyers guests appreciation popularity profile anticipation`

// bases are what tenants want to see grow by a verb that says so: "grow our
// business".
var bases = words("base list community business market network brand company following shop store sales")

var metrics = metricTable()

func metricTable() map[string]metric {
	table := map[string]metric{}
	for w := range words(plainMetrics) {
		table[w] = metric{links: "of for about around with"}
	}
	for w := range words("interest trust confidence") {
		table[w] = metric{links: "of for in about around"}
	}
	for list, m := range map[string]metric{
		"sign-ups signups registrations sign-up signup enrolment enrolments enrollment enrollments": {act: "sign up for", alone: "sign up", links: "for to"},
		"subscribers subscriptions subscriber":                                                      {act: "subscribe to", alone: "subscribe", links: "to for of"},
		"followers following":                                                                       {alone: "follow us"},
		"downloads installs":                                                                        {act: "download", links: "of for"},
		"traffic visits visitors footfall":                                                          {act: "visit", links: "to at of in for"},
		"bookings reservations appointments":                                                        {act: "book", alone: "book with us", links: "for"},
		"tickets":                                                                                   {act: "get tickets for", alone: "get your tickets", links: "for to"},
		"donations":                                                                                 {act: "donate to", alone: "make a donation", links: "to for"},
		"donors":                                                                                    {alone: "make a donation"},
		"members memberships membership":                                                            {act: "join", alone: "become a member", links: "to of for"},
		"applications applicants":                                                                   {act: "apply for", alone: "apply", links: "for to"},
		"attendance attendees turnout":                                                              {act: "come to", alone: "come along", links: "at to for of"},
		"reviews ratings testimonials":                                                              {alone: "leave us a review"},
		"referrals":                                                                                 {alone: "tell a friend about us"},
	} {
		for w := range words(list) {
			table[w] = m
		}
	}
	return table
}

// places are what a figure may be of without a preposition: "website traffic".
var places = map[string]string{
	"newsletter": "sign up for our newsletter", "website": "visit our website", "web": "visit our website", "site": "visit our website",
	"blog": "visit our blog", "shop": "visit our shop", "store": "visit our shop", "app": "download our app",
}

// people are those whom objectives are about: the reader, as far as it goes.
var people = words(`people customers customer clients users visitors followers subscribers readers listeners fans guests patients
	parents families students pupils residents locals neighbours neighbors everyone everybody teenagers adults women men kids children
	buyers shoppers leads audience audiences attention employers businesses companies teams developers beginners members tourists travellers`)

// staff are those whom one looks for rather than serves.
var staff = words("volunteers staff sponsors apprentices trainees interns nurses teachers helpers partners drivers cooks carers investors musicians singers")

// served are those whom tenants win rather than look for.
var served = words("customers clients users visitors readers viewers guests people buyers shoppers followers subscribers fans")

// reaching are verbs whose object, where it is people, are the readers.
var reaching = words("engage connect retain convert keep delight serve bring")

// months and days tell a date.
var calendar = words(`january february march april may june july august september october november december jan feb mar apr jun jul
	aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
	saturdays sundays weekend week month year summer winter spring autumn today tonight tomorrow christmas easter q1 q2 q3 q4`)
