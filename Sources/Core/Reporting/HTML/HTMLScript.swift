/// The script of a page: search, filters, and opening of closed details that a link leads to.
///
/// The page is readable without the script.
enum HTMLScript {
    /// The source, exactly as it appears in the page.
    static let text = #"""
        "use strict";
        (() => {
          const all = (query, root) => Array.from((root || document).querySelectorAll(query));
          const open = (element) => {
            for (let e = element; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
            all(":scope > details", element).forEach((d) => { d.open = true; });
          };
          const follow = () => {
            let name = location.hash.slice(1);
            try { name = decodeURIComponent(name); } catch (_) { return; }
            const target = name && document.getElementById(name);
            if (!target) return;
            open(target);
            if (target.hidden) { reset(); limit = Infinity; apply(); }
            target.scrollIntoView();
          };
          const form = document.getElementById("filter");
          let rows = all(".case-rows > tr");
          const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
          const more = document.getElementById("more");
          const step = 300;
          let limit = step;
          const search = document.getElementById("search");
          const boxes = form ? all("input[type=checkbox]", form) : [];
          const apply = () => {
            const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean);
            const verdicts = new Set(boxes.filter((b) => b.checked).map((b) => b.value));
            let count = 0;
            rows.forEach((row) => {
              const fits = verdicts.has(row.className.slice(2))
                && asked.every((w) => texts.get(row).includes(w));
              if (fits) count += 1;
              const hidden = !fits || count > limit;
              if (row.hidden !== hidden) row.hidden = hidden;
            });
            more.hidden = count <= limit;
            more.textContent = "Show all " + count;
            document.getElementById("shown").textContent = count + " of " + rows.length + " shown";
          };
          const reset = () => {
            search.value = "";
            boxes.forEach((b) => { b.checked = true; });
            apply();
          };
          if (form) {
            form.hidden = false;
            form.addEventListener("submit", (event) => event.preventDefault());
            form.addEventListener("input", () => { limit = step; apply(); });
            more.addEventListener("click", () => { limit = Infinity; apply(); });
            apply();
            all("tbody.further").forEach((body) => body.classList.remove("further"));
            document.addEventListener("keydown", (event) => {
              const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
              if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
                event.preventDefault();
                search.focus();
              }
            });
          }
          const button = (style, words, act) => {
            const made = document.createElement("button");
            made.type = "button";
            made.className = style;
            made.textContent = words;
            made.addEventListener("click", () => act(made));
            return made;
          };
          all("code.copy").forEach((code) => {
            code.after(button("copy-it", "Copy", (made) => {
              getSelection().selectAllChildren(code);
              const done = () => {
                made.textContent = "Copied";
                setTimeout(() => { made.textContent = "Copy"; }, 2000);
              };
              if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, () => {});
              else if (document.execCommand("copy")) done();
            }));
          });
          const order = new Intl.Collator("en", { numeric: true });
          all("table.sortable").forEach((table) => all("thead th", table).forEach((head, place) => {
            const sort = () => {
              const down = head.getAttribute("aria-sort") === "ascending";
              all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
              head.setAttribute("aria-sort", down ? "descending" : "ascending");
              const keyed = all("tbody > tr", table).map((row) => {
                const cell = row.cells[place];
                return [cell.dataset.key || cell.textContent, row];
              });
              keyed.sort((a, b) => (down ? -1 : 1) * order.compare(a[0], b[0]));
              table.tBodies[0].append(...keyed.map((entry) => entry[1]));
              if (form) { rows = all(".case-rows > tr"); apply(); }
            };
            const words = head.textContent;
            head.textContent = "";
            head.append(button("sort", words, sort));
          }));
          const light = (event, on) => {
            const source = event.target.closest && event.target.closest("[data-f]");
            const message = source && source.closest(".message");
            if (!message) return;
            all('[data-f="' + source.dataset.f + '"]', message)
              .forEach((e) => e.classList.toggle("on", on));
          };
          document.addEventListener("mouseover", (event) => light(event, true));
          document.addEventListener("mouseout", (event) => light(event, false));
          addEventListener("hashchange", follow);
          follow();
        })();
        """#
}
