// The list of questions: filters that combine, counts, sorting, search; and the way from one question to the next.
(() => {
  const FACETS = ["level", "format", "role", "topic", "kata"];
  const base = document.currentScript.src.replace(/list\.js.*$/, "");
  const fetched = (file) => fetch(base + file).then((answer) => answer.json());

  function state(search) {
    const given = new URLSearchParams(search);
    const found = { q: given.get("q") ?? "", minutes: given.get("minutes") ?? "", sort: given.get("sort") ?? "" };
    for (const facet of FACETS) found[facet] = given.getAll(facet);
    return found;
  }

  function query(chosen) {
    const params = new URLSearchParams();
    for (const facet of FACETS) for (const value of chosen[facet]) params.append(facet, value);
    for (const name of ["minutes", "q", "sort"]) if (chosen[name]) params.set(name, chosen[name]);
    const text = params.toString();
    return text ? `?${text}` : "";
  }

  const values = (row, facet) => (facet === "role" ? row.roles : [row[facet]]);

  // Every word of the search must begin some word of the question.
  function said(row, chosen, words) {
    const wanted = chosen.q.toLowerCase().split(/\s+/).filter(Boolean);
    const text = words?.[row.slug] ?? ` ${row.title.toLowerCase()}`;
    return wanted.every((word) => text.includes(` ${word}`));
  }

  function fits(row, chosen, words, except) {
    if (except !== "minutes" && chosen.minutes && row.minutes > Number(chosen.minutes)) return false;
    if (except !== "q" && !said(row, chosen, words)) return false;
    return FACETS.every(
      (facet) =>
        facet === except || !chosen[facet].length || chosen[facet].some((one) => values(row, facet).includes(one)),
    );
  }

  const ORDERS = {
    "": () => 0,
    level: (a, b) => a.level.localeCompare(b.level),
    "-level": (a, b) => b.level.localeCompare(a.level),
    minutes: (a, b) => a.minutes - b.minutes,
    title: (a, b) => a.title.localeCompare(b.title),
  };

  const sorted = (rows, chosen) => [...rows].sort(ORDERS[chosen.sort] ?? ORDERS[""]);

  function list(form) {
    const place = document.querySelector(".question-list");
    const items = new Map([...place.children].map((item) => [item.dataset.slug, item]));
    const rows = [...items.values()].map((item) => ({
      slug: item.dataset.slug,
      title: item.querySelector("a").textContent,
      level: item.dataset.level,
      format: item.dataset.format,
      topic: item.dataset.topic,
      minutes: Number(item.dataset.minutes),
      kata: item.dataset.kata,
      roles: item.dataset.role.split(" "),
    }));
    let words = null;
    let asked = false;
    let order = "";
    let link = "";

    function chosen() {
      const data = new FormData(form);
      const found = { q: data.get("q").trim(), minutes: data.get("minutes"), sort: data.get("sort") };
      for (const facet of FACETS) found[facet] = data.getAll(facet);
      return found;
    }

    function show(given) {
      for (const box of form.querySelectorAll("input[type=checkbox]")) box.checked = given[box.name].includes(box.value);
      for (const name of ["q", "minutes", "sort"]) form.elements[name].value = given[name];
    }

    function counts(now) {
      for (const facet of FACETS) {
        const rest = rows.filter((row) => fits(row, now, words, facet));
        for (const box of form.querySelectorAll(`input[name="${facet}"]`)) {
          const count = rest.filter((row) => values(row, facet).includes(box.value)).length;
          box.parentElement.querySelector("output").textContent = count;
          box.parentElement.classList.toggle("none", count === 0);
        }
      }
    }

    function advise(now, found) {
      const advice = document.querySelector(".advice");
      advice.hidden = found.length > 0 || rows.length === 0;
      if (advice.hidden) return;
      const active = [...FACETS, "minutes", "q"].filter((name) => (Array.isArray(now[name]) ? now[name].length : now[name]));
      const ways = active
        .map((name) => ({ name, count: rows.filter((row) => fits(row, now, words, name)).length }))
        .sort((a, b) => b.count - a.count);
      const useful = ways.filter((way) => way.count);
      advice.replaceChildren(
        Object.assign(document.createElement("p"), {
          textContent: useful.length
            ? "No question fits all of these. Relax one of them:"
            : "No question fits, and relaxing one filter is not enough. Clear them all:",
        }),
      );
      const button = (label, act) => {
        const made = Object.assign(document.createElement("button"), { type: "button", textContent: label });
        made.addEventListener("click", act);
        advice.append(made);
      };
      for (const { name, count } of useful) {
        const what = name === "q" ? `the search for “${now.q}”` : name === "minutes" ? "the limit of minutes" : `${name} ${now[name].join(", ")}`;
        button(`Drop ${what}: ${count}`, () => {
          show({ ...now, [name]: Array.isArray(now[name]) ? [] : "" });
          update();
          form.elements.q.focus();
        });
      }
      if (!useful.length) button("Clear all", () => form.reset());
    }

    function update() {
      const now = chosen();
      if (now.q && !asked) {
        asked = true;
        fetched("words.json").then((found) => {
          words = found;
          update();
        });
      }
      const found = sorted(rows.filter((row) => fits(row, now, words)), now);
      const shown = new Set(found.map((row) => row.slug));
      link = query(now);
      for (const [slug, item] of items) if (item.hidden === shown.has(slug)) item.hidden = !shown.has(slug);
      if (now.sort !== order) {
        order = now.sort;
        place.append(...sorted(rows, now).map((row) => items.get(row.slug)));
      }
      document.querySelector(".result-count").textContent =
        found.length === rows.length ? rows.length : `${found.length} of ${rows.length}`;
      document.querySelector(".result-words").textContent = rows.length === 1 ? "question" : "questions";
      counts(now);
      advise(now, found);
      history.replaceState(null, "", location.pathname + link + location.hash);
    }

    // A link takes the filter along; written when it is about to be followed, not 500 times a keystroke.
    function carry(event) {
      const anchor = event.target.closest(".question-list a");
      if (anchor) anchor.href = `${anchor.closest("li").dataset.slug}/${link}`;
    }
    for (const kind of ["pointerdown", "focusin", "click"]) place.addEventListener(kind, carry);

    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", update);
    form.addEventListener("reset", () => setTimeout(update));
    form.elements.q.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      form.elements.q.value = "";
      update();
    });
    window.addEventListener("popstate", () => {
      show(state(location.search));
      update();
    });
    show(state(location.search));
    update();
  }

  // On a question that was reached from a filtered list: its neighbours in that list.
  async function walk(nav) {
    const chosen = state(location.search);
    const link = query(chosen);
    if (!link) return;
    const [rows, words] = await Promise.all([fetched("questions.json"), chosen.q ? fetched("words.json") : null]);
    const found = sorted(rows.filter((row) => fits(row, chosen, words)), chosen);
    const at = found.findIndex((row) => row.slug === nav.dataset.slug);
    nav.querySelector(".walk-list").href = `../${link}`;
    if (at < 0) return;
    nav.querySelector(".walk-count").textContent = `${at + 1} of ${found.length} in this list`;
    for (const [name, row] of [["before", found[at - 1]], ["after", found[at + 1]]]) {
      const anchor = nav.querySelector(`.walk-${name}`);
      anchor.hidden = !row;
      if (!row) continue;
      anchor.href = `../${row.slug}/${link}`;
      anchor.querySelector("b").textContent = row.title;
    }
  }

  const form = document.querySelector("form.filters");
  if (form) list(form);
  const nav = document.querySelector("nav.walk[data-slug]");
  if (nav) walk(nav);
})();
