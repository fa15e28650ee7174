// Makes the pages quicker to use; every page works without it.
// A form marked data-live answers as it is changed: its page is fetched, and everything
// around the form is replaced. Buttons marked data-copy copy the line next to them.
"use strict";
(() => {
  let latest = 0;     // number of the newest answer asked for
  let waiting = 0;    // timer of a change that was made with keys
  let pressed = false; // whether the last change was made with keys
  let pushed = null;  // the field whose changes share one step of the history

  // addressOf is the address that sending a form leads to, without empty fields.
  function addressOf(form) {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (value !== "") query.append(name, value);
    }
    const text = query.toString();
    return form.getAttribute("action") + (text ? "?" + text : "");
  }

  // answer shows what a form asks for. The form stays in place, and with it the focus
  // and what is being typed.
  function answer(form) {
    clearTimeout(waiting);
    waiting = 0;
    const field = document.activeElement;
    const again = pushed !== null && pushed === field;
    pushed = field;
    show(addressOf(form), again ? "replaceState" : "pushState", form);
  }

  // show fetches a page and puts its main part in the place of the present one, around
  // the form where there is one.
  async function show(address, step, form) {
    const turn = ++latest;
    const main = document.querySelector("main");
    main.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(address, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const next = page.querySelector("main");
      if (turn !== latest) return;
      if (!next) throw new Error("no page");
      const same = form && next.querySelector(`form[data-live][action="${CSS.escape(form.getAttribute("action"))}"]`);
      if (same && graft(form, same, main, next)) main.removeAttribute("aria-busy");
      else main.replaceWith(next);
      for (const nav of document.querySelectorAll("header nav")) nav.replaceWith(page.getElementById(nav.id));
      document.title = page.title;
      if (step) history[step]({ live: true }, "", address);
      ready(document);
      say(page.title);
    } catch {
      location.assign(address);
    }
  }

  // graft replaces everything in main but the form, whose other fields are renewed. It
  // does nothing and returns false where the form stands elsewhere in the new page.
  function graft(form, same, main, next) {
    const pairs = [];
    let [old, fresh] = [form, same];
    for (; old !== main && fresh !== next; [old, fresh] = [old.parentNode, fresh.parentNode]) pairs.push([old, fresh]);
    if (old !== main || fresh !== next) return false;
    for (const field of form.querySelectorAll(".field, .send, .chosen")) {
      const now = same.querySelector(`[data-part="${field.dataset.part}"]`);
      if (now && !field.contains(document.activeElement)) field.replaceWith(now);
    }
    for (const [was, is] of pairs) {
      for (const other of [...was.parentNode.childNodes]) if (other !== was) other.remove();
      while (is.previousSibling) was.parentNode.insertBefore(is.parentNode.firstChild, was);
      while (is.nextSibling) was.parentNode.append(is.nextSibling);
    }
    return true;
  }

  // say reads a text out to those who do not see the page change.
  function say(text) {
    document.getElementById("announce").textContent = text;
  }

  async function copy(button) {
    const line = document.getElementById(button.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(line);
      button.textContent = "Copied";
      say("Copied");
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2500);
  }

  // choose opens the page of a borough of a map.
  function choose(borough) {
    const to = borough.closest("svg").dataset.link;
    if (to) location.assign(to.replace("{place}", borough.dataset.row));
  }

  // closeMenus folds the open menus of the head, but not the one that an element is in.
  function closeMenus(within) {
    for (const menu of document.querySelectorAll("header details[open]")) if (!menu.contains(within)) menu.open = false;
  }

  // ready shows what works with the script only.
  function ready(part) {
    for (const hidden of part.querySelectorAll("[data-script]")) hidden.hidden = false;
  }

  const live = (event) => event.target.closest("form[data-live]");
  // A list that is moved through with keys changes with every key: it is answered when
  // the keys rest, or when the field is left.
  document.addEventListener("change", (event) => {
    const form = live(event);
    if (!form) return;
    clearTimeout(waiting);
    if (!pressed) return answer(form);
    waiting = setTimeout(() => answer(form), 600);
  });
  document.addEventListener("keydown", (event) => {
    pressed = true;
    const menu = event.key === "Escape" && document.querySelector("header details[open]");
    if (menu) {
      if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
      closeMenus(null);
    }
    const form = live(event);
    if (!form || !waiting) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => answer(form), event.key === "Enter" ? 0 : 600);
  });
  document.addEventListener("pointerdown", () => { pressed = false; });
  document.addEventListener("focusin", (event) => { if (event.target !== pushed) pushed = null; });
  document.addEventListener("focusout", (event) => { if (waiting && live(event)) answer(live(event)); });
  document.addEventListener("submit", (event) => {
    const form = live(event);
    if (!form) return;
    event.preventDefault();
    answer(form);
  });
  document.addEventListener("click", (event) => {
    closeMenus(event.target);
    const button = event.target.closest("button[data-copy]");
    if (button) copy(button);
    const borough = event.target.closest("svg.map path[data-row]");
    if (borough) choose(borough);
  });
  addEventListener("popstate", () => { pushed = null; show(location.href); });
  document.documentElement.classList.add("scripted");
  ready(document);
})();
