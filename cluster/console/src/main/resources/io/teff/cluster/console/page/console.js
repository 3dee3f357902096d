"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const PAGES = ["overview", "zones", "timeline", "charts", "node", "data"];
  const ROWS_MAX = 500;
  const CHANGES_SHOWN = 200;
  const CHART_MS = 10000;
  const LOG_MS = 5000;
  let state = null;
  let nid = 0;
  let page = "overview";
  let timer = 0;

  // ---- small tools ----

  function make(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) {
      made.textContent = text;
    }
    if (className) {
      made.className = className;
    }
    return made;
  }

  function cell(row, content, className) {
    const made = make("td", undefined, className);
    made.append(content === null || content === undefined ? "–" : content);
    row.append(made);
    return made;
  }

  function bytes(value) {
    if (value === null || value === undefined) {
      return "–";
    }
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    let shown = value;
    while (shown >= 1024 && unit < units.length - 1) {
      shown /= 1024;
      unit++;
    }
    return (unit === 0 || shown >= 100 ? Math.round(shown) : shown.toFixed(1)) + " " + units[unit];
  }

  function count(value) {
    return value === null || value === undefined ? "–" : Math.round(value).toLocaleString();
  }

  function rate(value) {
    return value === null ? "–" : (value >= 100 ? count(value) : value.toFixed(1)) + "/s";
  }

  function time(seconds) {
    if (seconds === null) {
      return "–";
    }
    return seconds < 1e-3 ? Math.round(seconds * 1e6) + " µs" : seconds < 1 ? (seconds * 1e3).toFixed(1) + " ms"
      : seconds.toFixed(1) + " s";
  }

  function duration(ms) {
    const minutes = Math.floor(ms / 60000);
    return minutes < 1 ? Math.round(ms / 1000) + " s" : minutes < 120 ? minutes + " min"
      : minutes < 2880 ? Math.floor(minutes / 60) + " h" : Math.floor(minutes / 1440) + " days";
  }

  function percent(part, whole) {
    return whole > 0 && part !== undefined ? Math.round(part * 100 / whole) + " %" : "–";
  }

  function stamp(ms) {
    const made = make("time", new Date(ms).toLocaleTimeString());
    made.dateTime = new Date(ms).toISOString();
    return made;
  }

  function nodeOf(number) {
    return state.nodes.find((node) => node.nid === number);
  }

  function nodeLink(number) {
    const node = nodeOf(number);
    const link = make("a", node ? node.name : "node " + number);
    link.href = "#node-" + number;
    return link;
  }

  function nodeLinks(numbers) {
    const all = document.createDocumentFragment();
    numbers.forEach((number, i) => all.append(i === 0 ? "" : ", ", nodeLink(number)));
    return numbers.length === 0 ? "none" : all;
  }

  async function ask(path) {
    const answer = await fetch(path, {headers: {Accept: "application/json"}});
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(text.trim() || "the console answers " + answer.status);
    }
    return JSON.parse(text);
  }

  // ---- overview ----

  function isServed(zone) {
    return zone.state === "open" || zone.state === "full";
  }

  function tile(label, value) {
    const made = make("li");
    made.append(make("span", value, "value"), make("span", label, "label"));
    return made;
  }

  function showSummary() {
    const urgent = state.alerts.filter((alert) => alert.urgent).length;
    const text = !state.answering ? "no superpeer answers"
      : urgent > 0 ? urgent + (urgent === 1 ? " urgent alert" : " urgent alerts")
        : state.alerts.length > 0 ? state.alerts.length + (state.alerts.length === 1 ? " alert" : " alerts") : "all is well";
    const summary = $("summary");
    if (summary.textContent !== text) {                    // else a screen reader repeats it every two seconds
      summary.textContent = text;
    }
    summary.classList.toggle("bad", urgent > 0 || !state.answering);
    $("cluster").textContent = state.name || "cluster " + state.id.slice(0, 8);
    document.title = (urgent > 0 ? "(!) " : "") + "Teff " + (state.name || "cluster");
  }

  function showTiles() {
    const alive = state.nodes.filter((node) => node.alive);
    const served = state.zones.filter(isServed).length;
    const sum = state.sum;
    $("tiles").replaceChildren(
      tile("superpeers answer", alive.filter((node) => node.role === "superpeer" && node.answers).length + " of "
        + alive.filter((node) => node.role === "superpeer").length),
      tile("peers answer", alive.filter((node) => node.role === "peer" && node.answers).length + " of "
        + state.nodes.filter((node) => node.role === "peer").length),
      tile("zones served", served + " of " + state.zones.length),
      tile("chunks", count(sum["store.chunks"])),
      tile("bytes of chunks", bytes(sum["store.payload"])),
      tile("stores used", percent(sum["store.used"], sum["store.max"])),
      tile("clients", count(sum.clients)),
      tile("changes behind", count(sum["changes.behind"])));
  }

  let alertsShown = "";

  function showAlerts() {
    const key = JSON.stringify(state.alerts);
    if (key === alertsShown) {
      return;
    }
    alertsShown = key;
    $("alerts").replaceChildren(...(state.alerts.length === 0 ? [make("li", "No alerts.", "none")]
      : state.alerts.slice(0, ROWS_MAX).map((alert) => {
        const made = make("li", undefined, alert.urgent ? "urgent" : "");
        made.append(make("span", alert.urgent ? alert.kind + " (urgent)" : alert.kind, "kind"), alert.text);
        return made;
      })));
  }

  function nodeState(node) {
    const text = !node.alive ? "expired" : !node.answers ? "silent" : node.leading ? "leads"
      : node.role === "peer" && !node.lease ? "no lease" : "up";
    return make("span", text, "state " + (text === "up" || text === "leads" ? "good" : text === "expired" ? "warn" : "bad"));
  }

  function showNodes() {
    $("roll-line").hidden = !state.actions;
    const table = $("nodes");
    const machines = new Map();
    state.nodes.forEach((node) => machines.set(node.machine, [...(machines.get(node.machine) || []), node]));
    table.querySelectorAll("tbody").forEach((body) => body.remove());
    machines.forEach((nodes, machine) => {
      const body = make("tbody");
      const head = make("tr", undefined, "machine");
      const name = make("th", machine || "no address");
      name.colSpan = 9;
      name.scope = "rowgroup";
      head.append(name);
      body.append(head);
      nodes.forEach((node) => {
        const row = make("tr");
        const figures = node.figures || {};
        const first = make("th");
        first.scope = "row";
        first.append(nodeLink(node.nid));
        row.append(first);
        cell(row, nodeState(node));
        cell(row, node.role === "peer" ? count(node.owned) : "–", "number");
        cell(row, node.role === "peer" ? count(node.copies) : "–", "number");
        cell(row, count(figures["store.chunks"]), "number");
        cell(row, percent(figures["store.used"], figures["store.max"]), "number");
        cell(row, percent(figures["disk.free"], figures["disk.size"]), "number");
        cell(row, figures["machine.load"] === undefined ? "–" : Math.round(figures["machine.load"] / 10) + " %", "number");
        cell(row, node.address);
        body.append(row);
      });
      table.append(body);
    });
  }

  // ---- zones ----

  function zoneClass(zone) {
    return zone.state === "lost" || zone.waiting ? "bad"
      : !isServed(zone) || zone.backups.length === 0 ? "warn" : "good";
  }

  function showZones() {
    const most = Math.max(0, ...state.zones.map((zone) => zone.backups.length));
    const isCare = $("zone-filter").value === "care";
    const zones = state.zones.filter((zone) => !isCare || zoneClass(zone) !== "good" || zone.backups.length < most);
    $("zone-count").textContent = zones.length > ROWS_MAX ? "the first " + ROWS_MAX + " of " + zones.length
      : zones.length + " of " + state.zones.length;
    const focus = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.zone : undefined;
    $("zone-table").tBodies[0].replaceChildren(...zones.slice(0, ROWS_MAX).map((zone) => {
      const row = make("tr");
      const head = make("th", zone.zone);
      head.scope = "row";
      row.append(head);
      cell(row, make("span", zone.state + (zone.waiting && zone.state !== "waiting" ? ", changes wait" : ""),
        "state " + zoneClass(zone)));
      cell(row, zone.owner === null ? "none" : nodeLink(zone.owner));
      cell(row, nodeLinks(zone.backups));
      cell(row, nodeLinks([...new Set([...zone.kept, ...zone.outdated])]));
      cell(row, count(zone.chunks), "number");
      cell(row, bytes(zone.bytes), "number");
      cell(row, zone.epoch, "number");
      const note = cell(row, zone.obstacle || "", "wide");
      if (zone.waiting && state.actions) {
        const button = make("button", "Accept the loss…", "danger");
        button.dataset.zone = zone.zone;
        button.addEventListener("click", () => beginAccept(zone));
        note.append(" ", button);
      }
      return row;
    }));
    if (focus) {
      const again = $("zone-table").querySelector(`[data-zone="${focus}"]`);
      if (again) {
        again.focus();
      }
    }
  }

  // ---- actions ----

  let accepted = null;

  function begin(head, button, words, body) {
    accepted = body;
    $("head-accept").textContent = head;
    $("accept-button").textContent = button;
    $("accept-words").textContent = words;
    $("accept-choice").hidden = body.zone === undefined;
    $("confirm").value = "";
    $("accept-result").textContent = "";
    $("accept").showModal();
  }

  function beginDrain(action) {
    $("accept-copy").replaceChildren();
    $("accept-text").textContent = action === "drain"
      ? "All zones and copies of the node move to other nodes. Afterwards the node can be ended without a recovery."
      : "The node takes zones and copies again.";
    begin((action === "drain" ? "Drain node " : "Take zones again at node ") + nid,
      action === "drain" ? "Drain" : "Take zones again", action + " node " + nid, {action: action, nid: Number(nid)});
  }

  function beginRestart() {
    $("accept-copy").replaceChildren();
    $("accept-text").textContent = "The node ends in order, and its manager starts the node again. Other nodes serve its zones"
      + " meanwhile. The timeline shows each step.";
    begin("Restart node " + nid, "Restart", "restart node " + nid, {action: "restart", nid: Number(nid)});
  }

  function beginRoll() {
    $("accept-copy").replaceChildren();
    $("accept-text").textContent = "All nodes restart, one at a time: peers, superpeers, the node of this console. The next node"
      + " waits until all zones are served and have as many backups as before. The timeline shows each step.";
    begin("Restart all nodes", "Restart all nodes", "roll all nodes", {action: "roll"});
  }

  function beginAccept(zone) {
    $("accept-text").textContent = zone.state === "waiting"
      ? "The copies for which the zone waits are given up for good. Later changes than those of the chosen copy are lost."
      : "The changes go on without a backup. Until the zone has a new backup, the end of its owner loses these changes.";
    const none = make("option", "the copies of nodes that run");
    none.value = "";
    $("accept-copy").replaceChildren(none, ...zone.outdated.map((number) => {
      const option = make("option", "the older copy of " + (nodeOf(number) ? nodeOf(number).name : "node " + number));
      option.value = number;
      return option;
    }));
    begin("Accept the loss of zone " + zone.zone, "Accept the loss", "accept loss of zone " + zone.zone,
      {action: "accept-loss", zone: zone.zone, epoch: zone.epoch});
  }

  async function accept(event) {
    event.preventDefault();
    const copy = $("accept-copy").value;
    const body = {...accepted, confirm: $("confirm").value};
    if (copy) {
      body.copyOf = Number(copy);
    }
    $("accept-result").textContent = "waiting for the superpeers";
    try {
      const answer = await fetch("api/action", {method: "POST", body: JSON.stringify(body),
        headers: {Authorization: "Bearer " + $("token").value, "Content-Type": "application/json"}});
      $("accept-result").textContent = (await answer.text()).trim();
    } catch (failure) {
      $("accept-result").textContent = "the console does not answer";
    }
  }

  // ---- timeline ----

  const STEPS = ["fenced", "chosen", "restored", "shipped", "served"];

  function showTimeline() {
    const recoveries = [...state.recoveries].sort((one, other) => other.atMs - one.atMs).slice(0, 50);
    $("recoveries").replaceChildren(...(recoveries.length === 0 ? [make("li", "No zone has changed its owner.")]
      : recoveries.map((recovery) => {
        const made = make("li");
        made.append(stamp(recovery.atMs), " zone " + recovery.zone + " to ", nodeLink(recovery.nid), ": "
          + STEPS.map((step) => step + " " + recovery[step + "Ms"] + " ms").join(", ") + "; " + count(recovery.chunks) + " chunks");
        const bar = make("div", undefined, "bar");
        bar.setAttribute("aria-hidden", "true");
        let before = 0;
        STEPS.forEach((step) => {
          const part = make("span", undefined, step);
          const at = Math.max(recovery[step + "Ms"], before);
          part.style.width = (at - before) * 100 / Math.max(recovery.servedMs, 1) + "%";
          before = at;
          bar.append(part);
        });
        made.append(bar);
        return made;
      })));
    $("changes").replaceChildren(...(state.changes.length === 0 ? [make("li", "No change since this console was started.")]
      : [...state.changes].reverse().slice(0, CHANGES_SHOWN).map(changeRow)));
  }

  function changeRow(change) {
    const made = make("li");
    made.append(stamp(change.atMs), change.text);
    return made;
  }

  function takeChange(change) {
    if (!state || state.changes.some((known) => known.number === change.number)) {
      return;
    }
    state.changes.push(change);
    if (page === "timeline") {
      const list = $("changes");
      if (state.changes.length === 1) {
        list.replaceChildren();
      }
      list.prepend(changeRow(change));
    }
  }

  // ---- charts ----

  const FIGURES = ["operations", "operations.timed", "operations.time", "operations.100us", "operations.1ms",
    "operations.10ms", "operations.100ms", "operations.1s", "store.used", "store.max", "store.payload", "jvm.heap.used",
    "log.size", "disk.free", "process.cpu", "machine.load", "network.sent", "network.received", "changes.behind",
    "answers.waiting", "process.disk.written"];
  const BOUNDS = [["operations.100us", 1e-4], ["operations.1ms", 1e-3], ["operations.10ms", 1e-2],
    ["operations.100ms", 1e-1], ["operations.1s", 1]];

  /** The bound of the bucket that has a part of all timed operations. */
  function quantile(figures, i, part) {
    const all = figures["operations.timed"][i];
    if (!all) {
      return null;
    }
    let before = 0;
    let below = 0;
    for (const [name, bound] of BOUNDS) {
      const within = figures[name][i] || 0;
      if (within >= part * all) {
        return below + (bound - below) * (part * all - before) / Math.max(within - before, 1e-9);
      }
      before = within;
      below = bound;
    }
    return 1;
  }

  async function loadCharts(place, number) {
    const box = $(place);
    let series;
    try {
      series = await ask("api/history?nid=" + number + "&span=" + (number ? "hour" : $("span").value) + "&figures=" + FIGURES);
    } catch (failure) {
      if (!box.firstChild) {
        box.replaceChildren(make("p", failure.message, "failed"));
      }
      return;
    }
    const figures = series.figures;
    const scaled = (name, by) => figures[name].map((value) => value === null ? null : value * by);
    const mean = figures["operations.time"].map((value, i) => value === null || !figures["operations.timed"][i] ? null
      : value / 1e9 / figures["operations.timed"][i]);
    const charts = [
      ["Operations", [{values: figures.operations}], rate],
      ["Latency at the owner", [{name: "mean", values: mean},
        {name: "99 %", values: mean.map((_, i) => quantile(figures, i, 0.99))}], time],
      ["Memory of stores", [{name: "used", values: figures["store.used"]}, {name: "limit", values: figures["store.max"]}], bytes],
      ["Java heap", [{values: figures["jvm.heap.used"]}], bytes],
      ["Disk", [{name: "log", values: figures["log.size"]}, {name: "free", values: figures["disk.free"]}], bytes],
      ["Written to disk", [{values: figures["process.disk.written"]}], (value) => bytes(value) + "/s"],
      ["Processors", [{name: "processes", values: scaled("process.cpu", 1e-9)}], (value) => value.toFixed(2)],
      ["Load of the machine", [{values: scaled("machine.load", 0.1)}], (value) => Math.round(value) + " %", 100],
      ["Network", [{name: "sent", values: figures["network.sent"]}, {name: "received", values: figures["network.received"]}],
        (value) => bytes(value) + "/s"],
      ["Changes on their way", [{name: "behind", values: figures["changes.behind"]},
        {name: "answers wait", values: figures["answers.waiting"]}], count]];
    while (box.children.length !== charts.length || box.firstChild.nodeName !== "FIGURE") {
      box.replaceChildren(...charts.map(() => make("figure")));
    }
    charts.forEach(([title, lines, format, least], i) =>
      window.drawChart(box.children[i], title, series.times, lines, format, least));
  }

  // ---- a node ----

  function showNode() {
    const node = nodeOf(nid);
    $("head-node").textContent = node ? node.name : "There is no node " + nid;
    $("node-actions").hidden = !node || !state.actions || !node.alive;
    $("drain").hidden = $("undrain").hidden = !node || node.role !== "peer";
    if (!node) {
      $("facts").replaceChildren();
      return;
    }
    const figures = node.figures || {};
    const facts = [["State", nodeState(node)], ["Role", node.role], ["NID and life", node.nid + "/" + node.incarnation],
      ["Address", node.address], ["Up for", figures["process.uptime"] === undefined ? "–" : duration(figures["process.uptime"])],
      ["Problem", node.problem || "none"], ["Zones owned", count(node.owned)], ["Copies kept", count(node.copies)],
      ["Memory of the process", bytes(figures["process.memory"])],
      ["Descriptors", count(figures["process.files.open"]) + " of " + count(figures["process.files.max"])],
      ["Links", count(figures["links.open"])],
      ["Clock less the console's", node.offsetMs === null ? "–" : node.offsetMs + " ms"]];
    if (figures["lease.left"] !== undefined) {
      facts.push(["Rest of the lease", figures["lease.left"] + " of " + figures["lease.term"] + " ms"]);
    }
    if (figures["certificate.left"] !== undefined) {
      facts.push(["First certificate ends in", duration(figures["certificate.left"] * 1000)]);
    }
    $("facts").replaceChildren(...facts.map(([name, value]) => {
      const pair = make("div");
      const shown = make("dd");
      shown.append(value);
      pair.append(make("dt", name), shown);
      return pair;
    }));
    $("figures").tBodies[0].replaceChildren(...Object.entries(figures).map(([name, value]) => {
      const row = make("tr");
      const head = make("th", name);
      head.scope = "row";
      row.append(head);
      cell(row, count(value), "number");
      return row;
    }));
  }

  async function loadLog() {
    const number = nid;
    try {
      const log = await ask("api/log?nid=" + number);
      const text = log.lines.join("\n") || "no line since the start of the node";
      if (number === nid && $("log").textContent !== text) {
        $("log").textContent = text;
        $("log").scrollTop = $("log").scrollHeight;
      }
    } catch (failure) {
      $("log").textContent = failure.message;
    }
  }

  // ---- data ----

  function showResult(title, document) {
    const made = make("pre", JSON.stringify(document, null, 2));
    $("result").replaceChildren(make("p", title), made);
  }

  async function read(title, path) {
    $("result").replaceChildren(make("p", "reading"));
    try {
      const document = await ask(path);
      showResult(title, document);
      return document;
    } catch (failure) {
      $("result").replaceChildren(make("p", failure.message, "failed"));
      return null;
    }
  }

  async function loadCollections() {
    let all;
    try {
      all = await ask("api/collections");
    } catch (failure) {
      const row = make("tr");
      cell(row, failure.message, "failed").colSpan = 4;
      $("collections").tBodies[0].replaceChildren(row);
      return;
    }
    $("map").replaceChildren(...all.filter((each) => each.kind === "map" || each.kind === "sorted map").map((each) => {
      const option = make("option", each.name);
      option.dataset.kind = each.kind;
      return option;
    }));
    const rows = all.map((each) => {
      const row = make("tr");
      const name = make("button", each.name, "link");
      name.type = "button";
      name.addEventListener("click", () => each.kind === "chunk" ? readChunk(each.cid, "")
        : read(each.name + ", the first entries", "api/entries?count=50&kind=" + encodeURIComponent(each.kind) + "&name="
          + encodeURIComponent(each.name)));
      cell(row, name);
      cell(row, each.kind);
      cell(row, each.kind === "chunk" ? each.cid : each.keys || "–", "wide");
      cell(row, each.values || "–", "wide");
      return row;
    });
    if (rows.length === 0) {
      const row = make("tr");
      cell(row, "There is no collection.").colSpan = 4;
      rows.push(row);
    }
    $("collections").tBodies[0].replaceChildren(...rows);
  }

  function readChunk(cid, layout) {
    return read("chunk " + cid, "api/chunk?cid=" + encodeURIComponent(cid) + "&as=" + encodeURIComponent(layout));
  }

  // ---- pages ----

  function show() {
    if (!state) {
      return;
    }
    showSummary();
    if (page === "overview") {
      showTiles();
      showAlerts();
      showNodes();
    } else if (page === "zones") {
      showZones();
    } else if (page === "timeline") {
      showTimeline();
    } else if (page === "node") {
      showNode();
    }
  }

  function every(ms, task) {
    window.clearInterval(timer);
    task();
    timer = window.setInterval(() => document.hidden || task(), ms);
  }

  function go(isByUser) {
    if (window.location.hash === "#main") {                // the link to the content
      return;
    }
    const target = window.location.hash.slice(1) || "overview";
    const node = /^node-(\d+)$/.exec(target);
    nid = node ? Number(node[1]) : 0;
    page = node ? "node" : PAGES.includes(target) ? target : "overview";
    PAGES.forEach((each) => $("page-" + each).hidden = each !== page);
    document.querySelectorAll("nav a").forEach((link) => {
      if (link.hash === "#" + page) {
        link.setAttribute("aria-current", "page");
      } else {
        link.removeAttribute("aria-current");
      }
    });
    window.clearInterval(timer);
    show();
    if (page === "charts") {
      every(CHART_MS, () => loadCharts("chart-box", 0));
    } else if (page === "node") {
      $("node-charts").replaceChildren();
      $("log").textContent = "";
      every(LOG_MS, () => {
        loadLog();
        loadCharts("node-charts", nid);
      });
    } else if (page === "data") {
      loadCollections();
    }
    if (isByUser) {
      window.scrollTo(0, 0);
      $("head-" + page).focus({preventScroll: true});
    }
  }

  function listen() {
    const events = new EventSource("api/events");
    events.addEventListener("state", (event) => {
      state = JSON.parse(event.data);
      show();
    });
    events.addEventListener("change", (event) => takeChange(JSON.parse(event.data)));
    let lost = 0;
    events.addEventListener("open", () => window.clearTimeout(lost));
    events.addEventListener("error", () => {               // a stream ends now and then, and begins again at once
      window.clearTimeout(lost);
      lost = window.setTimeout(() => {
        $("summary").textContent = "the console does not answer";
        $("summary").classList.add("bad");
      }, 4000);
      if (events.readyState === EventSource.CLOSED) {
        window.setTimeout(listen, 5000);
      }
    });
  }

  window.addEventListener("hashchange", () => go(true));
  $("zone-filter").addEventListener("change", show);
  $("span").addEventListener("change", () => loadCharts("chart-box", 0));
  $("reload").addEventListener("click", loadCollections);
  $("chunk-form").addEventListener("submit", (event) => {
    event.preventDefault();
    readChunk($("cid").value, $("as").value);
  });
  $("entry-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const option = $("map").selectedOptions[0];
    if (option) {
      read(option.textContent + ", " + $("key").value, "api/entry?kind=" + encodeURIComponent(option.dataset.kind) + "&name="
        + encodeURIComponent(option.textContent) + "&key=" + encodeURIComponent($("key").value));
    }
  });
  $("drain").addEventListener("click", () => beginDrain("drain"));
  $("undrain").addEventListener("click", () => beginDrain("undrain"));
  $("restart").addEventListener("click", beginRestart);
  $("roll").addEventListener("click", beginRoll);
  $("accept-form").addEventListener("submit", accept);
  $("accept-cancel").addEventListener("click", () => $("accept").close());
  $("accept").addEventListener("close", () => $("token").value = "");
  go(false);
  listen();
})();
