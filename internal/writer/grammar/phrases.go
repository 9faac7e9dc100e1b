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
// far as it can be had, so that all of them come around.
var leads = map[mission.Angle][]string{
	mission.AngleQuestion: {
		"A question for you:", "Quick question:", "Over to you:", "Be honest:", "We are curious:", "Help us out:", "Tell us:",
		"Today's question:", "Something we would like to know:", "One question, no wrong answers:", "Asking everyone:", "Just wondering:",
		"For the comments:", "Let's talk:", "Your turn:", "A small question:", "In a sentence or two:", "Before the day is over:",
		"Hand on heart:", "An open question:", "While you have a minute:", "Out of curiosity:", "Here is one for you:",
		"A question from {}:", "{} asks:",
	},
	mission.AngleTip: {
		"A small tip:", "Quick tip:", "Tip of the day:", "Try this:", "One for your list:", "Worth a minute:", "A friendly hint:", "Good idea:",
		"For your notes:", "An easy one:", "Our advice:", "Little things help:", "A simple habit:", "Save this one:", "Here is an idea:",
		"Pocket tip:", "If you do one thing today:", "Take it or leave it:", "For your next free minute:", "Nothing fancy:", "A shortcut:",
		"Why not today:", "Small effort, good result:",
		"A tip from {}:", "{} suggests:",
	},
	mission.AngleHowTo: {
		"Where to begin:", "The first step:", "Step one:", "How to start:", "First things first:", "A good way in:", "One step at a time:",
		"The simple way:", "To get going:", "A way to start:", "Start here:", "In practice:", "For beginners:", "Starting from zero:",
		"The plan for today:", "Made simple:", "For newcomers:", "Keep it simple:", "A short guide:", "Our starting point:", "Here is how to begin:",
		"The easy route:", "Not sure where to start:",
		"A first step from {}:", "{} recommends:",
	},
	mission.AngleInsight: {
		"What we think:", "One thought:", "Our view:", "Put simply:", "In short:", "Worth remembering:", "A small truth:",
		"Something to consider:", "Here is the thing:", "Plainly said:", "The way we see it:", "A thought for today:", "Underrated:",
		"Between us:", "Simple but true:", "Think about it:", "Food for thought:", "Often overlooked:", "Easily forgotten:", "A quiet truth:",
		"The short version:", "When all is said and done:", "If you ask us:",
		"A thought from {}:", "How {} sees it:",
	},
	mission.AngleStory: {
		"From our side:", "Behind the scenes:", "In our own words:", "This is us:", "Seen from here:", "Straight from us:",
		"On a day like this:", "From the heart:", "A confession:", "True story:", "To be honest:", "Here is something about us:",
		"A note from us:", "What you may not know:", "Close to our hearts:", "As always:", "If you know us, you know:", "From our week:",
		"No surprise:", "A word from us:", "Let us tell you:", "Some things never change:", "One more thing:",
		"A note from {}:", "Behind the scenes at {}:",
	},
	mission.AngleMyth: {
		"For the record:", "Myth, meet fact:", "Let's clear something up:", "Contrary to rumour:", "It is no secret:",
		"Don't believe everything you hear:", "The truth is:", "Fact check:", "To set things straight:", "No, really:", "Just to be clear:",
		"Whatever you have heard:", "Despite what people say:", "Good news:", "Relax:", "In fact:", "Once and for all:",
		"Let's put this to rest:", "Believe it or not:", "Fact, not fiction:", "Good to know:", "Don't worry:", "Myth busted:",
		"{} clears it up:", "A fact from {}:",
	},
}

// cores are what openings say, by form and mode. A line is spoken of as "this",
// by the cores of about.
var cores = map[form]map[mode][]string{
	about: {
		asking: {
			"what would you like to know about {}?", "what is the first thing that comes to mind when you hear about {}?",
			"what would you tell a friend about {}?", "what should more people know about {}?", "what have you always wanted to ask about {}?",
			"what has surprised you about {}?", "who in your life should hear about {}?", "when did you first hear about {}?",
			"which question about {} should we answer first?", "what matters most to you when you think about {}?",
			"what would make you curious about {}?", "what do most people get wrong about {}?", "what could we explain better about {}?",
			"where do you look when you want to know more about {}?", "whom would you ask about {}?", "what have you heard so far about {}?",
			"what is still unclear to you about {}?", "how much do you already know about {}?", "what was the last thing you read about {}?",
			"which one thing about {} would you pass on?",
		},
		advising: {
			"write down your questions about {} and send them to us.", "tell one friend about {}.", "ask us anything about {}.",
			"take five minutes to find out about {}.", "talk to somebody who knows about {}.",
			"start with the one question about {} that matters most to you.", "make a note to find out more about {}.",
			"ask a friend what they have heard about {}.", "pick one thing that you would like to know about {}.",
			"get the facts about {} before you decide anything.", "share what you know about {}.", "find a quiet moment to read about {}.",
			"bring us your questions about {}.", "give yourself time to learn about {}.", "collect what you already know about {}.",
			"send us the question about {} that nobody has answered for you yet.", "start a conversation about {}.",
			"remind a friend to ask about {}.", "keep asking about {} until the answer makes sense to you.", "set aside a moment today to ask about {}.",
		},
		thinking: {
			"a good question about {} is worth more than a quick answer.", "you don't have to be an expert to talk about {}.",
			"there is always something new to say about {}.", "nobody knows everything about {}.",
			"the best time to ask about {} is before you need to know.", "plain words about {} help more than clever ones.",
			"what you hear about {} depends on whom you ask.", "it pays to know a little about {}.", "curiosity about {} is a good place to start.",
			"a short conversation about {} can save you a long search.", "you can learn a lot about {} by asking simple questions.",
			"we would rather answer ten questions about {} than leave one open.", "people listen when a friend talks about {}.",
			"a friend's word about {} counts for more than any advert.", "it is easier to talk about {} when nobody is in a hurry.",
			"a little knowledge about {} makes every decision easier.", "everybody starts out with questions about {}.",
			"one clear answer about {} is better than ten vague ones.", "what people tell each other about {} matters most.",
			"it takes a good listener to answer questions about {}.",
		},
		telling: {
			"we could talk for hours about {}.", "somebody always has one more question about {}.", "we love it when people ask us about {}.",
			"there is a person behind every question about {}.", "a good conversation about {} makes our day.",
			"we still learn something new about {}.", "it usually starts with a simple question about {}.",
			"we like the moment when somebody first hears about {}.", "no two conversations about {} are the same.",
			"we never get tired of talking about {}.", "the best part is hearing what you have to say about {}.", "the coffee goes cold when somebody asks about {}.",
			"our favourite questions are the ones about {}.", "one good question about {} can turn our whole day around.",
			"we forget the time when you ask us about {}.", "we are happiest when we can answer a question about {}.",
			"we think about {} more often than we admit.", "we remember how it was to know nothing about {}.",
			"people come with a question about {} and stay for a chat.", "a kind word about {} stays with us all day.",
		},
		correcting: {
			"no question about {} is too small.", "you don't have to be an expert to ask about {}.", "it is never too late to ask about {}.",
			"nobody expects you to know everything about {}.", "asking about {} commits you to nothing.",
			"you don't need much time to learn about {}.", "there is no silly question about {}.", "you don't need to know the right words to ask about {}.",
			"most people know less about {} than they say.", "not everything you read about {} is true.", "you can change your mind about {} at any time.",
			"talking about {} doesn't have to be complicated.", "it is fine to know nothing about {} yet.",
			"you are not the only one with questions about {}.", "a question about {} never bothers us.",
			"the loudest opinion about {} is not always the best one.", "there is more than one good answer when you ask about {}.",
			"learning more about {} costs you nothing but a little time.", "nobody minds if you ask about {} twice.",
			"you don't have to make up your mind about {} today.",
		},
	},
	asLine: {
		asking: {
			"have you heard about this?", "who in your life should know about this?", "whom will you tell about this?",
			"what do you think about this?", "would you pass this on?", "what is your first thought on this?", "is this something for you?",
			"who comes to mind when you read this?", "does this speak to you?", "what would you add to this?", "how does this sound to you?",
			"do you know somebody who should see this?", "what do you say to this?", "can you help us spread this?",
			"what would your friends say to this?", "do you have a minute for this?", "where would you share this?",
			"what does this mean to you?", "did you know about this?", "may we have your opinion on this?",
		},
		advising: {
			"take a minute for this.", "pass this on.", "read this twice.", "share this with a friend.", "tell your neighbours about this.",
			"keep this in mind.", "save this for later.", "make a note of this.", "show this to somebody who should see it.",
			"read this before you scroll on.", "bring this up over dinner tonight.", "don't miss this.", "remember this one.",
			"let us know what you think of this.", "spread the word about this.", "give this a moment.",
			"send this to somebody who would care.", "ask us if you want to know more about this.", "put this on your list.", "have a look at this.",
		},
		thinking: {
			"this matters to us.", "this deserves a moment of your time.", "this is worth talking about.", "this can be said in one line.",
			"this can't be said often enough.", "this is worth sharing.", "this says something about us.", "this is bigger than it looks.",
			"this is easily overlooked.", "this is worth a second look.", "this doesn't need many words.", "this is quickly said.",
			"this is close to our hearts.", "it helps to say this out loud.", "this is worth saying twice.", "this is worth knowing.",
			"this is where it gets interesting.", "this is what counts today.", "this comes first.", "it is good to talk about this.",
		},
		telling: {
			"we have been looking forward to saying this.", "this has been on our minds.", "we talk about this a lot.", "we care about this.",
			"we wanted you to hear this from us.", "this makes us smile.", "this is what gets us up in the morning.",
			"we can't stop talking about this.", "we have something to tell you.", "we have been thinking about this.",
			"we would like to share this with you.", "this keeps us busy.", "this means something to us.", "we had to share this.",
			"we are happy to say this.", "we have one thing to say today.", "there is something on our minds.", "we saved this for you.",
			"it all comes down to this.", "we don't say this every day.",
		},
		correcting: {
			"you don't have to be an expert to care about this.", "this concerns more people than you think.", "this is simpler than it sounds.",
			"this is no small matter.", "there is no silly question about this.", "this is for everybody.",
			"you are not the only one who wonders about this.", "this is worth getting right.", "not everything you hear about this is true.",
			"there is more to this than meets the eye.", "this is not just for experts.", "you are welcome to ask about this.",
			"this is easier to explain than you think.", "this takes no special knowledge.", "it is fine to be new to this.",
			"you can form your own opinion on this.", "this is meant seriously.", "this is no secret.", "it is never too late for this.",
			"nobody knows everything about this.",
		},
	},
	do: {
		asking: {
			"ready to {}?", "what would help you to {}?", "what is your best reason to {}?", "when will you find the time to {}?",
			"is this the week to {}?", "would you like to {}?", "what would it take for you to {}?", "who reminds you to {}?",
			"is today a good day to {}?", "do you have a moment to {}?",
		},
		advising: {
			"{}.", "take a minute to {}.", "make time to {}.", "choose a day to {}.", "make a plan to {}.", "find a good moment to {}.",
			"set a reminder to {}.", "don't forget to {}.", "make a note to {}.", "go ahead and {}.",
		},
		thinking: {
			"it is easier than you think to {}.", "there is more than one good reason to {}.", "today is as good a day as any to {}.",
			"the best time to {} is the one that suits you.", "it is worth the time to {}.", "it doesn't take a special day to {}.",
			"a good reason to {} is easy to find.", "you decide when to {}.", "it only takes a moment to decide to {}.",
			"one small decision is all it takes to {}.",
		},
		telling: {
			"we would be glad to see you {}.", "it makes our day when you {}.", "we would like you to {}.", "we are glad when you {}.",
			"it is always good to see you {}.", "we would love you to {}.", "we hope that you will {}.", "we are happy to help you {}.",
			"you make us happy when you {}.", "we look forward to the day when you {}.",
		},
		correcting: {
			"you don't need a special occasion to {}.", "it is never too late to {}.", "there is no wrong moment to {}.",
			"you don't have to wait any longer to {}.", "you don't need anybody's permission to {}.", "it is not complicated to {}.",
			"you don't need a special reason to {}.", "it doesn't take much to {}.", "you don't have to be the first to {}.",
			"nothing stops you if you want to {}.",
		},
	},
	how: {
		asking: {
			"would you like to know how to {}?", "do you know how to {}?", "who could show you how to {}?", "who taught you how to {}?",
			"how do you {}?", "where would you look up how to {}?", "what would you tell a friend who asks how to {}?",
			"when did you learn how to {}?", "have you ever asked yourself how to {}?", "whom would you ask how to {}?",
		},
		advising: {
			"ask us how to {}.", "find out how to {}.", "let somebody show you how to {}.", "take a moment to learn how to {}.",
			"tell a friend how to {}.", "learn step by step how to {}.", "look up how to {}.", "ask somebody you trust how to {}.",
			"make a note to find out how to {}.", "learn from somebody who knows how to {}.",
		},
		thinking: {
			"you can learn how to {}.", "it is worth knowing how to {}.", "knowing how to {} is half the work.",
			"you only find out by trying how to {}.", "it pays to know how to {}.", "there is more than one answer when you ask how to {}.",
			"nobody learns in a day how to {}.", "good advice helps when you ask how to {}.", "it is easier than it looks to learn how to {}.",
			"a simple explanation goes a long way when you ask how to {}.",
		},
		telling: {
			"we are happy to explain how to {}.", "we like to talk about how to {}.", "we could talk for hours about how to {}.",
			"it makes our day when somebody asks how to {}.", "we like nothing better than showing somebody how to {}.",
			"we are glad when you ask us how to {}.", "we never mind being asked how to {}.", "it usually begins with the question how to {}.",
			"we like it when somebody wants to know how to {}.", "we are always ready to explain how to {}.",
		},
		correcting: {
			"it is never too late to learn how to {}.", "you don't need to be an expert to {}.", "there is no secret about how to {}.",
			"nobody is born knowing how to {}.", "it doesn't take long to learn how to {}.",
			"there is more than one right answer when you ask how to {}.", "you don't have to find out alone how to {}.",
			"it is no magic to learn how to {}.", "it is all right to ask how to {}.", "you don't need a special talent to learn how to {}.",
		},
	},
}

// afterthoughts follow an opening of their mode, whatever its form.
var afterthoughts = map[mode][]string{
	asking: {
		"There are no wrong answers, and the short ones are often the best.", "We ask because no two people answer in the same way.",
		"One word is enough.", "Take your time.", "We would rather ask than guess.", "Ask the person next to you, too.",
		"The honest answer is the useful one.", "We are listening.", "We really want to know.", "Think about it for a moment.",
		"Say what comes to mind.", "There is no prize for it, only our curiosity.",
	},
	advising: {
		"It takes less time than you think.", "You can do it today.", "It is worth it.", "Every little helps.",
		"If you like it, pass it on.", "No preparation needed.", "Do it now, while you think of it.", "It is easier together with a friend.",
		"You can't do much wrong.", "And if you get stuck, ask us.", "Tomorrow is fine, too, but today is better.", "You will be glad that you did.",
	},
	thinking: {
		"We try to keep that in mind.", "It sounds obvious, and still it is easy to forget.", "That is true on busy days, too.",
		"You may see it differently, and that is fine.", "Simple, but not always easy.", "That is worth a moment's thought.",
		"We could make it more complicated, but why?", "There is not much more to it.", "At least that is how we see it.",
		"It is as simple as that.", "You will notice it yourself.", "Small things add up.",
	},
	telling: {
		"And we mean it.", "You know where to find us.", "It is one of the reasons why we do this.", "You are part of it, too.",
		"Ask anybody who knows us.", "That is how we are.", "That will not change.", "It means a lot to us.", "Now you know.",
		"It had to be said.", "We thought that you should know.", "We like to say so.",
	},
	correcting: {
		"We promise.", "If you have heard otherwise, ask us.", "It is simpler than it looks.", "So go ahead.", "That goes for everybody.",
		"You can take our word for it.", "The rest is rumour.", "Pass it on to somebody who needs to hear it.", "There is nothing to lose.",
		"We would tell you if it were different.", "Now you know.", "It is that simple.",
	},
}

// lineAfterthoughts follow a subject on a line of its own, in any mode.
var lineAfterthoughts = []string{
	"Ask us if you want to know more.", "We are happy to talk about it.", "If it concerns somebody you know, tell them.",
	"It takes only a moment to pass it on.", "You know where to find us.", "We thought that you should know.",
	"More people should hear about it.", "It had to be said.", "That is all for now.", "It is as simple as that.",
	"You heard it from us.", "It needs no more words.",
}

var calls = map[tone][]string{
	neutral: {
		"Let us know what you think.", "We look forward to hearing from you.", "Share this with someone who would like to know.",
		"Questions are welcome.", "Write to us any time.", "There is more to come.", "Follow us for more.", "Your thoughts are welcome.",
	},
	formal: {
		"We welcome your questions.", "We look forward to your comments.", "Please share your thoughts with us.",
		"We are glad to provide further details.", "Thank you for your interest.", "Please feel free to pass this on.",
		"We are available for questions.", "We value your view.",
	},
	casual: {
		"What do you think?", "Tell us below.", "Drop us a line.", "Curious what you think.", "Say hi any time.", "More soon.",
		"Let us know.", "Pass it on.",
	},
	playful: {
		"Your turn, go!", "Who's in?", "Tag somebody who needs to see this.", "Don't be shy!", "Go on, surprise us.", "Ready, set, go!",
		"Extra points for the oddest question.", "We can't wait to hear from you!",
	},
	bold: {
		"Say it out loud.", "Make the first move.", "Don't wait.", "Start today.", "Ask the hard questions.", "Speak up.",
		"No small talk.", "Now is the time.",
	},
	warm: {
		"We would love to hear from you.", "Thank you for being here.", "You are always welcome.", "Share it with someone dear to you.",
		"Take good care of yourself.", "It is good to have you here.", "Write to us whenever you like.", "We are glad that you are here.",
	},
}

// pointers lead to a website.
var pointers = []string{"More at ", "Find out more: ", "Details: ", "Have a look: "}

var emoji = map[tone][]string{
	casual: {"🙂", "👇", "☕"}, playful: {"🎉", "😄", "🚀", "🙌"}, bold: {"🔥", "👊"}, warm: {"💛", "🌱", "🤝"},
}
