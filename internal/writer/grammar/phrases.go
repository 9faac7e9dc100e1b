package grammar

import "missiond/mission"

// The sentences. {topic} stands once in a sentence at most, for a noun phrase
// of any number, so no verb may depend on it. Nothing here states a figure.

var titles = []string{
	"A closer look at {topic}", "What we have learned about {topic}", "{topic}, in plain words",
	"Getting {topic} right", "Notes on {topic}", "Where to start with {topic}",
	"The quiet side of {topic}", "A practical view of {topic}",
}

var hooks = map[mission.Angle][]string{
	mission.AngleHowTo: {
		"Here is how we approach {topic}, step by step.", "A simple way to begin with {topic}:",
		"If you want to make progress with {topic}, start here.", "Three steps that help with {topic}:",
		"How do you get from idea to result with {topic}? In small steps.", "Our short recipe for {topic}:",
		"New to {topic}? This order works for us.", "Before you do anything else about {topic}, do this.",
		"You don't need a big plan for {topic}. You need a first step.",
	},
	mission.AngleQuestion: {
		"What is the hardest part of {topic} for you?", "If you could change one thing about {topic}, what would it be?",
		"When did you last rethink {topic}?", "What would {topic} look like if you started from zero?",
		"Who on your team thinks most about {topic}?", "Do you treat {topic} as a habit or as a project?",
		"What do you wish you had known about {topic} a year ago?", "Which advice about {topic} did you learn to ignore?",
		"What does good look like for you when it comes to {topic}?",
	},
	mission.AngleStory: {
		"We got {topic} wrong at first.", "A short story about {topic}.", "Last month somebody asked us about {topic}, and we had no good answer.",
		"It started with a plain question about {topic}.", "We used to put off everything about {topic}.",
		"One conversation changed how we see {topic}.", "Behind the scenes, {topic} kept us busy for a while.",
		"We nearly gave up on {topic}. Then we tried something smaller.", "On a slow Tuesday we took {topic} apart, just to see.",
	},
	mission.AngleInsight: {
		"Most advice about {topic} skips the first step.", "The part of {topic} that nobody sees matters most.",
		"With {topic}, consistency beats intensity.", "What looks like luck with {topic} is mostly preparation.",
		"We keep coming back to one thought about {topic}.", "There is more to {topic} than tools.",
		"The best work on {topic} looks simple afterwards.", "Progress with {topic} is rarely loud.",
		"People don't remember what you say about {topic}. They remember what you do.",
	},
	mission.AngleTip: {
		"A small tip for {topic}:", "One thing you can do for {topic} today:", "If you only have ten minutes for {topic}, use them like this.",
		"Our favourite shortcut for {topic}:", "Try this the next time you work on {topic}.",
		"Save this for the next time {topic} comes up.", "A habit that helps with {topic}:",
		"Quick one on {topic}.", "The easiest win with {topic}:",
	},
	mission.AngleMyth: {
		"A common belief about {topic}: you have to be an expert first. You don't.", "You have heard that {topic} takes a big budget. We disagree.",
		"Myth: {topic} is only for large teams.", "Let's retire one idea about {topic}: that more is always better.",
		"No, {topic} doesn't have to be complicated.", "“We'll do {topic} later” is the most expensive sentence in the room.",
		"Some say you can't plan {topic}. You can plan to learn.", "Not everything you read about {topic} is true.",
		"Myth: there is one right way to do {topic}.",
	},
}

var thoughts = map[mission.Angle][]string{
	mission.AngleHowTo: {
		"First write down what you want to be true in a month.", "Pick one small piece and finish it this week.",
		"Decide how you will notice that it works.", "Ask one person who has done it before.",
		"Then look at what happened and change one thing at a time.", "Keep what works, drop the rest without regret.",
		"Start with the people you want to reach, not with the tool.", "Set a date to look back, and keep it.",
		"Write the steps where everybody can see them.",
	},
	mission.AngleQuestion: {
		"We ask because the answers are rarely the same twice.", "For us it was knowing when to stop.",
		"Our own answer has changed more than once.", "There is no wrong answer, and the short ones are often the best.",
		"We collect the answers and share what we learn.", "Sometimes saying it out loud is half the work.",
		"We would start with fewer plans and more trying.", "Ask the newest person in the room first; they still see it fresh.",
		"The honest answer is usually the useful one.",
	},
	mission.AngleStory: {
		"We had planned too much and listened too little.", "So we did the smallest thing that could help, and watched.",
		"It took two tries, one long walk and a lot of coffee.", "What worked in the end was surprisingly plain.",
		"We wrote down what surprised us, and that list became the plan.", "Now we do a little of it every week.",
		"The turning point was asking the people it was meant for.", "Looking back, the first step was the only hard one.",
		"Nobody noticed the change on day one. A month later everybody did.",
	},
	mission.AngleInsight: {
		"Ask what you would do if you could do only one thing.", "Small steps that you repeat go further than a big push.",
		"The details that take a minute are the ones people talk about.", "Clear beats clever, nearly every time.",
		"If you can't explain it to a friend, it isn't ready yet.", "What you leave out is part of the work.",
		"Good questions age better than good answers.", "Trust grows where promises are small and kept.",
		"The point is not to do more, but to see sooner what works.",
	},
	mission.AngleTip: {
		"Write the first sentence before you open any tool.", "Put it on the calendar; what has a time gets done.",
		"Show it to one person before you show it to all.", "Take one thing away and see whether anybody misses it.",
		"Keep a list of what worked, and read it before you start.", "Stop while you still know what comes next.",
		"Say it in one sentence first. The rest gets easier.", "Reuse what you have before you make something new.",
		"Do the part you avoid first; the rest feels like rest.",
	},
	mission.AngleMyth: {
		"What it takes is a clear aim and the patience to repeat it.", "Small teams often do it better, because they notice sooner.",
		"The first version may be plain. It only has to exist.", "You learn it by doing it, in public and in small pieces.",
		"Start with what you have; the budget can follow the proof.", "Rules of thumb help until they don't. Look at your own results.",
		"Less, done well, is easier to keep up and easier to like.", "It gets simple once you know who it is for.",
		"What works elsewhere is a hint, not a plan.",
	},
}

var calls = map[tone][]string{
	neutral: {
		"What would you add?", "Tell us how you do it.", "Follow along for more.", "We would like to hear your view.",
		"Share it with someone who could use it.", "What has worked for you?", "More on this soon.", "Let us know what you think.",
	},
	formal: {
		"We welcome your perspective.", "How does your organisation handle this?", "We look forward to your comments.",
		"Please share your experience.", "Further thoughts will follow.", "Which approach has served you best?",
		"We are glad to discuss it.", "Your view would be valuable.",
	},
	casual: {
		"How do you do it?", "Tell us below.", "Anyone else?", "What's your take?", "Curious what you think.",
		"Drop your own trick in the comments.", "Sound familiar?", "More where that came from.",
	},
	playful: {
		"Your turn, go!", "Who's in?", "Tag the friend who needs this.", "Bonus points for the oddest answer.",
		"Tell us we're not the only ones!", "Go on, surprise us.", "Ready, set, try it!", "Best reply gets our applause.",
	},
	bold: {
		"Disagree? Say so.", "Try it, then tell us we're wrong.", "Start today.", "No excuses.", "Make the first move.",
		"Prove us wrong in the comments.", "Pick a side.", "Stop reading. Start doing.",
	},
	warm: {
		"You've got this.", "We'd love to hear your story.", "Thank you for being here.", "Be kind to your first version.",
		"Share it with someone who needs it today.", "We're rooting for you.", "Tell us how it goes for you.", "One step is enough for today.",
	},
}

var emoji = map[tone][]string{
	casual: {"🙂", "👇", "☕"}, playful: {"🎉", "😄", "🚀", "🙌"}, bold: {"🔥", "👊"}, warm: {"💛", "🌱", "🤝"},
}
