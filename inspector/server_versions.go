package inspector

import (
	"slices"

	"github.com/mcpl-tui/mcpl-tui/session/mcpl"
	"github.com/mcpl-tui/mcpl-tui/session/wire"
	"github.com/mcpl-tui/mcpl-tui/timeline"
)

// versions are the last manifests of the session up to the board, oldest
// first, and how many came before those. One more than is told is read, for
// what the oldest is compared with.
func (s *serverTale) versions() (out []manifestVersion, earlier int) {
	const most = maxVersions + 1
	conns, _ := s.log.Conns(s.b.Index, 1<<20)
	var marks []timeline.Landmark
	for i := len(conns) - 1; i >= 0; i-- {
		a, n := s.log.Landmarks(timeline.InitAnswered, conns[i], s.b.Index, most)
		b, k := s.log.Landmarks(timeline.ManifestAnswered, conns[i], s.b.Index, most)
		earlier += n + k
		if len(marks) < most {
			marks = append(marks, a...)
			marks = append(marks, b...)
		} else {
			earlier += len(a) + len(b)
		}
	}
	slices.SortStableFunc(marks, func(a, b timeline.Landmark) int {
		if a.Index != b.Index {
			return a.Index - b.Index
		}
		return a.Message - b.Message
	})
	if cut := len(marks) - most; cut > 0 {
		earlier += cut
		marks = marks[cut:]
	}
	for _, m := range marks {
		f, h, ok := s.read(placeAt(m))
		if !ok {
			continue
		}
		v := manifestVersion{mark: m, seq: f.Seq, t: f.T}
		if v.raw, v.known = hasManifest(m, h); !v.known {
			if m.Kind == timeline.InitAnswered {
				continue // the handshake tells of it
			}
			v.failed = noManifest(h)
		}
		out = append(out, v)
	}
	return out, earlier
}

// noManifest says why an answer brought no manifest.
func noManifest(h wire.Head) string {
	if h.Kind == wire.Error {
		return errorWords(h.Error)
	}
	return "what came is no object; the one before stays in force"
}

// beforeVersion is the manifest that was in force before, nil where none is
// known.
func beforeVersion(versions []manifestVersion) *manifestVersion {
	for i := len(versions) - 1; i >= 0; i-- {
		if versions[i].known {
			return &versions[i]
		}
	}
	return nil
}

// base is the manifest that another one is compared with, whose predecessor
// is before.
func (s *serverTale) base(before *manifestVersion) *manifestVersion {
	if s.t.Against == WithBefore {
		return before
	}
	upTo := s.t.Mark
	if s.t.Against == WithFirst {
		upTo = s.b.Index
	}
	var out *manifestVersion
	conns, _ := s.log.Conns(upTo, 1<<20)
	for _, c := range conns {
		if m, ok := s.log.FirstLandmark(timeline.InitAnswered, c, upTo); ok {
			out = s.newer(out, m)
		}
		if s.t.Against == WithFirst {
			if out != nil {
				break
			}
			continue
		}
		marks, _ := s.log.Landmarks(timeline.ManifestAnswered, c, upTo, maxVersions)
		for _, m := range marks {
			out = s.newer(out, m)
		}
	}
	return out
}

// newer is the manifest that a landmark brought, where it brought one after
// another.
func (s *serverTale) newer(than *manifestVersion, m timeline.Landmark) *manifestVersion {
	f, h, ok := s.read(placeAt(m))
	raw, known := hasManifest(m, h)
	if !ok || !known || than != nil && than.mark.Index > m.Index {
		return than
	}
	return &manifestVersion{mark: m, seq: f.Seq, t: f.T, raw: raw, known: true}
}

// diff compares two manifests, member by member. The revision is left out:
// it differs whenever anything does.
func (s *serverTale) diff(before, after *manifestVersion) manifestDiff {
	key := [2]messagePlace{placeAt(before.mark), placeAt(after.mark)}
	if d, ok := s.t.diffs[key]; ok {
		return d
	}
	var d manifestDiff
	if len(before.raw) > maxRead || len(after.raw) > maxRead {
		d.lines = []Line{spans(quiet("too large to be compared"))}
		d.members = []string{"a manifest of more than " + Size(maxRead)}
	} else if before.raw != nil && after.raw != nil {
		x, inA := membersOf(before.raw)
		y, inB := membersOf(after.raw)
		for _, k := range merged(x, y) {
			a, b := inA[k], inB[k]
			if k == "revision" || (a != nil && b != nil && mcpl.SameJSON(a, b)) {
				continue
			}
			c := comparison{}
			c.value(cutBytes(k, 60), a, b, 0)
			if len(c.lines) > 0 && len(d.members) < maxListed {
				d.members = append(d.members, oneLine(cutBytes(k, 60)))
				d.lines = append(d.lines, c.lines...)
			}
		}
	}
	s.t.diffs[key] = d
	return d
}
