import Testing

@testable import rlsim

@Suite struct OrderListTests {
  private static let text = """
    rlsim-orders 1 orders=2 not exhausted: the 2 schedules were run
    rlsim-trace 1 semantics=apple seed=none

    order 1
    0.000000000 main log a
    0.000000000 - end reason=returned

    order 2
    0.000000000 main fault deadlock thread=main
    0.000000000 - end reason=fault

    """

  @Test func aListThatWasReadIsWrittenAsItWas() throws {
    let list = try #require(OrderList(Array(Self.text.utf8)))
    #expect(list.state == "not exhausted: the 2 schedules were run")
    #expect(list.orders.map(\.fault) == [nil, "deadlock thread=main"])
    #expect(list.text == Self.text)
  }

  @Test func theExitCodeOfAGoldenFileBelongsToNoOrder() throws {
    let golden = Self.text.dropLast() + " exit=1\n"
    #expect(try #require(OrderList(Array(golden.utf8))).text == Self.text)
  }
}
