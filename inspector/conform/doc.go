// Package conform judges frames by the rules of toolHints, MCPL and MCP: it
// says what a server (or, in a recording, a host) did that it must not, in a
// sentence, with the frame that shows it, what was expected and how to mend
// it.
//
// A Run owns a timeline.State and a Judge and takes frames one by one. A
// Review judges what a timeline.Log reduces, as it does so, and is asked by
// others meanwhile. The same frames give the same findings in the same order,
// live, on replay and headless: there is no clock (time comes from the frames),
// no I/O, no order of maps.
//
// What may be relied on:
//   - One cause gives one finding; a repeat of the same rule on the same thing
//     raises its Count. A finding that later frames explain is taken back.
//   - A false alarm is a defect. Rules that follow from what is missing or
//     from order are silent where the recording is not whole: a connection
//     without initialize, skipped lines, a note "lost", a cut end. Where a rev
//     was lost, and until toolsets/list has told the state again, nothing is
//     concluded from a state that is in doubt.
//   - Memory is bounded whatever a peer sends: of each rule a bounded number
//     of things is kept apart, the rest is counted.
//   - Text in a finding is a peer's word in part. It is short, but not safe
//     for a terminal: who draws it cleans it. A finding about a credential does
//     not quote it.
package conform
