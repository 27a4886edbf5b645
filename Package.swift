// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "rlsim",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "rlsim", targets: ["rlsim"]),
    .executable(name: "rlsim-live", targets: ["rlsim-live"]),
  ],
  targets: [
    // Lua 5.4 from the system, found by pkg-config.
    .systemLibrary(name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"]), .brew(["lua"])]),
    // The only code that calls Lua functions which can raise or yield.
    .target(name: "CLuaHost", dependencies: ["CLua"]),
    // Clock, scheduler, threads, loops and what belongs to them. No Lua, no Foundation, no I/O.
    .target(name: "RunLoopEngine"),
    // Events as text and in the other formats.
    .target(name: "RunLoopTrace", dependencies: ["RunLoopEngine"]),
    // Binds the engine to the Lua host, one file a kind of script object.
    .target(name: "RunLoopScript", dependencies: ["CLuaHost", "RunLoopEngine", "RunLoopTrace"]),
    // The same script objects on the real CoreFoundation, real threads and time.
    .target(name: "RunLoopLive", dependencies: ["CLuaHost", "RunLoopScript", "RunLoopTrace", "RunLoopEngine"]),
    // What `rlsim live` becomes: a program of its own, as Foundation more than doubles the time to start.
    .executableTarget(
      name: "rlsim-live", dependencies: ["RunLoopLive"],
      linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux], configuration: .release))]),
    // Searches the interleavings of a script's threads: strategies, reduction, schedules, findings.
    .target(name: "RunLoopExplorer", dependencies: ["RunLoopScript", "RunLoopTrace", "RunLoopEngine"]),
    // The command line, one file a command. Built for use it is linked as a whole: to load and bind shared libraries
    // would take longer than all else at the start. (The last three are what FoundationEssentials, which reads JSON, is
    // made of: the compiler names them only with --static-swift-stdlib.)
    .executableTarget(
      name: "rlsim", dependencies: ["RunLoopExplorer", "RunLoopScript", "RunLoopTrace", "RunLoopEngine"],
      linkerSettings: [
        .unsafeFlags(
          [
            "-static-executable", "-use-ld=lld", "-lm", "-l_FoundationCollections", "-l_FoundationCShims",
            "-lswiftSynchronization",
          ], .when(platforms: [.linux], configuration: .release))
      ]),
    .testTarget(name: "RunLoopEngineTests", dependencies: ["RunLoopEngine"]),
    .testTarget(name: "RunLoopTraceTests", dependencies: ["RunLoopTrace"]),
    .testTarget(name: "CLuaHostTests", dependencies: ["CLuaHost"]),
    .testTarget(name: "RunLoopScriptTests", dependencies: ["RunLoopScript"]),
    .testTarget(name: "RunLoopExplorerTests", dependencies: ["RunLoopExplorer", "RunLoopScript"]),
    .testTarget(name: "RunLoopLiveTests", dependencies: ["RunLoopEngine", "rlsim", "rlsim-live"]),
    .testTarget(name: "rlsimTests", dependencies: ["rlsim"]),
  ],
  swiftLanguageModes: [.v6]
)
