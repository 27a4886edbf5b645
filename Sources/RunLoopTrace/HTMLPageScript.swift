/// The script of the page that `HTMLTrace` writes.
enum HTMLPageScript {
  static let text = data + layout + drawing + list + input

  private static let data = #"""
    'use strict';
    const D = JSON.parse(document.getElementById('data').textContent);
    const $ = id => document.getElementById(id);
    const colors = { thread: '#eef2f7', run: '#bfdbfe', pass: '#dbeafe', wait: '#e5e7eb', callout: '#86efac',
      blocked: '#fca5a5', action: '#fdba74', log: '#6b7280', stop: '#7c3aed', missed: '#d97706', fault: '#dc2626' };
    const seconds = ns => (ns / 1e9).toFixed(9);
    const n = D.times.length;
    const faults = D.marks.filter(m => m[1] === 'fault').map(m => Math.min(m[3], n - 1));
    $('header').textContent = D.header;
    if (D.omitted) $('omitted').textContent = D.omitted + ' more events are not on this page';

    """#

  /// Where events stand: in the order of the trace, with a wider step where time passes, or to scale.
  private static let layout = #"""
    const left = 110, row = 18, gap = 16, top = 40;
    const byOrder = new Float64Array(n + 1), byTime = new Float64Array(n + 1);
    for (let i = 0, x = 0; i <= n; i++) {
      const pause = i > 0 && i < n ? D.times[i] - D.times[i - 1] : 0;
      if (i > 0) x += 1 + (pause > 0 ? Math.log10(pause + 1) / 2 : 0);
      byOrder[i] = x;
      byTime[i] = D.times[Math.min(i, n - 1)] || 0;
    }
    const tops = [];
    let bottom = top;
    for (const [, depth] of D.lanes) { tops.push(bottom); bottom += Math.max(1, depth) * row + gap; }
    let position = byOrder, scale = 1, offset = 0, scrollY = 0, chosen = -1, matches = [], match = -1;
    const screen = i => left + (position[Math.min(i, n)] - offset) * scale;
    const span = () => Math.max(position[n] - position[0], 1e-9);
    function fit() { scale = (canvas.clientWidth - left - 30) / span(); offset = position[0]; draw(); }
    function zoom(factor, x) {
      const at = offset + (x - left) / scale;
      scale = Math.min(Math.max(scale * factor, 1e-12), 1e9);
      offset = at - (x - left) / scale;
      draw();
    }
    function show(i) {
      const x = screen(i);
      if (x < left + 20 || x > canvas.clientWidth - 20) offset = position[i] - (canvas.clientWidth - left) / 2 / scale;
      draw();
    }

    """#

  private static let drawing = #"""
    const canvas = $('canvas'), pen = canvas.getContext('2d');
    let boxes = [];
    function draw() {
      const width = canvas.clientWidth, height = canvas.clientHeight, ratio = window.devicePixelRatio || 1;
      canvas.width = width * ratio; canvas.height = height * ratio;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, width, height);
      pen.font = '11px sans-serif';
      boxes = [];
      const y = lane => (lane < 0 ? 24 : tops[lane] - scrollY);
      drawScale(width, height);
      for (const m of matches) line(screen(m), top - 6, screen(m), height, '#facc15');
      if (chosen >= 0) line(screen(chosen), 0, screen(chosen), height, '#2563eb');
      for (const [title, kind, lane, depth, start, end] of D.bars) {
        const a = screen(start), b = Math.max(screen(end), a + 3);
        if (b < left || a > width) continue;
        const x = Math.max(a, left), w = Math.min(b, width) - x, t = y(lane) + depth * row;
        if (w <= 0) continue;
        pen.fillStyle = colors[kind]; pen.fillRect(x, t, Math.max(w - 1, 2), row - 2);
        boxes.push([x, t, Math.max(w, 4), row - 2, start, title]);
        if (w > 30) clipped(title, x + 3, t + 12, w - 6);
      }
      if ($('arrows').checked) for (const [title, fl, fo, tl, to] of D.arrows) {
        const a = screen(fo), b = screen(to);
        if (Math.max(a, b) < left || Math.min(a, b) > width) continue;
        arrow(Math.max(a, left), y(fl) + row / 2, Math.max(b, left), y(tl) + row / 2);
        boxes.push([b - 5, y(tl) + row / 2 - 5, 10, 10, to, title]);
      }
      for (const [title, kind, lane, order] of D.marks) {
        const x = screen(order);
        if (x < left || x > width) continue;
        pen.fillStyle = colors[kind]; pen.beginPath();
        pen.arc(x, y(lane) - 4, kind === 'fault' ? 5 : 3, 0, 7); pen.fill();
        boxes.push([x - 5, y(lane) - 9, 10, 10, Math.min(order, n - 1), title]);
      }
      pen.fillStyle = '#fff'; pen.fillRect(0, top - 10, left - 2, height);
      pen.fillStyle = '#111'; pen.font = 'bold 12px sans-serif';
      D.lanes.forEach(([name], lane) => clipped(name, 6, y(lane) + 12, left - 12));
    }
    function drawScale(width, height) {
      pen.fillStyle = '#fff';
      let last = -1e9;
      for (let x = left; x < width; x += 10) {
        const i = lowerBound(offset + (x - left) / scale);
        if (i >= n) break;
        const at = screen(i);
        if (at - last < 100 || at < left) continue;
        last = at;
        line(at, 16, at, height, '#e5e7eb');
        pen.fillStyle = '#555'; pen.fillText(seconds(D.times[i]), at + 2, 12);
      }
    }
    function lowerBound(value) {
      let a = 0, b = n;
      while (a < b) { const m = (a + b) >> 1; if (position[m] < value) a = m + 1; else b = m; }
      return a;
    }
    function line(a, b, c, d, color) {
      pen.strokeStyle = color; pen.beginPath(); pen.moveTo(a, b); pen.lineTo(c, d); pen.stroke();
    }
    function arrow(a, b, c, d) {
      line(a, b, c, d, '#c2410c');
      const angle = Math.atan2(d - b, c - a);
      pen.fillStyle = '#c2410c'; pen.beginPath(); pen.moveTo(c, d);
      for (const turn of [2.7, -2.7]) pen.lineTo(c + 7 * Math.cos(angle + turn), d + 7 * Math.sin(angle + turn));
      pen.fill();
    }
    function clipped(text, x, y, width) {
      pen.fillStyle = '#111';
      let shown = text;
      while (shown && pen.measureText(shown).width > width) shown = shown.slice(0, Math.floor(shown.length * 0.8));
      pen.fillText(shown, x, y);
    }

    """#

  private static let list = #"""
    const trace = $('trace'), lineHeight = 16, faultLines = new Set(faults), matchLines = new Set();
    const spacer = document.createElement('div');
    // A browser's elements have a greatest height: beyond it the list is scrolled in larger steps.
    const full = n * lineHeight, tall = Math.min(full, 8e6);
    spacer.style.height = tall + 'px';
    trace.append(spacer);
    let drawn = [];
    function first() {
      const room = tall - trace.clientHeight;
      return room > 0 ? trace.scrollTop / room * (full - trace.clientHeight) / lineHeight : 0;
    }
    function drawList() {
      for (const element of drawn) element.remove();
      drawn = [];
      const start = first(), from = Math.floor(start);
      for (let i = from; i < Math.min(n, from + trace.clientHeight / lineHeight + 2); i++) {
        const element = document.createElement('div');
        element.className = 'line' + (matchLines.has(i) ? ' match' : '') + (faultLines.has(i) ? ' fault' : '')
          + (i === chosen ? ' chosen' : '');
        element.textContent = D.lines[i];
        element.style.top = trace.scrollTop + (i - start) * lineHeight + 'px';
        element.onclick = () => choose(i, false);
        trace.append(element);
        drawn.push(element);
      }
    }
    function choose(i, scrolls) {
      chosen = i;
      if (scrolls) {
        const target = i * lineHeight - trace.clientHeight / 2, room = full - trace.clientHeight;
        trace.scrollTop = room > 0 ? target / room * (tall - trace.clientHeight) : 0;
      }
      show(i); drawList();
    }
    trace.onscroll = drawList;

    """#

  private static let input = #"""
    function search() {
      const wanted = $('search').value.toLowerCase();
      matches = []; match = -1; matchLines.clear();
      if (wanted) for (let i = 0; i < n; i++) if (D.lines[i].toLowerCase().includes(wanted)) { matches.push(i); matchLines.add(i); }
      $('count').textContent = wanted ? matches.length + ' found' : '';
      draw(); drawList();
    }
    function step(by) {
      if (!matches.length) return;
      match = match < 0 ? (by > 0 ? 0 : matches.length - 1) : (match + by + matches.length) % matches.length;
      $('count').textContent = (match + 1) + ' of ' + matches.length;
      choose(matches[match], true);
    }
    $('search').oninput = search;
    $('search').onkeydown = event => { if (event.key === 'Enter') step(event.shiftKey ? -1 : 1); };
    $('next').onclick = () => step(1);
    $('previous').onclick = () => step(-1);
    const middle = () => left + (canvas.clientWidth - left) / 2;
    $('in').onclick = () => zoom(1.5, middle());
    $('out').onclick = () => zoom(1 / 1.5, middle());
    $('fit').onclick = fit;
    $('linear').onchange = () => { position = $('linear').checked ? byTime : byOrder; fit(); };
    $('arrows').onchange = draw;
    if (faults.length) {
      let next = 0;
      $('faults').hidden = false;
      $('faults').textContent = faults.length + (faults.length > 1 ? ' fault lines' : ' fault line');
      $('faults').onclick = () => choose(faults[next++ % faults.length], true);
    }
    canvas.onwheel = event => {
      event.preventDefault();
      if (event.shiftKey) offset += (event.deltaY || event.deltaX) / scale;
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) offset += event.deltaX / scale;
      else return zoom(Math.exp(-event.deltaY / 300), event.offsetX);
      draw();
    };
    let dragged = null;
    canvas.onpointerdown = event => {
      dragged = { x: event.clientX, y: event.clientY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    };
    canvas.onpointermove = event => {
      if (dragged) {
        const dx = event.clientX - dragged.x, dy = event.clientY - dragged.y;
        if (Math.abs(dx) + Math.abs(dy) > 3) dragged.moved = true;
        if (!dragged.moved) return;
        offset -= dx / scale;
        scrollY = Math.max(0, Math.min(scrollY - dy, Math.max(0, bottom - canvas.clientHeight)));
        dragged.x = event.clientX; dragged.y = event.clientY;
        draw();
        return;
      }
      const box = hit(event), tip = $('tip');
      tip.style.display = box ? 'block' : 'none';
      if (!box) return;
      tip.textContent = box[5] + '\n' + (D.lines[box[4]] || '');
      tip.style.left = Math.min(event.clientX + 12, innerWidth - 300) + 'px';
      tip.style.top = event.clientY + 14 + 'px';
    };
    canvas.onpointerup = event => {
      const box = dragged && !dragged.moved && hit(event);
      dragged = null;
      if (box) choose(box[4], true);
    };
    canvas.onpointerleave = () => { $('tip').style.display = 'none'; };
    function hit(event) {
      for (let i = boxes.length - 1; i >= 0; i--) {
        const [x, y, w, h] = boxes[i];
        if (event.offsetX >= x && event.offsetX <= x + w && event.offsetY >= y && event.offsetY <= y + h) return boxes[i];
      }
      return null;
    }
    canvas.onkeydown = event => {
      const steps = { ArrowLeft: -80, ArrowRight: 80 };
      if (event.key in steps) { offset += steps[event.key] / scale; draw(); }
      else if (event.key === '+' || event.key === '=') zoom(1.5, middle());
      else if (event.key === '-') zoom(1 / 1.5, middle());
      else if (event.key === '0') fit();
    };
    window.onresize = () => { draw(); drawList(); };
    canvas.style.width = canvas.style.height = '100%';
    fit(); drawList();
    if (faults.length) choose(faults[0], true);

    """#
}
