package known

import (
	"path/filepath"
)

// dialect is how one program writes its servers.
type dialect struct {
	product  string
	key      string // the member that holds the servers
	comments bool   // comments and trailing commas are allowed
	// What stands for something else in a value:
	shell  bool // ${VAR} and ${VAR:-default}
	dollar bool // $VAR, too
	vars   bool // ${env:VAR}, ${workspaceFolder}, ${userHome}, …
	files  bool // ${file:/path}
	inputs bool // ${input:id}: the program asks its user
	// Where its servers stand:
	projects bool // also in a member "projects", by folder
	nested   bool // how one is reached in a member "transport" of it
	relative bool // arguments that begin with ./ are meant from the file's folder
}

var (
	claudeDesktop = dialect{product: "Claude Desktop", key: "mcpServers"}
	claudeCode    = dialect{product: "Claude Code", key: "mcpServers", shell: true}
	claudeUser    = dialect{product: "Claude Code", key: "mcpServers", shell: true, projects: true}
	cursor        = dialect{product: "Cursor", key: "mcpServers", comments: true, vars: true}
	vsCode        = dialect{product: "VS Code", key: "servers", comments: true, vars: true, inputs: true}
	windsurf      = dialect{product: "Windsurf", key: "mcpServers", vars: true, files: true}
	cline         = dialect{product: "Cline", key: "mcpServers", vars: true}
	roo           = dialect{product: "Roo Code", key: "mcpServers", vars: true}
	gemini        = dialect{product: "Gemini CLI", key: "mcpServers", comments: true, shell: true, dollar: true}
	copilot       = dialect{product: "Copilot CLI", key: "mcpServers", shell: true}
	lmStudio      = dialect{product: "LM Studio", key: "mcpServers"}
	kiro          = dialect{product: "Kiro", key: "mcpServers", shell: true}
	amazonQ       = dialect{product: "Amazon Q", key: "mcpServers"}
	bridge        = dialect{product: "MCPL bridge", key: "servers", nested: true}
	mcplHost      = dialect{product: "MCPL host", key: "mcpServers", shell: true, relative: true}
	plainFile     = dialect{product: "mcp.json", comments: true, shell: true, vars: true, inputs: true}
	anyDialect    = dialect{product: "file", comments: true, shell: true, vars: true, inputs: true, projects: true, nested: true}
)

// candidate is a file that may be there.
type candidate struct {
	dialect
	path string
	root string // the folder that the file is for, "" for one of the user
	w    World
}

// project are the files of a folder of work.
var project = []struct {
	path string
	of   dialect
}{
	{".mcp.json", claudeCode},
	{"mcp.json", plainFile},
	{".cursor/mcp.json", cursor},
	{".vscode/mcp.json", vsCode},
	{".roo/mcp.json", roo},
	{".kiro/settings/mcp.json", kiro},
	{".gemini/settings.json", gemini},
	{".mcpl-bridge.json", bridge},
	{"mcpl-servers.json", mcplHost},
	{"mcpl-servers.agent.json", mcplHost},
}

// mostAbove bounds how many folders above are looked into.
const mostAbove = 64

// candidates lists the files that may hold servers: those of the working
// directory and the folders above it, the nearest first, then the user's.
func candidates(w World) []candidate {
	var out []candidate
	add := func(path, root string, of dialect) {
		if filepath.IsAbs(path) {
			out = append(out, candidate{dialect: of, path: filepath.Clean(path), root: root, w: w})
		}
	}
	for dir, n := w.Dir, 0; filepath.IsAbs(dir) && n < mostAbove; n++ {
		if dir != w.Home { // what lies there is the user's own, below
			for _, p := range project {
				add(filepath.Join(dir, filepath.FromSlash(p.path)), dir, p.of)
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	if w.Dir == w.Home {
		for _, name := range []string{".mcp.json", "mcp.json", "mcpl-servers.json"} {
			for _, p := range project {
				if p.path == name {
					add(filepath.Join(w.Dir, name), w.Dir, p.of)
				}
			}
		}
	}
	userFiles(w, func(path string, of dialect) { add(path, "", of) })
	return out
}

// userFiles calls add for each file that holds the servers of a user.
func userFiles(w World, add func(path string, of dialect)) {
	get := func(name string) string {
		v, _ := w.Lookup(name)
		return v
	}
	home := func(path ...string) string { return filepath.Join(append([]string{w.Home}, path...)...) }
	config := configDir(w)
	under := func(path ...string) string { return filepath.Join(append([]string{config}, path...)...) }
	claude := home(".claude")
	if dir := get("CLAUDE_CONFIG_DIR"); dir != "" {
		claude = dir
		add(filepath.Join(dir, ".claude.json"), claudeUser)
	}
	add(home(".claude.json"), claudeUser)
	add(under("Claude", "claude_desktop_config.json"), claudeDesktop)
	add(home(".cursor", "mcp.json"), cursor)
	for _, name := range []string{"Code", "Code - Insiders", "VSCodium"} {
		add(under(name, "User", "mcp.json"), vsCode)
		add(under(name, "User", "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json"), cline)
		add(under(name, "User", "globalStorage", "rooveterinaryinc.roo-cline", "settings", "mcp_settings.json"), roo)
	}
	add(home(".codeium", "windsurf", "mcp_config.json"), windsurf)
	add(home(".gemini", "settings.json"), gemini)
	add(home(".copilot", "mcp-config.json"), copilot)
	add(home(".lmstudio", "mcp.json"), lmStudio)
	add(home(".kiro", "settings", "mcp.json"), kiro)
	add(home(".aws", "amazonq", "mcp.json"), amazonQ)
	add(under("mcp", "mcp.json"), plainFile)
	add(get("MCPL_BRIDGE_CONFIG"), bridge)
	add(filepath.Join(claude, "mcpl-bridge", "config.json"), bridge)
}

// configDir is where programs of this system keep what a user set up.
func configDir(w World) string {
	switch w.GOOS {
	case "darwin":
		return filepath.Join(w.Home, "Library", "Application Support")
	case "windows":
		if dir, ok := w.Lookup("APPDATA"); ok {
			return dir
		}
		return filepath.Join(w.Home, "AppData", "Roaming")
	}
	if dir, ok := w.Lookup("XDG_CONFIG_HOME"); ok && filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(w.Home, ".config")
}
