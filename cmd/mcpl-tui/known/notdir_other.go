//go:build !unix

package known

// isNotDir reports whether a path leads through a file, which other systems
// tell as a path that does not exist.
func isNotDir(error) bool { return false }
