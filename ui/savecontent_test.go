package ui

import "testing"

// withImages is a call that is answered with a text, a picture and a link, at
// the end of a short session.
const withImages = `{"mcpl_recording":1,"id":"x","started":"2026-11-29T10:00:00.000000Z","tool":"hand","target":{"kind":"stdio","command":["s"]},"redacted":false}
{"seq":1,"t":0.1,"conn":1,"dir":"out","via":"stdio","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw"}}}
{"seq":2,"t":0.2,"conn":1,"dir":"in","via":"stdio","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a fish"},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="},{"type":"resource_link","uri":"file:///x"},{"type":"audio","data":"!"}]}}}
{"seq":3,"t":0.3,"conn":1,"dir":"err","via":"stdio","text":"later"}
`

func TestContentIsSavedDecodedFromTheResultAtOrBeforeThePlayhead(t *testing.T) {
	d := drive(t, newSource(t, []byte(withImages), 0, gobanStatus(false)), 100, 30).press("G")
	w := d.writes()
	d.press(":").typed("save content 2 fish.png").press("enter").run().sees("saved image to fish.png, 8 B")
	if got := string(w.files["fish.png"]); got != "\x89PNG\r\n\x1a\n" {
		t.Errorf("wrote %q", got)
	}
	d.press(":").typed("save content 2.1 a fish.txt").press("enter").run().sees("saved text to a fish.txt, 6 B")
	for _, c := range []struct{ line, sees string }{
		{"save content", "save content takes a number and a file"},
		{"save content 1", "save content takes a number and a file"},
		{"save content one x", "save content takes a number and a file"},
		{"save content 3 x", "content 3 holds no bytes: a link to file:///x"},
		{"save content 9 x", "frame 2: the result has no content 9; it has 4 items"},
		{"save content 3.1 x", "there is no result here that holds content"},
		{"save content 1.1 y", "saved text to y"},
		{"save content 4 x", "not saved: illegal base64"},
	} {
		d.press(":").typed(c.line).press("enter").run().sees(c.sees).press("esc")
	}
	if _, there := w.files["x"]; there {
		t.Error("a file was written all the same")
	}
	d.press(":").typed("save content ").sees("image/png, 8 B, of frame 2")
}
