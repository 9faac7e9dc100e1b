package builtin

import (
	"time"

	"missiond/mission"
)

// shop is a small business with a brief as its owner would write it.
type shop struct {
	name, site, language, description string
	// call is the one that the description has.
	call       string
	objectives []string
	facts      []mission.Fact
	always     []string
	event      *mission.Occasion
	platform   mission.Platform
}

var shops = []shop{
	{
		name: "Corner Crumb", site: "https://cornercrumb.example", call: "Order by noon", platform: mission.Mastodon,
		description: "We bake sourdough in a wood-fired oven on Mill Lane in Lewes. The oven was built in 1921. It holds 60 loaves.\n" +
			"Bread comes out at 7 am and again at 3 pm. Every loaf rests for 24 hours before it is baked. We mill our own rye on Mondays.\n" +
			"Order by noon and your loaf waits for you until 6 pm. Target audience: families within walking distance.",
		objectives: []string{"Sell 30 loaves on weekday afternoons"},
		facts:      []mission.Fact{{Text: "A large sourdough costs £4.20."}},
	},
	{
		name: "Spoke & Chain", site: "https://spokeandchain.example", call: "Book a slot online", platform: mission.Twitter,
		description: "Spoke & Chain repairs bicycles under the arches by Leith station. A full service takes two days. Most punctures are done while you wait.\n" +
			"We fit used parts where they are safe, and tell you which. Is your bike from the eighties? We like those best.\n" +
			"Book a slot online, or just roll in before ten.",
		objectives: []string{"Get more people to book a full service before spring", "Grow followers by 10 %"},
	},
	{
		name: "Low Tide Yoga", site: "https://lowtide.example", call: "Join the trial class any", platform: mission.Instagram, always: []string{"#yogaFalmouth"},
		description: "Low Tide is a yoga studio above the harbour in Falmouth. There are twelve mats, and nobody is ever told to push harder.\n" +
			"The trial class is on Mondays at 6 pm and costs nothing. Mats and blankets are here. On Thursdays Priya teaches slow flow for stiff backs.\n" +
			"Join the trial class any Monday. Our goal is 20 new members by June.",
		objectives: []string{"More people in the trial class"},
		facts:      []mission.Fact{{Text: "Priya has taught yoga since 2009", ExpiresAt: new(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))}},
	},
	{
		name: "Sanitär Brandt", site: "", call: "Rufen Sie an", platform: mission.Facebook,
		description: "Wir sind ein Klempnerbetrieb mit vier Leuten in Bremen-Walle. Bei Rohrbruch kommen wir auch nachts. Eine neue Badewanne bauen wir an einem Tag ein.\n" +
			"Heizungen warten wir im Sommer, z. B. vor den großen Ferien. Dann haben wir am meisten Zeit dafür.\n" +
			"Rufen Sie an: 0421 555 01 23. Zielgruppe: Eigentümer von Altbauten.",
		objectives: []string{"30 Heizungswartungen im Sommer verkaufen"},
	},
	{
		name: "Buchladen am Markt", site: "https://buchladen-am-markt.example", call: "Kommt am Freitag", platform: mission.Bluesky,
		description: "Der Buchladen am Markt hat 6.000 Bücher auf 80 m². Was nicht da ist, liegt am nächsten Morgen um neun bereit.\n" +
			"Jeden ersten Freitag lesen wir um 19 Uhr vor. Der Eintritt ist frei, der Wein kostet 3 €. Für Kinder gibt es samstags um elf ein Bilderbuchkino.\n" +
			"Frau Dr. Weiß empfiehlt im August Bücher vom Meer. Kommt am Freitag vorbei!",
		objectives: []string{"Mehr Gäste bei den Lesungen", "Umsatz mit Kinderbüchern steigern"},
		event:      &mission.Occasion{Name: "Lange Nacht der Bücher", StartsOn: "2026-08-07", EndsOn: "2026-08-07", Note: "Wir haben bis Mitternacht offen."},
	},
	{
		name: "Sprachschule Linden", site: "https://linden-sprachen.example", language: "de", call: "Melden Sie sich", platform: mission.LinkedIn,
		description: "In der Sprachschule Linden lernen höchstens acht Leute in einem Kurs. Der Probekurs dauert 90 Minuten und kostet nichts. Danach weiß man, welche Stufe passt.\n" +
			"Portugiesisch und Polnisch gibt es auch abends. Unsere Lehrkräfte unterrichten nur ihre Muttersprache. Bildungsurlaub ist in Niedersachsen anerkannt.\n" +
			"Melden Sie sich bis Sonntag für den Probekurs an.",
		objectives: []string{"Mehr Anmeldungen für den Probekurs"},
	},
	{
		name: "Domaine des Aubes", site: "https://domainedesaubes.example", call: "Réservez une", platform: mission.Facebook,
		description: "Le Domaine des Aubes cultive neuf hectares de vigne à Faugères. Les vendanges se font à la main, en septembre. Le rouge passe un an en cuve, le blanc six mois.\n" +
			"La cave est ouverte tous les jours de 10 h à 18 h, sauf le dimanche. Vous venez à vélo ? Un râtelier vous attend sous le mûrier.\n" +
			"Réservez une dégustation pour deux ou pour dix.",
		objectives: []string{"Remplir les dégustations du samedi"},
		facts:      []mission.Fact{{Text: "La dégustation de cinq vins coûte 12 €."}},
		event:      &mission.Occasion{Name: "Portes ouvertes", StartsOn: "2026-08-08", EndsOn: "2026-08-09", Note: "On goûte le rosé avant tout le monde."},
	},
	{
		name: "Salon Maud", site: "", call: "Appelez le", platform: mission.Threads,
		description: "Maud coiffe femmes, hommes et enfants rue des Carmes à Nantes. Une coupe prend trois quarts d'heure, avec le shampoing. Les colorations sont sans ammoniaque.\n" +
			"Le mercredi, les enfants ont leur petit fauteuil. Il date de 1960. Le salon est fermé le lundi.\n" +
			"Appelez le 02 40 55 01 23 pour un rendez-vous. Cible : les habitants du quartier.",
		objectives: []string{"Plus de rendez-vous le mardi matin"},
	},
	{
		name: "Fleurs Odile", site: "https://fleursodile.example", call: "Commandez avant", platform: mission.Pinterest,
		description: "Chez Fleurs Odile, les bouquets changent chaque matin. Les pivoines viennent de Saint-Rémy, à 12 km. En hiver, on travaille les fleurs séchées de l'été.\n" +
			"Les livraisons à Avignon partent à 11 h et à 16 h. Un bouquet rond tient sept jours dans l'eau fraîche. Commandez avant 10 h pour le jour même.",
		objectives: []string{"Vendre plus de bouquets livrés", "Atteindre 1 000 abonnés"},
	},
	{
		name: "Carpintería Roble", site: "https://carpinteriaroble.example", call: "Escríbenos con", platform: mission.Mastodon,
		description: "Somos una carpintería de tres personas en Gijón. Hacemos mesas y estanterías a medida con roble y castaño de Asturias. Una mesa tarda cuatro semanas.\n" +
			"Medimos en tu casa sin coste. ¿La puerta roza en invierno? La cepillamos en una visita. También reparamos ventanas antiguas.\n" +
			"Escríbenos con una foto y las medidas.",
		objectives: []string{"Conseguir 10 encargos de mesas"},
	},
	{
		name: "Clínica Dental Arce", site: "https://dentalarce.example", call: "Pide cita en", platform: mission.YouTube,
		description: "La Clínica Dental Arce está en la calle Mayor de Soria. La Dra. Arce atiende a niños los martes y los jueves por la tarde. Una limpieza dura media hora.\n" +
			"Las urgencias se ven el mismo día. Hablamos español, inglés y lengua de signos. La primera visita es gratuita.\n" +
			"Pide cita en el 975 550 123. Objetivo: familias nuevas del barrio.",
		objectives: []string{"Más primeras visitas de familias"},
	},
	{
		name: "Kayak Cala Llarga", site: "https://calallarga.example", call: "Reserva tu", platform: mission.Twitter,
		description: "Alquilamos kayaks en Cala Llarga de mayo a octubre. La vuelta a la isla son 6 km y se hace en dos horas. Ellos flotan, tú remas.\n" +
			"El agua está más quieta antes de las once. Los chalecos y el bidón estanco van incluidos. Los niños reman con un adulto desde los seis años.\n" +
			"Reserva tu kayak en la web.",
		objectives: []string{"Llenar los turnos de la mañana"},
	},
}

// assignment returns the assignment of a shop's nth post, after posts that said texts.
func (s shop) assignment(n int, p mission.Platform, said, openings mission.TextSet) mission.Assignment {
	caps, _ := mission.CapabilitiesOf(p)
	a := mission.Assignment{
		Brief: mission.Brief{
			MissionName: s.name, Description: s.description, Objectives: s.objectives,
			Brand: mission.Brand{Name: s.name, Website: s.site, Hashtags: mission.Hashtags{Always: s.always}},
		},
		Slot: mission.Slot{
			At: time.Date(2026, 8, 1, 9, 0, 0, 0, time.UTC), Position: n, Platform: p, Format: caps.Formats[n%len(caps.Formats)],
			Angle: mission.AllAngles()[n%len(mission.AllAngles())], Objective: s.objectives[n%len(s.objectives)],
		},
		Revision: 1, Seed: uint64(n), Facts: s.facts, UsedTexts: said, LatestTexts: said, UsedOpenings: openings,
	}
	if s.language != "" {
		a.Brief.Constraints.Language = &s.language
	}
	if s.event != nil && n%2 == 0 {
		a.Slot.Occasion = s.event
	}
	return a
}
