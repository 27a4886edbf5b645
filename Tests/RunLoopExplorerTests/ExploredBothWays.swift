import RunLoopScript

@testable import RunLoopExplorer

/// Explores a script, with or without reduction, and keeps what the two are compared by.
func explored(_ source: String, reduces: Bool, isFree: Bool = false) -> (Explorer, ExploreReport) {
  var options = ExploreOptions()
  options.settings.timeIsFree = isFree
  options.reduces = reduces
  options.keepsTraces = true
  let explorer = Explorer(ScriptOptions(source: Array(source.utf8), chunkName: "test.lua"), options) { 0 }
  return (explorer, explorer.explore())
}
