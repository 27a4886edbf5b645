/// The page around the data of `HTMLTrace`: style, elements, and the script that draws.
enum HTMLPage {
  /// Up to where the data goes, which is a JSON object.
  static let beforeData = head + "<body>\n" + elements + "<script id=\"data\" type=\"application/json\">"

  /// From there on.
  static let afterData = "</script>\n<script>\n" + HTMLPageScript.text + "</script>\n</body>\n</html>\n"

  private static let head = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline'">
    <title>rlsim trace</title>
    <style>
    * { box-sizing: border-box }
    body { margin: 0; height: 100vh; display: flex; flex-direction: column; font: 13px sans-serif; color: #111 }
    header { display: flex; gap: 8px; align-items: center; padding: 6px 10px; border-bottom: 1px solid #ccc; flex-wrap: wrap }
    header code { color: #555 }
    main { flex: 1; display: flex; min-height: 0 }
    #picture { flex: 3; position: relative; min-width: 0; overflow: hidden }
    #picture canvas { position: absolute; inset: 0; cursor: grab; outline-offset: -2px }
    #trace { flex: 2; overflow: auto; border-left: 1px solid #ccc; font: 12px/16px monospace; position: relative }
    #trace div.line { position: absolute; left: 6px; white-space: pre; height: 16px; cursor: pointer }
    #trace div.line:hover { background: #eef }
    #trace div.match { background: #fef08a }
    #trace div.fault { color: #b91c1c; font-weight: bold }
    #trace div.chosen { background: #bfdbfe }
    #tip { position: fixed; pointer-events: none; background: #111; color: #fff; padding: 3px 6px; border-radius: 3px; \
    font: 12px monospace; display: none; max-width: 60vw; white-space: pre-wrap; z-index: 2 }
    button, input { font: inherit }
    #faults { color: #b91c1c }
    </style>
    </head>

    """

  private static let elements = """
    <header>
    <strong>rlsim</strong> <code id="header"></code>
    <input id="search" type="search" placeholder="search the trace" aria-label="search the trace">
    <button id="previous" title="previous match">&#8593;</button><button id="next" title="next match">&#8595;</button>
    <span id="count"></span>
    <button id="in" title="zoom in (+)">+</button><button id="out" title="zoom out (-)">&#8722;</button>
    <button id="fit" title="show all (0)">all</button>
    <label><input id="linear" type="checkbox"> to scale</label>
    <label><input id="arrows" type="checkbox" checked> arrows</label>
    <button id="faults" hidden></button>
    <span id="omitted"></span>
    </header>
    <main>
    <div id="picture"><canvas id="canvas" tabindex="0" aria-label="lanes of the threads"></canvas></div>
    <div id="trace" tabindex="0"></div>
    </main>
    <div id="tip"></div>

    """
}
