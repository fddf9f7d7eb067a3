package mcpl

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf16"

	"github.com/gowebpki/jcs"
)

// Digest returns the revision that a manifest ought to carry: "sha256:" and
// the base64url of the SHA-256 of the canonical form (RFC 8785) of the
// manifest without its own revision. featureSets.*.uses, coreTags and
// tagOntology.tags.*.implies count as sets: they are sorted and deduplicated
// first, where they are arrays of strings only (mcpl-host.md, "Manifest").
func Digest(manifest []byte) (string, error) {
	root, err := object(manifest)
	if err != nil {
		return "", fmt.Errorf("read the manifest: %w", err)
	}
	delete(root, "revision")
	if err := normalise(root); err != nil {
		return "", err
	}
	plain, err := json.Marshal(root)
	if err != nil {
		return "", fmt.Errorf("write the manifest: %w", err)
	}
	canonical, err := jcs.Transform(plain)
	if err != nil {
		return "", fmt.Errorf("bring the manifest into canonical form: %w", err)
	}
	sum := sha256.Sum256(canonical)
	return "sha256:" + base64.RawURLEncoding.EncodeToString(sum[:]), nil
}

type members = map[string]json.RawMessage

func object(raw []byte) (members, error) {
	var m members
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	if m == nil {
		return nil, fmt.Errorf("null is no object")
	}
	return m, nil
}

func normalise(root members) error {
	sortSet(root, "coreTags")
	if err := sortEach(root, "featureSets", "uses"); err != nil {
		return err
	}
	ontology, err := object(root["tagOntology"])
	if err != nil {
		return nil // absent, or no object: it stays as it is
	}
	if err := sortEach(ontology, "tags", "implies"); err != nil {
		return err
	}
	return put(root, "tagOntology", ontology)
}

// sortEach sorts the set `key` of every member of the object at parent[name].
func sortEach(parent members, name, key string) error {
	each, err := object(parent[name])
	if err != nil {
		return nil // absent, or no object: it stays as it is
	}
	for k, raw := range each {
		one, err := object(raw)
		if err != nil {
			continue
		}
		sortSet(one, key)
		if err := put(each, k, one); err != nil {
			return err
		}
	}
	return put(parent, name, each)
}

func put(parent members, key string, value members) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write the manifest's %s: %w", key, err)
	}
	parent[key] = raw
	return nil
}

func sortSet(parent members, key string) {
	var elements []any
	if json.Unmarshal(parent[key], &elements) != nil || elements == nil {
		return
	}
	words := make([]string, len(elements))
	for i, e := range elements {
		word, ok := e.(string)
		if !ok {
			return
		}
		words[i] = word
	}
	slices.SortFunc(words, compareUTF16)
	if raw, err := json.Marshal(slices.Compact(words)); err == nil {
		parent[key] = raw
	}
}

// compareUTF16 orders as RFC 8785 orders names: by UTF-16 code units.
func compareUTF16(a, b string) int {
	return slices.CompareFunc(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)), cmp.Compare[uint16])
}
