// What the pages do with a script: every one of them works without it too.
"use strict";

const byId = (id) => document.getElementById(id);
const board = () => byId("board");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// --- Moving: cards, markers and money go from where they were to where they are. ---------------

// Things that keep their name for as long as they are there, and cards with their places.
function movers() {
  const found = new Map();
  const add = (key, element) => found.set(key, element);
  for (const element of board()?.querySelectorAll("[data-name]") ?? []) {
    add(element.dataset.name, element);
  }
  const counts = {};
  for (const element of board()?.querySelectorAll("[data-place]") ?? []) {
    const owner = element.closest(".seat")?.id ?? "";
    const place = [owner, element.dataset.place, element.dataset.card].join(" ");
    counts[place] = (counts[place] ?? 0) + 1;
    add(`${place} ${counts[place]}`, element);
  }
  return found;
}

const named = (element, name) => { element.style.viewTransitionName = name; };
const inSight = (element) => {
  const box = element.getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight && box.width > 0;
};

// Where a card that appeared may have come from, the likeliest first.
function origins(key, element) {
  const card = element.dataset.card, seat = element.closest(".seat")?.id;
  const number = seat?.split("-")[1];
  const hand = [" hand " + card, `${seat} hand-${number} ?`];
  const pile = " draw ?";
  if (element.dataset.place === "tableau" || element.dataset.place.startsWith("ship")) {
    return element.closest(".me") ? [hand[0]] : [hand[1]];
  }
  return element.dataset.place === "draw" ? [] : [pile];
}

let movement = null;

// What shows now gets a name each; what a new board calls the same, or came from it, takes it over.
function nameWhatShows() {
  const names = new Map();
  for (const [key, element] of movers()) {
    if (!inSight(element)) continue;
    names.set(key, `m${names.size}`);
    named(element, names.get(key));
  }
  return names;
}

function handNamesOn(names) {
  const after = movers();
  const gone = [...names.keys()].filter((key) => !after.has(key) || key.startsWith(" draw ?"));
  for (const [key, element] of after) {
    if (!inSight(element)) continue;
    if (names.has(key) && !key.startsWith(" draw ?")) {
      named(element, names.get(key));
      continue;
    }
    if (!element.dataset.place) continue;
    for (const origin of origins(key, element)) {
      const from = gone.findLastIndex((one) => one.startsWith(origin));
      if (from < 0) continue;
      named(element, names.get(gone[from]));
      gone.splice(from, 1);
      break;
    }
  }
}

// htmx shows one board after the other, and would wait until each has come to rest: it is told that
// a board is there as soon as it is, so that boards which come fast never queue up. A board that
// comes while things still move ends their way and is shown at once.
const startMoving = document.startViewTransition?.bind(document);

function move(update) {
  const still = calm.matches || document.hidden
    || document.querySelector("dialog[open]");  // what moves would move above it
  if (movement || still) {
    movement?.skipTransition();
    return { finished: update() };
  }
  const names = nameWhatShows(), before = movers();
  const mine = startMoving(async () => {
    await update();
    for (const element of before.values()) named(element, "");
    handNamesOn(names);
  });
  movement = mine;
  mine.ready.catch(() => {});  // cut short: by the next board, or as the window changes its size
  mine.finished.catch(() => {}).then(() => {
    for (const element of movers().values()) named(element, "");
    movement = null;
    openEvaluation();  // which waits until everything has come to rest
  });
  return { finished: mine.updateCallbackDone };
}
if (startMoving) document.startViewTransition = move;

// --- Only ever a newer board -----------------------------------------------------------------------

// An answer may arrive after the stream has brought what happened since.
let newest = board()?.dataset;

function isOlder(incoming) {
  if (!newest || newest.table !== incoming.table) return false;
  const plies = Number(incoming.ply) - Number(newest.ply);
  if (plies !== 0 || incoming.since !== newest.since) return plies < 0;
  return Number(incoming.changes) < Number(newest.changes);
}

document.addEventListener("htmx:before:swap", (event) => {
  const incoming = event.detail.tasks[0]?.fragment.querySelector("#board");
  if (!incoming) return;
  showNotice(incoming.querySelector("#notice"));
  if (isOlder(incoming.dataset)) event.preventDefault();
  else newest = { ...incoming.dataset };
});

// A notice stays in sight for a while, even if the board moves on at once.
let noticeEnds = 0;

function showNotice(notice) {
  if (!notice) return;
  const sign = byId("told");
  sign.textContent = notice.textContent;
  sign.hidden = false;
  byId("news").textContent = notice.textContent;
  notice.remove();
  clearTimeout(noticeEnds);
  noticeEnds = setTimeout(() => { sign.hidden = true; }, 8000);
}

// --- After every new board -----------------------------------------------------------------------

// What people opened stays open, and what they typed stays typed.
htmx.registerExtension("kept", {
  htmx_before_morph_attr: (element, detail) => detail.attrName !== "open",
});

let told = null;

function tellNews() {
  const lines = [...document.querySelectorAll("#log li, #chat li[data-n]")];
  const now = new Set(lines.map((line) => line.dataset.n));
  if (told) {
    const fresh = lines.filter((line) => !told.has(line.dataset.n));
    const turn = board()?.dataset.title;
    const words = fresh.slice(-8).map((line) => line.textContent.trim());
    if (fresh.length && turn) words.push(turn);
    if (words.length) byId("news").textContent = words.join(" ");
  }
  told = now;
}

function scrollDown(id) {
  const list = byId(id);
  if (list) list.scrollTop = list.scrollHeight;
}

function openEvaluation() {
  if (movement) return;
  const { rounds, table } = board()?.dataset ?? {};
  if (!table || rounds === undefined) return;
  const key = `rounds ${table}`;
  const seen = sessionStorage.getItem(key);
  if (seen !== null && Number(rounds) > Number(seen) && !byId("drawer").open) {
    htmx.ajax("GET", `/tables/${table}/rounds/${rounds}`, {
      target: "#drawer-body", swap: "innerHTML transition:false",
    });
  }
  if (seen === null || Number(rounds) < Number(seen) || !byId("drawer").open) {
    sessionStorage.setItem(key, rounds);
  }
}

// A round that ended while something else was read is read next.
byId("drawer").addEventListener("close", openEvaluation);

// Who acts by keyboard keeps the place: the button just pressed may be gone, or be no use now.
let wasInDock = false;
document.addEventListener("htmx:before:swap", () => {
  wasInDock = Boolean(document.activeElement?.closest("#dock"));
});

function keepPlace() {
  const now = document.activeElement;
  const usable = now && now !== document.body && !now.disabled
    && now.checkVisibility({ visibilityProperty: true });
  if (wasInDock && !usable && !byId("drawer").open) byId("status")?.focus({ preventScroll: true });
}

const title = document.title;

function freshen() {
  const turn = board()?.dataset.title;
  document.title = turn ? `● ${turn} · ${title}` : title;
  tellNews();
  scrollDown("log");
  scrollDown("chat");
  openEvaluation();
  showClocks();
  keepPlace();
}

document.addEventListener("htmx:after:swap", (event) => {
  const target = event.detail.ctx.target;
  if (target?.id === "drawer-body" || target === "#drawer-body") {
    const drawer = byId("drawer");
    if (!drawer.open) drawer.showModal();
    drawer.scrollTop = 0;
  } else {
    freshen();
  }
});

// --- Time ----------------------------------------------------------------------------------------

function showClocks() {
  for (const clock of document.querySelectorAll("[data-deadline]")) {
    const left = Math.max(0, Math.round(clock.dataset.deadline - Date.now() / 1000));
    const hours = Math.floor(left / 3600), minutes = Math.floor(left / 60) % 60;
    const two = (number) => String(number).padStart(2, "0");
    clock.textContent = hours
      ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
    clock.classList.toggle("short", left < 10);
  }
}

// --- When the line breaks ------------------------------------------------------------------------

const broken = (is) => { byId("broken").hidden = !is; };
let failed = null;

document.addEventListener("htmx:sse:before:connection", (event) => {
  if (event.detail.connection.attempt > 0 && !document.hidden) broken(true);
});
for (const name of ["htmx:sse:after:connection", "htmx:sse:after:message"]) {
  document.addEventListener(name, () => broken(false));
}
document.addEventListener("htmx:sse:error", () => broken(true));
document.addEventListener("htmx:sse:close", () => reopen());

function reopen() {
  broken(true);
  setTimeout(() => { if (byId("live")) htmx.trigger("#live", "again"); }, 2000);
}

function fails(event) {
  const { ctx } = event.detail;
  const element = ctx.sourceElement;
  if (element?.id === "live") {
    reopen();
  } else if (element?.matches("form")) {
    failed = { form: element, submitter: ctx.request.submitter };
    byId("failed").hidden = false;
    byId("again").focus();
  }
}
document.addEventListener("htmx:error", (event) => { if (event.detail.error) fails(event); });
document.addEventListener("htmx:response:error", (event) => {
  const { status } = event.detail.ctx.response;
  if (status >= 500 || status === 429) {
    event.detail.ctx.swap = "none";
    fails(event);
  }
});
document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  if (ctx.response?.status < 500 && ctx.sourceElement?.matches("form")) {
    byId("failed").hidden = true;
    // What was said or played is done; what was refused may be wanted again.
    if (["say", "act"].includes(ctx.sourceElement.id) && ctx.response.status < 400) {
      ctx.sourceElement.reset();
    }
  }
});

byId("again").addEventListener("click", () => {
  byId("failed").hidden = true;
  if (!failed) return;
  const { form, submitter } = failed;
  const here = form.isConnected ? form : byId(form.id);
  here?.requestSubmit(submitter?.isConnected ? submitter : undefined);
});

// A page that comes back from the browser's memory shows an old board.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// --- Small conveniences --------------------------------------------------------------------------

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) {
    const field = document.querySelector(button.dataset.copy);
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    button.textContent = button.dataset.done;
    byId("news").textContent = button.dataset.done;
  }
});

// A chosen card is put back by choosing it again.
document.addEventListener("pointerdown", (event) => {
  const input = event.target.closest(".held label")?.control;
  if (input?.checked) input.dataset.again = "yes";
});
document.addEventListener("click", (event) => {
  const input = event.target.closest(".held label")?.control;
  if (input?.dataset.again) {
    event.preventDefault();
    input.checked = false;
  }
  if (input) delete input.dataset.again;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.target.name !== "card") return;
  event.target.checked = false;
});

// This browser's own random text, mixed into the shuffle.
document.addEventListener("submit", (event) => {
  const words = event.target.matches("[data-words]") && event.target.elements.words;
  if (words) {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    words.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}, true);

told = null;
freshen();
setInterval(showClocks, 1000);
