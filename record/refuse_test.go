package record

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func tarOf(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "x", Mode: 0o600, Size: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	return b.String()
}

// Whatever is no recording is refused in one line that says what it looks
// like instead.
func TestAFileThatIsNoRecordingIsRefusedWithWhatItLooksLike(t *testing.T) {
	rpc := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for name, c := range map[string][2]string{
		"empty":              {"", "it is empty"},
		"blank":              {" \n\n\t\n", "it is blank"},
		"PNG":                {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a PNG picture"},
		"ELF":                {"\x7fELF\x02\x01\x01\x00" + strings.Repeat("\x00", 500), "a program (ELF)"},
		"zip":                {"PK\x03\x04\x14\x00", "a zip archive"},
		"tar":                {tarOf(t), "a tar archive"},
		"gzip of text":       {gz(t, "hello\n"), `gzip-packed: plain text that begins "hello"`},
		"zstd of nothing":    {zst(t, ""), "zstd-packed: empty"},
		"gzip of gzip":       {gz(t, gz(t, headerLine)), "gzip once more"},
		"UTF-16":             {"\xff\xfe{\x00\"\x00m\x00", "UTF-16"},
		"binary":             {"\x00\x01\x02\x03" + strings.Repeat("\xff", 100), "binary data"},
		"latin-1":            {"caf\xe9 au lait\n", "binary data"},
		"text":               {"Dear all,\nhello \x1b[31m\n", `plain text that begins "Dear all,"`},
		"text with escapes":  {"\x1b]0;x\x07evil\n", `begins "\x1b]0;x\aevil"`},
		"MZ in words":        {"MZ is a song\n", `plain text that begins "MZ is a song"`},
		"HTML":               {"<!doctype html>\n<p>", "HTML or XML"},
		"JSON-RPC lines":     {rpc + "\n" + rpc + "\n", "bare JSON-RPC messages, one a line"},
		"one JSON-RPC":       {rpc, "one JSON-RPC message"},
		"JSON lines":         {"{\"level\":\"info\",\"msg\":\"x\"}\n{}\n", `JSON lines of another kind with the members "level", "msg"`},
		"lines of numbers":   {"1\n2\n", "plain text"},
		"lines of arrays":    {"[1]\n[2]\n", "JSON lines of another kind, not objects"},
		"configuration":      {"{\n \"mcpServers\": {}\n}\n", "a client's configuration (mcpServers)"},
		"HAR":                {"{\"log\":{\"version\":\"1.2\",\"entries\":[]}}", "a HAR file"},
		"document":           {"{\n \"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4, \"e\": 5\n}", `one JSON document with the members "a", "b", "c", "d", …`},
		"array":              {"[\n {\"a\":1}\n]\n", "a JSON array"},
		"like JSON":          {"{this is\nnot JSON}\n", "text that begins like JSON, but is none"},
		"cut in its header":  {headerLine[:60], "cut off in its first line"},
		"frames of no frame": {"{\"dir\":\"in\",\"text\":\"x\"}\n{}\n", "JSON lines of another kind"},
		"a string":           {`"hello"`, "one JSON value"},
		"a very long line":   {"{\"a\":\"" + strings.Repeat("x", 17<<20), "a JSON document, or its beginning"},
		"a very long text":   {strings.Repeat("x", 1<<20), "plain text that begins"},
	} {
		t.Run(name, func(t *testing.T) {
			path := fileOf(t, c[0])
			_, err := Open(path)
			if !errors.Is(err, ErrNotRecording) || !strings.Contains(err.Error(), c[1]) {
				t.Fatalf("error %v, want … %s …", err, c[1])
			}
			if s := err.Error(); strings.ContainsAny(s, "\n\x1b") || !strings.HasPrefix(s, path) || len(s) > len(path)+250 {
				t.Errorf("not one plain line: %q", s)
			}
			noGoroutines(t)
		})
	}
}

func TestWhatCannotBeOpenedIsNamed(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); !errors.Is(err, ErrNotRecording) || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	for name, bytes := range map[string]string{"gzip": "\x1f\x8b\x08", "zstd": "\x28\xb5\x2f\xfd\xff\xff"} {
		if _, err := Open(fileOf(t, bytes)); err == nil || !strings.Contains(err.Error(), "begins like "+name+", but cannot be unpacked") {
			t.Errorf("%s: %v", name, err)
		}
	}
	noGoroutines(t)
}
