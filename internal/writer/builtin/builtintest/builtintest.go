// Package builtintest has a brief for tests and programs whose missions the built-in writer writes for.
package builtintest

// Description is a mission's description of which the built-in writer makes more posts than it keeps
// apart: twelve sentences.
const Description = "We turn oak and ash into chairs in a hall by the river. Each chair is sanded three times with ever finer paper. " +
	"Linseed oil keeps the wood warm to the touch. Our oldest lathe has run since 1954 without a new motor. " +
	"On Saturdays visitors may watch us from the gallery. Two apprentices begin every autumn and stay for three years. " +
	"Shavings from the floor heat the whole hall in winter. Legs are joined with wedges, never with screws. " +
	"A rocking chair takes Ines eleven days from plank to polish. Broken seats come back to us even after decades. " +
	"Wool for the cushions is spun two villages upstream. Maps of all past owners hang beside the door."
