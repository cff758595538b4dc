"use strict";
// Sends forms as JSON, and puts news in their place. Whatever somebody is typing in is left alone.

const remembered = name => { try { return localStorage.getItem(`warmer-${name}`) || ""; } catch { return ""; } };
const remember = (name, value) => { try { localStorage.setItem(`warmer-${name}`, value); } catch { /* a private window */ } };

function fillNames(root) {
  for (const field of root.querySelectorAll("[data-remember]")) if (!field.value) field.value = remembered(field.dataset.remember);
}

function valuesOf(fields) {
  const values = {};
  for (const field of fields) {
    if (!field.name || field.disabled || (field.type === "radio" || field.type === "checkbox") && !field.checked) continue;
    if (field.dataset.copy) field.value = remembered(field.dataset.copy);
    if (field.value.trim() === "") continue;
    if (field.dataset.many !== undefined) (values[field.name] ||= []).push(field.value); else values[field.name] = field.value;
  }
  return values;
}

// The fields of a form; those of its rows become a list, and a row without an answer is left out.
function bodyOf(form) {
  const rows = [...form.querySelectorAll("[data-row]")];
  const inRows = new Set(rows.flatMap(row => [...row.querySelectorAll("input, select, textarea")]));
  const body = valuesOf([...form.elements].filter(field => !inRows.has(field) && field.tagName !== "BUTTON" && field.tagName !== "FIELDSET"));
  if (!form.dataset.rows) return {body, used: []};
  const used = rows.filter(row => row.querySelector("[name=reward]").value.trim() || row.querySelector("[name=query]")?.value.trim());
  body[form.dataset.rows] = used.map(row => valuesOf(row.querySelectorAll("input, select, textarea")));
  return {body, used};
}

function say(form, words, isWrong) {
  const said = form.querySelector(":scope > .said") || form.querySelector(".said");
  said.textContent = words;
  said.classList.toggle("wrong", isWrong);
}

function refuse(used, rows) {
  used.forEach((row, place) => {
    const words = rows[place] || "", said = row.querySelector(".refused"), field = row.querySelector("[name=reward]");
    said.textContent = words; said.hidden = !words;
    field.setAttribute("aria-invalid", words ? "true" : "false");
  });
  const first = used.findIndex((row, place) => rows[place]);
  if (first >= 0) used[first].querySelector("[name=reward]").focus();
}

// What was recorded, and the questions that it raises.
function recorded(answers) {
  const unasked = answers.filter(answer => answer.is_unasked).length, twice = answers.filter(answer => answer.is_repeat);
  const words = [answers.length === 1 ? "Recorded." : `${answers.length} answers recorded.`];
  if (unasked) words.push(answers.length === 1 ? "Its query was not open." : `${unasked} of their queries were not open.`);
  for (const answer of twice.slice(0, 3)) words.push(`Answer ${answer.event} equals the one before it: the same answer twice?`);
  return words.join(" ");
}

async function send(form) {
  const {body, used} = bodyOf(form);
  if (form.dataset.rows && !used.length) { say(form, "Enter an answer first.", true); return; }
  for (const field of form.querySelectorAll("[data-remember]")) remember(field.dataset.remember, field.value.trim());
  const buttons = [...form.querySelectorAll("button")];
  buttons.forEach(button => { button.disabled = true; });
  try {
    const response = await post(form.dataset.verb, body);
    const text = await response.text();
    let found = {};
    try { found = JSON.parse(text); } catch { found = {error: text.trim()}; }
    refuse(used, found.rows || {});
    if (!response.ok) { say(form, found.rows ? "Nothing was recorded; look at the marked answers." : found.error, true); return; }
    if (found.next || form.dataset.next) { location.assign(found.next || form.dataset.next); return; }
    say(form, form.dataset.rows ? recorded(found.answers || []) : "Done.", false);
    for (const row of used) {
      for (const field of row.querySelectorAll("input:not([type=hidden])")) { field.value = ""; field.defaultValue = ""; }
      if (row.querySelector(".gone")) row.remove();  // the news of these answers came before the answer to them
    }
    const key = form.querySelector("[name=key]");
    if (key) key.value = crypto.randomUUID();
  } catch {
    say(form, "The server cannot be reached; what you typed is still here. Try again.", true);
  } finally {
    buttons.forEach(button => { button.disabled = false; });
  }
}

const post = (address, body) => fetch(address, {
  method: "POST", headers: {"Content-Type": "application/json", "X-Warmer": "1"}, body: JSON.stringify(body),
});

// Sends a file; what the server says of it, with `error` where it was refused.
async function sendTable(file, address) {
  try {
    const response = await fetch(`${address}?name=${encodeURIComponent(file.name)}`, {
      method: "POST", headers: {"Content-Type": "application/octet-stream", "X-Warmer": "1"}, body: file,
    });
    const text = await response.text();
    try { return JSON.parse(text); } catch { return {error: text.trim()}; }
  } catch {
    return {error: "The file could not be sent: it may be too large, or the server cannot be reached."};
  }
}

async function upload(form) {
  const file = form.querySelector("[type=file]").files[0], button = form.querySelector("button");
  if (!file) { say(form, "Choose a file first.", true); return; }
  button.disabled = true;
  say(form, "Sending it.", false);
  const found = await sendTable(file, form.dataset.upload);
  if (found.error) say(form, found.error, true); else location.assign(found.next);
  button.disabled = false;
}

// A file that belongs to a computation: sent when it is chosen, and named in a field of the form.
async function attach(field) {
  const name = field.form.querySelector(`[name=${field.dataset.send}]`), file = field.files[0];
  const found = file ? await sendTable(file, "/api/v1/tables") : {table: ""};
  name.value = found.table || "";
  if (found.error) say(field.form, found.error, true); else compute(field.form, {kind: field.form.dataset.job, ...bodyOf(field.form).body});
}

// A computation: started, watched until it ends, and shown. A new one takes the place of the one before.
const running = new WeakMap();
async function compute(place, body) {
  const before = running.get(place), bar = place.querySelector("progress"), cancel = place.querySelector("[data-cancel]");
  if (before) post(`/api/v1/jobs/${before}/cancel`, {});
  const turn = {};
  place.turn = turn;
  const response = await post("/api/v1/jobs", body);
  let job = await response.json().catch(() => ({error: "this cannot be computed."}));
  if (!response.ok) { if (place.turn === turn) say(place, job.error, true); return; }
  if (place.turn !== turn) { post(`/api/v1/jobs/${job.job}/cancel`, {}); return; }
  running.set(place, job.job);
  say(place, "Simulating.", false);
  bar.hidden = false; bar.value = 0;
  if (cancel) { cancel.hidden = false; cancel.onclick = () => post(`/api/v1/jobs/${job.job}/cancel`, {}); }
  while (["waiting", "running"].includes(job.state) && place.turn === turn) {
    await new Promise(done => setTimeout(done, 150));
    job = await (await fetch(`/api/v1/jobs/${job.job}`)).json();
    bar.value = job.share;
  }
  if (place.turn !== turn) return;
  running.delete(place);
  bar.hidden = true;
  if (cancel) cancel.hidden = true;
  if (job.state !== "done") { say(place, job.state === "cancelled" ? "Cancelled." : job.result, job.state === "refused"); return; }
  const result = place.querySelector("[data-result]");
  if (result) { say(place, "", false); result.replaceChildren(...new DOMParser().parseFromString(job.result.html, "text/html").body.childNodes); }
  else say(place, job.result.words, false);
}

function estimate(form) {
  const place = document.querySelector(form.dataset.estimate), {name, unit, ...values} = bodyOf(form).body;
  compute(place, {kind: place.dataset.kind, ...values});
}

function showOutputs(root) {
  for (const output of root.querySelectorAll("[data-output]")) output.textContent = String(Number(output.closest(".slider").querySelector("input").value));
}

let later = 0;
document.addEventListener("input", event => {
  if (event.target.type === "range") event.target.value = String(Number(Number(event.target.value).toPrecision(2)));  // what is shown is what is used
  showOutputs(document);
  const form = event.target.form;
  if (event.target.dataset.send) return;
  if (!form || !(form.dataset.estimate || form.dataset.auto !== undefined)) return;
  clearTimeout(later);
  later = setTimeout(() => form.dataset.estimate ? estimate(form) : compute(form, {kind: form.dataset.job, ...bodyOf(form).body}), 400);
});

const isInUse = element => element.contains(document.activeElement) && document.activeElement.matches("input, select, textarea")
  || [...element.querySelectorAll("input:not([type=hidden]), textarea")].some(field => field.value !== field.defaultValue);

// Rows come and go one by one; one in which somebody types stays, and says that it is no longer open.
function mergeRows(old, fresh) {
  const wanted = new Map([...fresh.children].map(row => [row.id, row]));
  for (const row of [...old.children]) {
    if (wanted.has(row.id)) continue;
    if (!isInUse(row)) row.remove();
    else if (!row.querySelector(".gone")) {
      const words = document.createElement("p");
      words.className = "gone"; words.setAttribute("role", "status");
      words.textContent = "Somebody has answered or given back this ticket meanwhile.";
      row.append(words);
    }
  }
  for (const row of wanted.values()) {
    const known = document.getElementById(row.id);
    if (!known) old.append(row);
    else if (!isInUse(known) && !known.isEqualNode(row)) known.replaceWith(row);
  }
}

function show(parts) {
  const fresh = new DOMParser().parseFromString(parts, "text/html");
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = document.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!old || old.isEqualNode(part)) continue;
    if (part.dataset.keyed !== undefined) mergeRows(old, part);
    else if (!isInUse(old)) replaceKeepingFocus(old, part);
  }
}

function replaceKeepingFocus(old, part) {
  const link = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  old.replaceWith(part);
  if (link) part.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus();
}

function watch(element) {
  const source = new EventSource(element.dataset.live);
  source.addEventListener("parts", event => {
    show(JSON.parse(event.data));
    document.documentElement.dataset.version = event.lastEventId;
  });
  addEventListener("pagehide", () => source.close());
}

document.addEventListener("submit", event => {
  const form = event.target;
  if (!form.dataset.verb && !form.dataset.upload && !form.dataset.job) return;
  event.preventDefault();
  if (form.dataset.upload) upload(form);
  else if (form.dataset.job) compute(form, {kind: form.dataset.job, ...bodyOf(form).body});
  else send(form);
});
document.addEventListener("change", event => {
  if (event.target.dataset.send) attach(event.target);
  if (event.target.matches("select") && event.target.closest("form.filters")) event.target.form.requestSubmit();
});
fillNames(document);
showOutputs(document);
for (const form of document.querySelectorAll("[data-estimate]")) estimate(form);
for (const element of document.querySelectorAll("[data-live]")) watch(element);
