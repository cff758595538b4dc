(() => {
const found = [], all = selector => [...document.querySelectorAll(selector)], named = element => {
  const labels = [...(element.labels || [])].map(label => label.textContent).join(" ");
  const by = (element.getAttribute("aria-labelledby") || "").split(" ").map(id => document.getElementById(id)?.textContent || "").join(" ");
  return (element.getAttribute("aria-label") || by || labels || element.textContent || element.title || "").trim();
};
const isShown = element => element.checkVisibility({visibilityProperty: true});
if (!document.documentElement.lang) found.push("the page has no language");
if (!document.title.trim()) found.push("the page has no title");
for (const [selector, count] of [["main", 1], ["h1", 1]]) if (all(selector).length !== count) found.push(`${all(selector).length} ${selector}`);
let level = 1;
for (const heading of all("h1, h2, h3, h4").filter(isShown)) {
  const its = Number(heading.tagName[1]);
  if (its > level + 1) found.push(`heading ${heading.textContent} skips a level`);
  level = its;
}
for (const element of all("input:not([type=hidden]), select, textarea, button, a[href], [role=img], progress").filter(isShown))
  if (!named(element)) found.push(`no name: ${element.outerHTML.slice(0, 120)}`);
for (const element of all("section, nav")) if (isShown(element) && !named(element)) found.push(`no name: ${element.outerHTML.slice(0, 80)}`);
const ids = all("[id]").map(element => element.id);
for (const id of ids.filter((id, place) => ids.indexOf(id) !== place)) found.push(`id ${id} twice`);
for (const element of all("[aria-labelledby], [aria-describedby]"))
  for (const id of (element.getAttribute("aria-labelledby") || element.getAttribute("aria-describedby")).split(" "))
    if (!document.getElementById(id)) found.push(`points to ${id}, which is nowhere`);
for (const table of all("table")) if (table.querySelector("td") && !table.querySelector("th[scope]")) found.push("a table without headings");
for (const element of all("[tabindex]")) if (element.tabIndex > 0) found.push("a tab order of its own");

const rgb = text => { const n = text.match(/[\d.]+/g).map(Number); return [n[0], n[1], n[2], n[3] ?? 1]; };
const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
const ground = element => {
  for (let each = element; each; each = each.parentElement) { const colour = rgb(getComputedStyle(each).backgroundColor); if (colour[3] > 0.5) return colour; }
  return [255, 255, 255, 1];
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const seen = new Set();
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || seen.has(element) || !isShown(element) || element.closest("svg, datalist, option, [disabled], .unseen, .skip")) continue;
  seen.add(element);
  const style = getComputedStyle(element), pair = [light(rgb(style.color)), light(ground(element))].sort((a, b) => b - a);
  const ratio = (pair[0] + 0.05) / (pair[1] + 0.05), isLarge = parseFloat(style.fontSize) >= 24;
  if (ratio < (isLarge ? 3 : 4.5)) found.push(`contrast ${ratio.toFixed(2)}: ${element.textContent.trim().slice(0, 40)}`);
}
for (const element of all("button, input:not([type=hidden]):not([type=radio]):not([type=checkbox]), select").filter(isShown)) {
  const box = element.getBoundingClientRect();
  if (box.height < 24 && element.type !== "range") found.push(`only ${box.height.toFixed(0)} px high: ${named(element)}`);
}
return found;
})()
