package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestASavedContentIsNeverHalfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a picture.png")
	result := []byte(`{"content":[{"type":"image","data":"iVBORw0KGgo="},{"type":"image","data":"AAAA!AAA"},{"type":"text","text":"t"}]}`)
	o, ours := saveLine("save content 2 "+file, result)
	if !ours || o.OK || !strings.Contains(o.Err.Message, "is not written: what the server sent is no base64") {
		t.Errorf("%s", o.JSON())
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a part was left behind")
	}
	if o, _ = saveLine("save content 1 "+file, result); !o.OK || string(o.Result) != `{"bytes":8}` {
		t.Errorf("%s", o.JSON())
	}
	if o, _ = saveLine("save content 3 "+file, result); o.OK || !strings.Contains(o.Err.Message, "is there already") {
		t.Errorf("%s", o.JSON())
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "\x89PNG\r\n\x1a\n" {
		t.Errorf("%q %v", got, err)
	}
	for line, want := range map[string]string{
		"save x": "it is: save content N FILE", "save content 1": "it is: save", "save content one x": "no number", "save content 7 x": "has 3 items",
	} {
		if o, _ := saveLine(line, result); o.OK || !strings.Contains(o.Err.Message, want) {
			t.Errorf("%s: %s", line, o.JSON())
		}
	}
	if o, _ := saveLine("save content 1 x", nil); o.OK || !strings.Contains(o.Err.Message, "no command before it") {
		t.Errorf("%s", o.JSON())
	}
	if _, ours := saveLine("tools", nil); ours {
		t.Error("another command was taken")
	}
}
