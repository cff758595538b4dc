[document.documentElement.scrollWidth, ...[...document.querySelectorAll("body *")]
  .filter(e => !e.closest(".scroll, .unseen, .skip, datalist, svg") && e.getBoundingClientRect().right > innerWidth + 0.5)
  .map(e => e.outerHTML.slice(0, 80))]
