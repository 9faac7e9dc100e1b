package grammar

import "missiond/mission"

// A post opens with a lead and a core: "Quick question: what would you like to
// know about our spring seeds?" The lead belongs to the angle, the core to the
// angle's mode and the subject's form. {} is where the subject's phrase stands,
// always behind "about", "to" or "how to", or as a sentence of its own, so that
// no verb depends on it. A subject on a line of its own is "this", and the line
// follows.
// Nothing here states a fact about the tenant.

// mode is the kind of sentence that an angle is made of.
type mode int

const (
	asking mode = iota
	advising
	thinking
	telling
	correcting
)

var modes = map[mission.Angle]mode{
	mission.AngleQuestion: asking, mission.AngleTip: advising, mission.AngleHowTo: advising, mission.AngleInsight: thinking,
	mission.AngleStory: telling, mission.AngleMyth: correcting,
}

// leads of an angle; those with {} name the brand. Their number and that of the
// cores have no common factor with each other nor with the number of angles, as
// far as it can be had, so that all of them come around. A lead goes with every
// core of its angle, whatever its form.
var leads = map[mission.Angle][]string{
	mission.AngleQuestion: {
		"A question for you:", "Quick question:", "Over to you:", "We are curious:", "Help us out:", "Tell us:", "Today's question:",
		"Something we would like to know:", "One question, no wrong answers:", "Asking everyone:", "Just wondering:", "For the comments:",
		"Let's talk:", "Your turn:", "A small question:", "An open question:", "Out of curiosity:", "Here is one for you:",
		"Our question today:", "We would like to ask:", "One quick question:", "Question time:", "May we ask:",
		"A question from {}:", "{} asks:",
	},
	mission.AngleTip: {
		"A small tip:", "Quick tip:", "Tip of the day:", "Try this:", "One for your list:", "A friendly hint:", "Good idea:", "For your notes:",
		"An easy one:", "Our advice:", "Little things help:", "Here is an idea:", "Our tip:", "Here is a tip:", "A hint:", "A suggestion:",
		"Our suggestion:", "Just an idea:", "A simple idea:", "Today's tip:", "How about this:", "One tip:", "Our recommendation:",
		"A tip from {}:", "{} suggests:",
	},
	mission.AngleHowTo: {
		"Where to begin:", "The first step:", "Step one:", "How to start:", "First things first:", "To get going:", "A way to start:",
		"Start here:", "Keep it simple:", "Here is how to begin:", "A first step:", "The simplest start:", "One way to begin:",
		"To begin with:", "For a start:", "A good place to start:", "A good first step:", "How to begin:", "Your first step:", "Begin here:",
		"A small first step:", "A good start:", "A way in:",
		"A first step from {}:", "{} recommends:",
	},
	mission.AngleInsight: {
		"What we think:", "One thought:", "Our view:", "Put simply:", "In short:", "Something to remember:", "A small truth:",
		"Something to consider:", "Here is the thing:", "Plainly said:", "The way we see it:", "A thought to share:", "Simple but true:",
		"Think about it:", "Food for thought:", "The short version:", "When all is said and done:", "If you ask us:", "A thought:",
		"As we see it:", "Our opinion:", "In our view:", "We are convinced:",
		"A thought from {}:", "How {} sees it:",
	},
	mission.AngleStory: {
		"From our side:", "In our own words:", "Straight from us:", "In plain words:", "To be honest:", "A note from us:",
		"A word to you:", "We mean it:", "A word from us:", "Let us tell you:", "One more thing:", "From us to you:",
		"In a few words:", "A few words from us:", "A short note:", "Just so you know:", "A message from us:", "A quick word:",
		"For our part:", "Honestly:", "A personal note:", "A small note:", "Here is a note from us:",
		"A note from {}:", "A word from {}:",
	},
	mission.AngleMyth: {
		"For the record:", "Let's clear something up:", "The truth is:", "Fact check:", "To set things straight:", "No, really:",
		"Just to be clear:", "Whatever you have heard:", "Good news:", "In fact:", "Once and for all:", "Believe it or not:",
		"Fact, not fiction:", "Good to know:", "Don't worry:", "Myth busted:", "Let's be clear:", "Rest assured:", "The fact is:",
		"Plain fact:", "Contrary to what you may think:", "It is true:", "Simple fact:",
		"{} clears it up:", "A fact from {}:",
	},
}

// requests are the leads of advice about a line.
var requests = []string{
	"A small favour:", "A favour:", "A request:", "A small request:", "Do us a favour:", "If you have a minute:", "While you are here:",
	"A moment, please:", "Help us out:", "Before you go:", "Just one thing:", "Before you scroll on:", "If you like:",
	"A kind request:", "One small thing:", "A simple request:", "If you can:", "Our request:", "One favour:",
	"A quick favour:", "One request:", "A word before you go:", "Here is a request:",
	"A request from {}:", "{} asks you:",
}

// cores are what openings say, by form and mode. A line is spoken of as "this";
// it may be a statement, a question, a call or an aim. Who does what stands in a
// core's {} is always the reader: it may have a "your" in it.
var cores = map[form]map[mode][]string{
	about: {
		asking: {
			"what would you like to know about {}?", "what is the first thing that comes to mind when you hear about {}?",
			"what would you tell a friend about {}?", "who in your life should hear about {}?", "which question about {} should we answer first?",
			"what would you like to ask about {}?", "what have you heard so far about {}?",
			"how much do you already know about {}?", "whom would you tell about {}?", "whom would you ask about {}?", "what should we tell you about {}?",
			"what is your first question about {}?", "have you heard about {}?", "did you know about {}?",
			"do you know somebody who should hear about {}?", "what do you think about {}?", "what else would you like to hear about {}?",
		},
		advising: {
			"ask us about {}.", "send us your questions about {}.", "tell a friend about {}.", "take five minutes to find out more about {}.",
			"make a note to find out more about {}.", "bring us your questions about {}.", "find out more about {}.",
			"start a conversation about {}.", "tell us what you would like to know about {}.", "think of one question about {} and send it to us.",
			"talk to a friend about {}.", "talk to us about {}.", "tell somebody who may not have heard about {}.",
			"spread the word about {}.", "start with one question about {}.", "let us know what you think about {}.",
			"pick one thing that you would like to know about {}.",
		},
		thinking: {
			"there is more to say about {} than fits in one post.", "there is a lot to say about {}.", "people remember what a friend tells them about {}.",
			"a simple question is a good way to learn about {}.", "a good question about {} is worth more than a quick answer.",
			"you can learn a lot about {} by asking simple questions.", "one clear answer about {} is better than ten vague ones.",
			"we would rather answer ten questions about {} than leave one open.", "the best conversations about {} begin with a simple question.",
			"no post can say everything about {}.", "it is worth asking about {}.", "it is good to talk about {}.",
			"more people should hear about {}.", "it is worth finding out more about {}.",
			"it is worth telling a friend about {}.", "the best questions about {} are often the simplest.",
			"a conversation about {} can begin with a single question.",
		},
		telling: {
			"we could talk for hours about {}.", "we are glad when people ask us about {}.", "we never get tired of talking about {}.",
			"our favourite questions are the ones about {}.", "we like to talk about {}.", "we like answering questions about {}.",
			"we would like to tell you more about {}.", "we would like to hear what you think about {}.",
			"we look forward to your questions about {}.", "we are curious what you think about {}.", "we have a lot to say about {}.",
			"we would love to hear your questions about {}.", "we are happy to talk about {}.", "we wanted to say something about {}.",
			"we hope that you tell a friend about {}.", "we care what you think about {}.", "we still have a lot to tell you about {}.",
		},
		correcting: {
			"no question about {} is too small.", "you don't have to be an expert to ask about {}.",
			"nobody expects you to know everything about {}.", "there is no silly question about {}.",
			"you don't need to know the right words to ask about {}.", "it is fine to know nothing about {} yet.",
			"you are not the only one with questions about {}.", "you don't need a special reason to ask about {}.",
			"you don't have to know anything about {} to ask us.", "you may ask about {} as often as you like.",
			"you don't bother us when you ask about {}.", "talking about {} doesn't have to be complicated.",
			"knowing little about {} is no reason not to ask.", "there is no wrong way to ask about {}.",
			"even the simplest question about {} is welcome.", "you can ask us about {} even if you are new here.",
			"you don't have to prepare anything to ask about {}.",
		},
	},
	asLine: {
		asking: {
			"who comes to mind when you read this?", "what comes to mind when you read this?", "do you know somebody who should read this?",
			"do you have a minute for this?", "would you pass this on?", "can you help us spread the word about this?",
			"what would you like to know about this?", "what would you ask us about this?", "who would be glad to read this?",
			"who might have missed this?", "who in your life should read this?", "whom will you tell about this?",
			"what do you think about this?", "what is your first thought on this?", "what do you say to this?",
			"with whom will you share this?", "who should see this?",
		},
		advising: {
			"take a minute for this.", "pass this on.", "share this with a friend.", "tell a friend about this.", "stop for a moment and read this.", "leave us a comment about this.",
			"show this to somebody who should see it.", "read this before you move on.", "don't miss this.",
			"spread the word about this.", "give this a moment.", "send this to somebody who would care.",
			"have a look at this.", "talk to somebody about this.", "read this and pass it on.",
			"read this to the end.", "don't scroll past this.",
		},
		thinking: {
			"this matters to us.", "this deserves a moment of your time.", "this is worth talking about.", "this is worth sharing.",
			"this is worth a second look.", "this is worth a minute.", "it is good to talk about this.", "this is worth passing on.",
			"this should not go unnoticed.", "this deserves a mention.", "this is worth a post.",
			"this is worth your attention.", "this is worth a conversation.", "it is worth taking a moment for this.",
			"it is worth telling somebody about this.", "this needs to be said.", "this is worth reading twice.",
		},
		telling: {
			"we wanted you to know about this.", "we would like to share this with you.", "we have something to tell you.",
			"we have something to share.", "there is something on our minds.", "we care about this.", "we would like you to read this.",
			"we had to share this.", "we are glad to share this.", "we hope that you pass this on.", "we would like to talk about this.",
			"we have one thing to say today.", "we would like to hear what you think about this.", "we are happy to talk about this.",
			"we wrote this for you.", "we hope that you have a minute for this.", "we wanted to show you this.",
		},
	},
	do: {
		asking: {
			"ready to {}?", "would you like to {}?", "what would help you to {}?", "what is your best reason to {}?",
			"what would it take for you to {}?", "is it on your list to {}?", "do you plan to {}?", "do you want to {}?",
			"what would make it easier for you to {}?", "what would convince you to {}?", "when will you find the time to {}?",
			"what would make it worth your while to {}?", "are you going to {}?",
		},
		advising: {
			"{}.", "don't forget to {}.", "set a reminder to {}.", "make a note to {}.", "make a plan to {}.", "make time to {}.",
			"go ahead and {}.", "write yourself a note to {}.", "decide today to {}.", "put it on your list to {}.", "take the time to {}.",
			"do yourself a favour and {}.", "make up your mind to {}.",
		},
		thinking: {
			"there is more than one good reason to {}.", "a good reason to {} is easy to find.", "it is worth taking the time to {}.",
			"it only takes a moment to decide to {}.", "one good reason is enough to {}.", "it is a good idea to {}.",
			"it is never a bad idea to {}.", "you will have your own reasons to {}.", "it is easy to forget to {}.",
			"a reminder helps if you want to {}.", "it is worth remembering to {}.", "it makes sense to {}.",
			"a small nudge is sometimes all it takes to {}.",
		},
		telling: {
			"we would love you to {}.", "we would like you to {}.", "we hope that you will {}.", "we hope that you find the time to {}.",
			"we are glad when you {}.", "we are happy when you {}.", "it makes our day when you {}.", "we invite you to {}.",
			"we would like to invite you to {}.", "we would like to encourage you to {}.", "we would be glad if you decided to {}.",
			"it would mean a lot to us if you decided to {}.", "it would make our day if you decided to {}.",
		},
		correcting: {
			"you don't need an excuse to {}.", "you don't need a special reason to {}.", "you are not the only one who means to {}.",
			"you don't have to be an expert to {}.", "there is no perfect moment to {}.", "you don't have to wait for the perfect moment to {}.",
			"you don't need a long list of reasons to {}.", "you don't have to think long about whether to {}.",
			"it doesn't take a grand plan to {}.", "you need no more than one good reason to {}.", "it is fine to need a reminder to {}.",
			"you don't have to explain to anybody why you {}.", "it takes no special talent to {}.",
		},
	},
	how: {
		asking: {
			"would you like to know how to {}?", "do you know how to {}?", "who could show you how to {}?", "how do you {}?",
			"where would you look up how to {}?", "whom would you ask how to {}?", "have you ever asked yourself how to {}?",
			"have you ever wondered how to {}?", "where do you find advice on how to {}?", "shall we talk about how to {}?",
			"would you like us to explain how to {}?", "what helps you to {}?", "what would you like to know about how to {}?",
		},
		advising: {
			"ask us how to {}.", "find out how to {}.", "let somebody show you how to {}.", "take a moment to learn how to {}.",
			"learn step by step how to {}.", "look up how to {}.", "ask somebody you trust how to {}.", "make a note to find out how to {}.",
			"learn from somebody who knows how to {}.", "send us your questions about how to {}.", "take five minutes to find out how to {}.",
			"tell us what you would like to know about how to {}.", "talk to us about how to {}.",
		},
		thinking: {
			"it is worth knowing how to {}.", "knowing how to {} is half the work.", "it pays to know how to {}.",
			"there is more than one answer when you ask how to {}.", "good advice helps when you ask how to {}.",
			"a simple explanation of how to {} goes a long way.", "it is useful to know how to {}.", "it is good to know how to {}.",
			"it is worth asking how to {}.", "it helps to ask somebody who knows how to {}.", "it makes sense to ask how to {}.",
			"it is worth a few minutes to find out how to {}.", "it is good to talk about how to {}.",
		},
		telling: {
			"we are happy to explain how to {}.", "we like to talk about how to {}.", "we could talk for hours about how to {}.",
			"we are glad when you ask us how to {}.", "we never mind being asked how to {}.", "it makes our day when you ask how to {}.",
			"we would like to talk about how to {}.", "we have a lot to say about how to {}.", "we would like you to know how to {}.",
			"we hope that you ask us how to {}.", "we look forward to your questions about how to {}.", "we are happy to talk about how to {}.",
			"we are here if you want to know how to {}.",
		},
		correcting: {
			"it is never too late to learn how to {}.", "you don't need to be an expert to {}.", "there is no secret about how to {}.",
			"there is more than one right answer when you ask how to {}.", "you don't have to find out alone how to {}.",
			"it is all right to ask how to {}.", "you don't need a special talent to learn how to {}.", "you don't have to know already how to {}.",
			"there is no silly question about how to {}.", "you are not the only one who wonders how to {}.",
			"you don't need to know the right words to ask how to {}.", "you don't bother us when you ask how to {}.",
			"nobody expects you to know everything about how to {}.",
		},
	},
}

// afterthoughts follow an opening of their mode, whatever its form.
var afterthoughts = map[mode][]string{
	asking: {
		"The short answers are often the best.", "We ask because no two people answer in the same way.",
		"Take your time.", "We would rather ask than guess.", "Ask the person next to you, too.", "We are listening.",
		"We really want to know.", "Think about it for a moment.",
	},
	advising: {
		"It is worth it.", "You will be glad that you did.", "And if anything is unclear, write to us.", "It would make us happy.",
		"Every step counts.", "Thank you for giving it a thought.", "We think that it is worth a try.", "We would appreciate it.",
	},
	thinking: {
		"We try to keep that in mind.", "It sounds obvious, and still it needs saying.", "That is true on busy days, too.",
		"You may see it differently, and that is fine.", "That is worth a moment's thought.", "It is as simple as that.", "That is what we believe.",
	},
	telling: {
		"And we mean it.", "You know where to find us.", "Ask anybody who knows us.", "It matters to us.",
		"We thought that you should know.", "We like to say so.", "Thank you for reading.",
	},
	correcting: {
		"We promise.", "If you have heard otherwise, ask us.", "So go ahead.", "That goes for everybody.", "You can take our word for it.",
		"Pass it on to somebody who needs to hear it.", "We would tell you if it were different.", "It is that simple.",
	},
}

// lineAfterthoughts follow a subject on a line of its own, in any mode.
var lineAfterthoughts = []string{
	"Ask us if you want to know more.", "We are happy to talk about it.", "It takes only a moment to pass it on.",
	"You know where to find us.", "More people should hear about it.",
	"Thank you for reading this.",
}

var calls = map[tone][]string{
	neutral: {
		"Let us know what you think.", "We look forward to hearing from you.", "Share this with someone who would like to know.",
		"Questions are welcome.", "Write to us any time.", "Follow us for more.", "Your thoughts are welcome.",
	},
	formal: {
		"We welcome your questions.", "We look forward to your comments.", "Please share your thoughts with us.",
		"We are glad to provide further details.", "Thank you for your interest.",
		"We are available for questions.", "We value your view.",
	},
	casual: {
		"What do you think?", "Tell us below.", "Drop us a line.", "Curious what you think.", "Say hi any time.", "Let us know.",
	},
	playful: {
		"Tag somebody who needs to see this.", "Don't be shy!", "We can't wait to hear from you!", "Tell everybody!", "Say hello!",
	},
	bold: {
		"Make the first move.", "Don't hold back.", "Ask the hard questions.", "Speak up.", "Tell us straight.", "Your move.", "Get in touch.",
	},
	warm: {
		"We would love to hear from you.", "Thank you for being here.", "You are always welcome.", "Share it with someone dear to you.",
		"It is good to have you here.", "Write to us whenever you like.", "We are glad that you are here.",
	},
}

// pointers lead to a website.
var pointers = []string{"More at ", "Find out more: ", "Details: ", "Have a look: "}

var emoji = map[tone][]string{
	casual: {"🙂", "👇", "☕"}, playful: {"🎉", "😄", "🚀", "🙌"}, bold: {"🔥", "👊"}, warm: {"💛", "🌱", "🤝"},
}
