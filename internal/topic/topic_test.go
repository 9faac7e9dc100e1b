package topic

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"missiond/internal/testkit/cputime"
)

// mentions are texts, each with a topic that it mentions or doesn't.
var mentions = map[string][]struct {
	topic, text string
	want        bool
}{
	"English": {
		{"politics", "We talk POLITICS here.", true},
		{"politics", "A political question for the weekend", true},
		{"political", "Let's leave politics out of it", true},
		{"competitor", "Our competitors can't do this.", true},
		{"competitors", "What our competitor's customers say", true},
		{"competitor prices", "Look at your competitors' prices first", true},
		{"gambling", "Gamble on it? We wouldn't.", true},
		{"company", "Two companies share the hall", true},
		{"gun control", "Guns, controlled", true},
		{"tool box", "A tool-box for everyone", true},
		{"toolbox", "A tool-box for everyone", true},
		{"e-mail", "Send us an email", true},
		{"email", "Send us an e-mail", true},
		{"covid-19", "COVID19 changed the way we work", true},
		{"U.S.A.", "Shipped from the USA", true},
		{"USA", "Shipped from the U.S.A.", true},
		{"McDonald's", "Even McDonalds does it", true},
		{"AT&T", "We moved from AT&T", true},
		{"politics", "Politics™ for beginners", true},

		{"politics", "Be polite to each other", false},
		{"university", "A universal truth about the universe", false},
		{"socialism", "Find us on social media", false},
		{"national socialism", "The national social club meets", false},
		{"internal", "Meet our interns", false},
		{"kit", "New kites: order now and fly in March", false},
		{"experiment", "An experience for the family", false},
		{"organ", "Organic tomatoes, organized by colour", false},
		{"news", "A new year, a new garden", false},
		{"tool", "A stool is not a table", false},
		{"car", "We care for your plants", false},
		{"hat", "Some hate rain, we love it", false},
		{"kit", "Kites in the wind of the coast", false},
		{"at", "We moved from AT&T", false},
		{"don", "We don't sell it", false},
		{"it", "The shop and its garden", false},
		{"plan", "Planes and planets in the sky", false},
		{"gun control", "Control your guns", false},
		{"9/11", "Open at 9, 11 and 12", false},
		{"", "Anything at all", false},
		{"   ", "Anything   at all", false},
	},
	"symbols": {
		{"C++", "Learn C++ in a week", true},
		{"C++", "Learn C++17 in a week", true},
		{"C++", "Learn Ｃ＋＋ in a week", true},
		{"C#", "We hire for C#, remotely", true},
		{"C#", "We hire for C♯", true},
		{".NET", "A course in .NET for beginners", true},
		{"C", "A course in C, for beginners", true},
		{"LGBTQ", "For the LGBTQ+ community", true},
		{"24/7", "Open 24/7 for you", true},
		{"🍺", "Friday: 🍺🍺 and music", true},
		{"❤", "With ❤️ from us", true},
		{"🖕", "And 🖕🏽 to that", true},
		{"18+", "Only 18+ please", true},

		{"C", "Learn C++ in a week", false},
		{"C", "We hire for C#, remotely", false},
		{"C++", "Vitamin C is good for you", false},
		{"C#", "Vitamin C is good for you", false},
		{"C#", "C #music", false},
		{".NET", "The net result of the year", false},
		{"net", "A course in .NET for beginners", false},
		{"R", "R&D is what we do", false},
		{"18+", "118+ ideas", false},
		{"24/7", "Call 1024/7", false},
		{"🇩🇪", "🇦🇩🇪🇺", false}, // the halves of two other flags
	},
	"hidden": {
		{"politics", "poli\u00adtics", true},       // a soft hyphen
		{"politics", "p\u200bolit\u200dics", true}, // zero width
		{"politics", "poli\u200ctics", true},       //
		{"politics", "\u202epolitics\u202c", true}, // turned around
		{"politics", "pol\ufe0fi\u2060tics", true}, // a variation selector, a word joiner
		{"politics", "poli\U000e0074tics", true},   // a tag
		{"politics", "ｐｏｌｉｔｉｃｓ", true},             // full width
		{"politics", "𝐩𝐨𝐥𝐢𝐭𝐢𝐜𝐬", true},             // mathematical
		{"poli\u200btics", "Politics as usual", true},
		{"café", "Meet us in the cafe\u0301 at noon", true},
		{"cafe\u0301", "Meet us in the café at noon", true},
		{"café", "Meet us in the cafe\u200d\u0301 at noon", true},
		{"rapist", "A therapist\u200b for you", false},
	},
	"hashtags": {
		{"politics", "Read on #PoliticsToday", true},
		{"politics", "Read on #politics_today", true},
		{"politics", "Read on #politicstoday", true},
		{"politics", "Read on #POLITICSTODAY", true},
		{"politics", "Read on #todaypolitics", true},
		{"politics", "Read on #USPolitics", true},
		{"politics", "Read on ＃ＰoliticsNow", true},
		{"gun control", "Read on #guncontrol", true},
		{"gun control", "Read on #GunControlNow", true},
		{"covid", "After #Covid19", true},
		{"competitor", "See our #Competitors", true},
		{"#politics", "All of politics", true},

		{"rapist", "A #therapist for you", false},
		{"sex", "Holidays in #Sussex", false},
		{"ass", "A #classic", false},
		{"christ", "Merry #christmas", false},
		{"count", "Off to the #countryside", false},
		{"politics", "A #policy for all", false},
	},
	"German": {
		{"Straße", "NEUE STRASSE, NEUES GLÜCK", true},
		{"STRASSE", "In den Straßen der Stadt", true},
		{"Wettbewerber", "Wir sind schneller als unsere Wettbewerbern das zutrauen", true},
		{"Politik", "Das ist eine politische Frage und keine andere", true},
		{"Haus", "Die schönsten Häuser der Stadt", true},
		{"Krieg", "Nach dem Ende des Krieges", true},
		{"U\u0308bung", "Die Übungen sind für alle", true},
		{"Krieg", "Wir kriegen das für Sie hin", true}, // the stem doesn't tell the verb
		{"Bar", "Das ist ein Barhocker für die Küche", false},
		{"Rat", "Die Ratte ist ein Tier und kein Freund", false},
	},
	"French": {
		{"alcool", "L’alcool, c'est non.", true},
		{"politique", "Les questions politiques de la semaine", true},
		{"concurrent", "Nos concurrents ne font pas ça", true},
		{"cheval", "Des chevaux dans les prés", true},
		{"guerre", "Les guerres de l'eau", true},
		{"cars", "Nous le faisons car vous le voulez", false},
		{"vin", "Venez vingt fois dans la vallée", false},
		{"mer", "Merci pour vos messages, et à demain", false},
	},
	"Spanish": {
		{"enemigo", "Los enemigos de la región", true},
		{"política", "Es una cuestión política para todos", true},
		{"políticos", "La política de la ciudad", true},
		{"guerra", "Las guerras del agua", true},
		{"años", "An\u0303os de trabajo con la gente", true},
		{"ano", "Un año más con la gente", false},
		{"sol", "Una solución para todos", false},
		{"gata", "El gasto de la casa", false},
	},
	"Italian": {
		{"concorrente", "I concorrenti della nostra città", true},
		{"guerra", "Le guerre del passato", true},
		{"alcol", "Dell'alcol non si parla qui", true},
		{"arte", "Le carte sono in tavola", false},
	},
	"Portuguese": {
		{"concorrente", "Os concorrentes não fazem isso", true},
		{"guerra", "As guerras do passado", true},
		{"pão", "O pa\u0303o da nossa padaria", true},
		{"mar", "A marca que é sua", false},
	},
	"Dutch": {
		{"oorlog", "De oorlogen van het verleden", true},
		{"concurrent", "Onze concurrenten doen dat niet", true},
		{"bier", "De bibliotheek is open", false},
	},
	"Swedish": {
		{"konkurrent", "Våra konkurrenterna gör inte det", true},
		{"krig", "Efter krigen kom freden till staden", true},
		{"al", "Det är alla vi har", false},
	},
	"Finnish": {
		{"kilpailija", "Meidän kilpailijoiden mukaan se on totta", true},
		{"ydinvoima", "Ydinvoimaa vai ei?", true},
		{"kana", "Kanava on auki", false},
	},
	"Hungarian": {
		{"háború", "A háborúk után", true},
		{"versenytárs", "A versenytársaink ezt nem tudják", true},
		{"vár", "A város szép", false},
	},
	"Turkish": {
		{"kumar", "Kumarın zararları", true},
		{"siyaset", "Bu siyasetin konusu değil", true},
		{"istanbul", "İSTANBUL'DA buluşalım", true},
		{"rakı", "RAKI ve meze", true},
		{"kar", "Kararı siz verin, biz için fark etmez", false},
	},
	"Russian": {
		{"конкурент", "Наши конкуренты так не умеют", true},
		{"политика", "О политике ни слова", true},
		{"ВОЙНА", "После войны", true},
		{"ёлка", "Ставим елку", true},
		{"и\u0306од", "Йод и зелёнка", true},
		{"кот", "Который час?", false},
		{"мир", "Мария пришла", false},
	},
	"Greek": {
		{"πολιτική", "ΠΟΛΙΤΙΚΗ ΚΑΙ ΚΟΙΝΩΝΙΑ", true},
		{"πόλεμος", "Ο ΠΌΛΕΜΟΣ τελείωσε", true},
		{"πόλη", "Η πολιτική σήμερα", false},
	},
	"Arabic": {
		{"سياسة", "لا نتحدث عن السياسة هنا", true},
		{"سياسة", "الفن والسياسة", true},
		{"سياسة", "سـيـاسـة جديدة", true},
		{"حرب", "بعد الحَرْب", true},
		{"منافس", "المنافسون في السوق", true},
		{"حر", "بعد الحرب", false},
	},
	"Persian": {
		{"کتاب", "کتاب\u200cها را بخوانید", true},
		{"کتاب", "کتابخانه باز است", false},
	},
	"Hebrew": {
		{"פוליטיקה", "בלי פּוֹלִיטִיקָה היום", true},
		{"גן", "הגנה טובה", false},
	},
	"Hindi": {
		{"राजनीति", "यहाँ राजनीति की बात नहीं होती", true},
		{"राज", "यहाँ राजनीति की बात नहीं होती", false},
	},
	"Korean": {
		{"정치", "오늘은 정치를 이야기하지 않습니다", true},
		{"정치", "정치적인 문제입니다", true},
		{"정치", "#정치이야기 말고 정치에서", true},
		{"도박", "도박하는 사람", true},
		{"고기", "고기압이 다가옵니다", false},
		{"사과", "사과나무 아래 사람", false},
	},
	"Chinese": {
		{"政治", "我们今天不谈政治问题", true},
		{"政治", "我们今天不谈政 治问题", true},
		{"賭博", "請勿參與線上賭博活動。", true},
		{"AI政治", "关于AI政治的问题", true},
		{"AI", "关于AI政治的问题", true},
		{"政治", "我们今天不谈政策", false},
		{"AI政治", "关于XAI政治的问题", false},
	},
	"Japanese": {
		{"政治", "今日は政治の話をしません。", true},
		{"サッカー", "地元のサッカーチームを応援", true},
		{"ビール", "冷たいﾋﾞｰﾙをどうぞ", true},
		{"お酒", "今夜はお酒を控えます", true},
		{"バス", "バスで行こう", true},
		{"バス", "バスケットの試合", false},
		{"か", "今日は\u3055か\u3099の話", false}, // part of が
		{"ガム", "カムバック", false},
	},
	"Thai": {
		{"การเมือง", "วันนี้ไม่พูดเรื่องการเมืองกันนะ", true},
		{"เหล้า", "งดเหล้าเข้าพรรษา", true},
		{"การเมือง", "การเดินทางวันนี้", false},
		{"กิน", "ประเทศกินีอยู่ไกล", false}, // ends within a grapheme
	},
	"Lao": {
		{"ການເມືອງ", "ມື້ນີ້ບໍ່ເວົ້າເລື່ອງການເມືອງ", true},
		{"ການເມືອງ", "ການເດີນທາງ", false},
	},
	"Khmer": {
		{"នយោបាយ", "យើងមិននិយាយពីនយោបាយទេ", true},
		{"នយោបាយ", "យើងមិននិយាយទេ", false},
	},
	"without words that tell its language": {
		{"enemigo", "Enemigos feroces", true},
		{"cars", "Fast cars, fast boats", true},
		{"hat", "Hate wins never", false},
		{"kit", "Great kites! #kites", false},
	},
}

func TestFind(t *testing.T) {
	n := 0
	for language, cases := range mentions {
		for _, c := range cases {
			n++
			if i, _ := NewList([]string{c.topic}).Find(c.text); (i == 0) != c.want {
				t.Errorf("%s: %q mentions %q: %t, want %t", language, c.text, c.topic, i == 0, c.want)
			}
		}
	}
	const least = 80
	if n < least {
		t.Errorf("the table has %d cases, want %d", n, least)
	}
}

func TestFindNamesTheFirstTopicOfTheList(t *testing.T) {
	l := NewList([]string{"weather", "Politics", "politics", "政治"})
	if l.Len() != 4 {
		t.Errorf("the list has %d topics, want 4", l.Len())
	}
	if i, name := l.Find("政治 and political things"); i != 1 || name != "Politics" {
		t.Errorf("found %d, %q", i, name)
	}
	if i, name := l.Find("Nothing of that"); i != -1 || name != "" {
		t.Errorf("found %d, %q", i, name)
	}
}

// TestFindWords holds that any topic with something to be seen is found in
// a text that says it, whatever is around it and however it is written.
func TestFindWords(t *testing.T) {
	spoken := rapid.StringOfN(rapid.SampledFrom([]rune("abcéßİıxyzCДё政治サバกิ한국🍺5'-. ")), 1, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		topic := spoken.Draw(t, "topic")
		written := rapid.SampledFrom([]func(string) string{
			func(s string) string { return s },
			func(s string) string { return strings.Join(strings.Split(s, ""), "\u200b") },
			func(s string) string { return strings.ReplaceAll(s, " ", "  ") },
		}).Draw(t, "written")
		l := NewList([]string{topic})
		if first, _ := utf8.DecodeRuneInString(strings.TrimSpace(topic)); unicode.IsMark(first) || l.topics[0].literal == "" && len(l.topics[0].words) == 0 {
			return // nothing to be seen, or a mark that joins what is in front of it
		}
		text := "One, " + written(topic) + ", two"
		if i, _ := l.Find(text); i != 0 {
			t.Fatalf("%q isn't found in %q", topic, text)
		}
	})
}

// TestFindIsLinear compares texts of one make and two lengths, on lists as long
// and as unfortunate as may be.
func TestFindIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	const short, times = 4 << 10, 8
	for name, c := range map[string]struct{ topic, text string }{
		"one word over and over": {strings.Repeat("a ", 240) + "b", "a "},
		"many words":             {strings.Repeat("competitors ", 40) + "b", "competitors in politics "},
		"hashtags":               {"politicspoliticspoliticsp", "#PoliticsPolitics "},
		"one Han character":      {strings.Repeat("政", 499) + "治", "政"},
		"graphemes":              {"กิ" + strings.Repeat("ก", 400), "ก"},
		"marks":                  {"e\u0301", "\u0301"},
		"apostrophes":            {"l'alcool", "l'"},
	} {
		topics := make([]string, 100)
		for i := range topics {
			topics[i] = c.topic
		}
		l := NewList(topics)
		took := func(size int) time.Duration {
			text := strings.Repeat(c.text, size/len(c.text))
			l.Find(text)
			best := time.Hour
			for range 3 {
				best = min(best, cputime.Of(func() { l.Find(text) }))
			}
			return best
		}
		one, many := took(short), took(times*short)
		if limit := 4*times*one + 5*time.Millisecond; many > limit {
			t.Errorf("%s: %d bytes take %s, %d bytes %s", name, short, one, times*short, many)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, cases := range mentions {
		for _, c := range cases {
			f.Add(c.topic, c.text)
		}
	}
	f.Add("\xff", "a\xffb")
	f.Add("ーー", "ーーー")
	f.Fuzz(func(t *testing.T, topic, text string) {
		const budget = 2 * time.Second
		topic, text = topic[:min(len(topic), 2000)], text[:min(len(text), 20_000)]
		l := NewList([]string{topic, "politics", "政治"})
		var i int
		var name string
		if took := cputime.Of(func() { i, name = l.Find(text) }); took > budget {
			t.Errorf("%d bytes take %s", len(text), took)
		}
		if i < -1 || i > 2 || (i == -1) != (name == "") && topic != "" {
			t.Errorf("found %d, %q", i, name)
		}
		if j, _ := l.Find(text); i != j {
			t.Errorf("found %d, then %d", i, j)
		}
		if k, _ := l.Find(text + "\n\npolitics"); utf8.ValidString(text) && k == -1 {
			t.Error("more text has fewer topics")
		}
	})
}

func BenchmarkFind(b *testing.B) {
	topics := make([]string, 20)
	for i := range topics {
		topics[i] = "competitor prices " + strings.Repeat("x", i)
	}
	l := NewList(topics)
	text := strings.Repeat("Our shop has a question for you: what do you do with all the tomatoes of the year? #GardenTips ", 10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		l.Find(text)
	}
}
