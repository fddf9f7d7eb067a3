// Package schema reads the JSON Schemas of a peer and checks values by them:
// arguments by a tool's inputSchema, results by its outputSchema.
//
// A schema is data of a peer. It opens no file and no connection, and it
// cannot make a check take long: what is too large, too deep, or asks for too
// many steps is not judged, and the Fault says why.
package schema

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is a schema of a peer, ready to check values.
type Schema struct {
	checker *jsonschema.Schema
	doc     any
	fault   *Fault
}

// Fault is why a schema, or a value, is not judged.
type Fault struct {
	Invalid bool                        // it is no schema; else it is beyond what is judged
	At      *jsonschema.ValidationError // what is wrong with it, or nil
	Text    string                      // the same, in words
}

// Error is the fault in words.
func (f *Fault) Error() string { return f.Text }

func beyond(err error) *Fault { return &Fault{Text: err.Error()} }

const address = "peer:///schema.json"

// closed refuses to load anything: a schema of a peer opens no file and no
// connection.
type closed struct{}

func (closed) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not fetched", url) }

// Compile makes a schema ready. One without $schema may be of draft 2020-12,
// as MCP has it, or of draft-07, as many libraries write it.
func Compile(raw []byte) (s *Schema) {
	if err := bounds(raw); err != nil {
		return &Schema{fault: beyond(err)}
	}
	defer func() {
		if recover() != nil { // a fault of the validator says nothing of the schema
			s = &Schema{fault: beyond(errors.New("it cannot be read"))}
		}
	}()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return &Schema{fault: beyond(err)}
	}
	s = &Schema{doc: doc}
	if s.checker, err = compileAs(doc, jsonschema.Draft2020); err == nil {
		return s
	}
	if m, ok := doc.(map[string]any); ok && m["$schema"] == nil {
		var older error
		if s.checker, older = compileAs(doc, jsonschema.Draft7); older == nil {
			return s
		}
	}
	s.checker, s.fault = nil, faultOf(err)
	var lost *jsonschema.JSONPointerNotFoundError
	if errors.As(err, &lost) {
		if ref := firstLost(doc); ref != "" {
			s.fault.Text = (&jsonschema.JSONPointerNotFoundError{URL: ref}).Error()
		}
	}
	return s
}

func compileAs(doc any, draft *jsonschema.Draft) (*jsonschema.Schema, error) {
	comp := jsonschema.NewCompiler()
	comp.UseLoader(closed{})
	comp.DefaultDraft(draft)
	comp.UseRegexpEngine(ecma)
	for _, name := range formats {
		comp.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	if err := comp.AddResource(address, doc); err != nil {
		return nil, err
	}
	return comp.Compile(address)
}

// formats are no assertions here: drafts differ in it, and so do validators in
// what they take for a date.
var formats = []string{
	"date-time", "date", "time", "duration", "period", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference",
	"iri", "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer", "semver",
}

// faultOf says why a schema is none. That nothing is loaded is no fault of
// the schema.
func faultOf(err error) *Fault {
	var load *jsonschema.LoadURLError
	var draft *jsonschema.UnsupportedDraftError
	var vocabulary *jsonschema.UnsupportedVocabularyError
	var cycle *jsonschema.MetaSchemaCycleError
	var scheme *jsonschema.UnsupportedURLSchemeError
	text, _, _ := strings.Cut(err.Error(), "\n")
	f := &Fault{Text: strings.ReplaceAll(text, address, "")}
	f.Invalid = !errors.As(err, &load) && !errors.As(err, &draft) && !errors.As(err, &vocabulary) && !errors.As(err, &cycle) && !errors.As(err, &scheme)
	var invalid *jsonschema.SchemaValidationError
	var at *jsonschema.ValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &at) {
		inOrder(at)
		f.At = at
	}
	return f
}

// Fault returns why the schema judges nothing, nil where it judges.
func (s *Schema) Fault() *Fault { return s.fault }

// Check checks a value. breaks is what is wrong with it, nil where nothing is
// or where it was not checked; fault is why it was not.
func (s *Schema) Check(raw []byte) (breaks *jsonschema.ValidationError, fault *Fault) {
	if s.fault != nil {
		return nil, s.fault
	}
	if err := valueBounds(raw); err != nil {
		return nil, beyond(err)
	}
	defer func() {
		if recover() != nil {
			breaks, fault = nil, beyond(errors.New("the schema cannot be applied to it"))
		}
	}()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, beyond(errors.New("it is no JSON"))
	}
	if !(&cost{root: s.doc, left: maxVisits}).fits(v) {
		return nil, beyond(errTooMuch)
	}
	if err = s.checker.Validate(v); err == nil {
		return nil, nil
	}
	if errors.As(err, &breaks) {
		inOrder(breaks)
		return breaks, nil
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return nil, beyond(errors.New(text))
}
