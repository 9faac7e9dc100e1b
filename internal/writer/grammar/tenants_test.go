package grammar

import "missiond/mission"

// tenants are ordinary ones with what they want, whose posts testdata/posts.golden
// has.
var tenants = []struct {
	brand       mission.Brand
	tone        string
	description string
	objectives  []string
}{
	{
		mission.Brand{Name: "Hedgerow Seeds", Website: "https://hedgerowseeds.example"}, "warm and friendly",
		"We sell seeds of old vegetable varieties. Every packet is filled by hand in Kent. Target audience: allotment holders aged 35 to 60.",
		[]string{
			"Sell our spring seed collection", "Teach people how to compost at home", "Increase newsletter sign-ups", "Sell more seed potatoes by Easter",
			"Drive traffic to https://hedgerowseeds.example/spring", "Seed swapping", "Grow",
		},
	},
	{
		mission.Brand{Name: "Corner Crumb", Website: "https://cornercrumb.example"}, "playful",
		"A family bakery with a wood-fired oven.",
		[]string{
			"Promote our new bakery", "Get more people to visit our shop", "Launch a sourdough workshop on 3 May", "Sell 200 tickets for the cake fair",
			"Become the best bakery in town", "Sourdough",
		},
	},
	{
		mission.Brand{Name: "Hillside Primary School", Website: "https://hillside.example"}, "",
		"Hillside is a school for 240 children. We have places in Year 3.",
		[]string{
			"Encourage parents to read with their children", "Recruit two teaching assistants for Year 3", "Announce our summer fair on 12 June",
			"How to help your child with homework", "Thank our volunteers for the new library", "The school garden opens to families every Friday",
			"Why is sleep important for children?",
		},
	},
	{
		mission.Brand{Name: "Northgate Clinic", Website: "https://northgate.example"}, "professional",
		"We are a practice of five doctors. Our doors are open on Saturdays. The campaign should increase bookings by 15%.",
		[]string{
			"Remind patients to book their flu shot", "Reduce no-shows", "Raise awareness of hearing loss among over-60s", "Explain the new appointment system",
			"Introduce Dr. Chen, our new dentist", "Help patients understand their medication", "Hire a nurse for our clinic in Leeds",
		},
	},
	{
		mission.Brand{Name: "Plainlog", Website: "https://plainlog.example"}, "bold",
		"Plainlog is a log viewer for small teams. It is open source.",
		[]string{
			"Launch TaskFlow 2.0", "Increase brand awareness", "Get developers to try our API", "Generate leads for our enterprise plan",
			"Announce 5 new features", "Convince teams to switch from spreadsheets", "Get 1,000 GitHub stars", "SEO", "Show what we make",
			"Increase website traffic by 20%",
		},
	},
	{
		mission.Brand{Name: "The Velvet Foxes"}, "casual", "",
		[]string{
			"Promote our new album", "Sell out our show at the Roundhouse", "Get people to stream “Night Bus”", "Grow our fan base", "Celebrate 10 years of the band",
			"Announce the tour dates for Germany, Austria and Switzerland",
		},
	},
	{
		mission.Brand{Name: "Ashford Borough Council", Website: "https://ashford.example"}, "",
		"We look after streets, parks and libraries.",
		[]string{
			"Tell residents about the new recycling rules", "Get residents to register to vote", "Promote cycling to work", "Explain how to report a pothole",
			"Raise £50,000 for the town hall roof", "Cut food waste by half", "Let residents know that bin day moves to Tuesday", "Improve air quality",
			"Invite neighbours to the street party on 21 July",
		},
	},
	{
		mission.Brand{Name: "Ana Ruiz Cerámica", Website: "https://anaruiz.example"}, "warm",
		"I make tableware from red clay.",
		[]string{"Sell my handmade bowls", "I want to sell more bowls at the Feria de Abril", "Promote my book “Barro y Fuego”", "Attract visitors to my studio in Triana"},
	},
	{
		mission.Brand{Name: "Paws & Co", Website: "https://paws.example"}, "fun", "",
		[]string{
			"Find homes for our rescue dogs", "Recruit volunteers for the dog shelter", "Collect donations for the new kennel", "People should know that we take in cats, too.",
			"Our goal is to increase adoptions", "Adopt, don't shop", "INCREASE ONLINE SALES",
		},
	},
	{
		mission.Brand{Name: "Kaffeehaus Sommer", Website: "https://sommer.example"}, "locker",
		"Wir rösten Kaffee in Leipzig. Jeden Samstag öffnen wir die Rösterei.",
		[]string{"Markenbekanntheit steigern", "Mehr Gäste am Sonntag", "Promote the Käsekuchen at Kaffeehaus Sommer"},
	},
	{
		mission.Brand{}, "", "",
		[]string{"Vender más libros", "Nachhaltigkeit", "Augmenter les ventes de notre boutique", "コーヒーの魅力を伝える", "Build a community garden"},
	},
}
