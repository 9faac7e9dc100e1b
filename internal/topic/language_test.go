package topic

import "testing"

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"Grüße aus Köln: wir öffnen die Türen für Sie und Ihre Familie.":     "de",
		"Abrimos todos los días, y este viernes hay una lectura para todos.": "es",
		"Nous réparons des vélos et nous sommes ouverts le samedi.":          "fr",
		"Our doors are open to you on Saturday, and there is cake.":          "en",
		"京都で豆腐を作っています。":                                                      "ja", "오늘은 축제입니다": "ko", "วันนี้เปิดร้าน": "th", "Καλημέρα σε όλους": "el", "שלום לכולם": "he",
		// In doubt.
		"": "", "Nachhaltigkeit": "", "SEO 2.0": "", "我们今天开门": "", "Мы открылись": "", "مرحبا": "", "🎉🎉": "", "https://example.com": "",
		"Neu: iPhone": "", "Kaffee & Kuchen": "",
	} {
		if got := Language(text); got != want {
			t.Errorf("%q is in %q, want %q", text, got, want)
		}
	}
}
