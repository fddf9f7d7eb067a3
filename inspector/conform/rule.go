package conform

import (
	"fmt"
	"slices"
)

// Level says how much a finding matters.
type Level uint8

// The levels.
const (
	Info    Level = iota + 1 // worth knowing
	Warning                  // risks harm, or is ambiguous
	Error                    // breaks a rule
)

var levelNames = [...]string{Info: "info", Warning: "warning", Error: "error"}

// String returns the level's word: info, warning or error.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return ""
}

// MarshalText writes the level as its word.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the level's word.
func (l *Level) UnmarshalText(text []byte) error {
	i := slices.Index(levelNames[:], string(text))
	if i < int(Info) {
		return fmt.Errorf("there is no level %q: info, warning, error", text)
	}
	*l = Level(i)
	return nil
}

// Chapter is a part of the rules, as findings are grouped by.
type Chapter string

// The chapters, in their order.
const (
	Revs     Chapter = "REVS"
	Hints    Chapter = "HINTS"
	Lists    Chapter = "LISTS"
	Toolsets Chapter = "TOOLSETS"
	Pushes   Chapter = "PUSHES"
	RPC      Chapter = "RPC"
	Cost     Chapter = "COST"
)

// Chapters returns the chapters in their order.
func Chapters() []Chapter { return []Chapter{Revs, Hints, Lists, Toolsets, Pushes, RPC, Cost} }

// Rule is one thing that findings come from. IDs are stable.
type Rule struct {
	ID      string
	Level   Level // the usual one
	Chapter Chapter
	Meaning string // what is asked for, in a sentence
	Also    string // when the level is another one, "" for never
	Source  string // where it is said
	Mend    string // how to mend it, in general

	// whole: it follows from what is missing, or from order, so that it says
	// nothing where frames are missing.
	whole bool
	// perConn: the same on another connection is another finding.
	perConn bool
	order   int
}

var chapterRules = []struct {
	chapter Chapter
	rules   []*Rule
}{
	{Revs, revRules},
	{Hints, hintRules},
	{Lists, listRules},
	{Toolsets, toolsetRules},
	{Pushes, pushRules},
	{RPC, rpcRules},
	{Cost, costRules},
}

var (
	table []*Rule
	byID  = map[string]*Rule{}
)

func init() {
	for _, c := range chapterRules {
		for _, r := range c.rules {
			r.Chapter, r.order = c.chapter, len(table)
			table = append(table, r)
			byID[r.ID] = r
		}
	}
}

// Rules returns all rules, by chapter and in the order of the chapter.
func Rules() []Rule {
	out := make([]Rule, len(table))
	for i, r := range table {
		out[i] = *r
	}
	return out
}

// RuleByID returns the rule with that id.
func RuleByID(id string) (Rule, bool) {
	if r := byID[id]; r != nil {
		return *r, true
	}
	return Rule{}, false
}
