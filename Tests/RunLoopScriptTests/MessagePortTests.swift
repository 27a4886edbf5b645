import Testing

@testable import RunLoopScript

/// Message ports and the port server, seen through scripts.
@Suite struct MessagePortTests {
  private let server = """
    local server = rl.thread("server", function()
      local port
      port = rl.messagePort{ name = "upper", receive = function(id, data, p)
        rl.work(id)
        if data == "stop" then port:invalidate() end
        if data then return data:upper() end
      end }
      rl.currentLoop():addSource(port)
      rl.log(port.name, rl.currentLoop():containsPort(port), port:isValid())
      rl.currentLoop():run()
    end)
    server:start()
    rl.yield()
    local remote = rl.remotePort("upper")

    """

  @Test func requestsAndTheirReplies() {
    let run = Run(
      server + """
        rl.log(remote.name, remote:isValid(), remote == rl.remotePort("upper"))
        rl.log(remote:request(1, "hello", { replyMode = "reply" }))
        rl.log(rl.now(), remote:request(0, nil, { replyMode = "reply" }))
        rl.log(remote:request(1, "no reply"), rl.now())
        """)
    #expect(run.error == nil)
    #expect(run.logs == ["upper true true", "upper true true", "HELLO", "1.0", "nil 1.0"])
    #expect(run.lines.contains("0.000000000 main message.send upper id=1 message=hello"))
    #expect(run.lines.contains("0.000000000 server message upper id=1 message=hello"))
    #expect(run.lines.contains("1.000000000 server message.reply upper id=1"))
    #expect(run.lines.contains("1.000000000 main afterWaiting mode=reply wake=port:upper.reply"))
  }

  @Test func reasonsForNoReply() {
    let run = Run(
      server + """
        rl.log(remote:request(2, "x", { replyMode = "reply", receiveTimeout = 1 }))
        for i = 1, 5 do remote:request(0, "x") end
        rl.log(remote:request(0, "x", { sendTimeout = 0.5 }))
        rl.log(remote:request(0, "stop", { replyMode = "reply" }))
        rl.log(remote:request(0, "x"))
        rl.log(remote:isValid(), rl.remotePort("upper"))
        """)
    #expect(run.error == nil)
    #expect(
      run.logs == [
        "upper true true", "nil receiveTimeout", "nil sendTimeout", "nil becameInvalid", "nil invalid", "false nil",
      ])
    #expect(run.lines.contains("2.000000000 server message.reply upper id=2 lost=true"))
  }

  @Test func aNameIsFreeAgainWhenItsPortIsInvalid() {
    let run = Run(
      """
      rl.log(rl.remotePort("a"))
      local port = rl.messagePort{ name = "a" }
      port:invalidate()
      rl.log(rl.messagePort{ name = "a" }:isValid(), rl.messagePort{}.name)
      """)
    #expect(run.logs == ["nil", "true messagePort1"])
  }

  @Test func thePortServer() {
    let run = Run(
      """
      local port, server = rl.port{ name = "p" }, rl.portServer
      rl.log(server:lookup("P"), server:register("P", port), server:register("P", rl.port{}), server:lookup("P"))
      port:invalidate()
      rl.log(server:lookup("P"), server:register("P", port), server:register("P", rl.port{ name = "q" }))
      rl.log(server:lookup("P").name, server:remove("P"), server:remove("P"), server:lookup("P"))
      """)
    #expect(run.error == nil)
    #expect(run.logs == ["nil true false port p", "nil false true", "q true false nil"])
  }

  @Test func seededRunsKeepTheirMessages() {
    let script = server.replacing("rl.yield()", with: "rl.sleep(1)")
    let run = Run(script + "rl.log(remote:request(1, 'hello', { replyMode = 'reply' }))") { $0.configuration.seed = 3 }
    #expect(run.logs.contains("HELLO"))
    #expect(run.lines.contains("1.000000000 server message upper id=1 message=hello"))
  }
}
