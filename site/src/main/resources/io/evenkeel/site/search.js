// Searches the sections of all pages. The index is loaded when the reader first needs it.
'use strict';

(() => {
  const root = document.documentElement.dataset.root;
  const input = document.getElementById('search');
  const results = document.getElementById('results');
  const MOST = 12;
  let loading;

  const load = () => (loading ??= new Promise((loaded) => {
    const script = document.createElement('script');
    script.src = root + 'search-index.js';
    script.onload = loaded;
    document.head.append(script);
  }));

  // Every word must be there; a word of a title or a heading says more than one of the text.
  const score = (section, words) => {
    const heading = section.heading.toLowerCase();
    const page = section.page.toLowerCase();
    const text = section.text.toLowerCase();
    let sum = 0;
    for (const word of words) {
      const times = text.split(word).length - 1;
      const part = (heading.includes(word) ? 20 : 0) + (page.includes(word) ? 5 : 0) + Math.min(times, 5);
      if (part === 0) {
        return 0;
      }
      sum += part + (heading === word ? 40 : 0);
    }
    return sum;
  };

  const element = (name, text) => {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  };

  // The text around the first word that is found, with all words marked.
  const excerpt = (text, words) => {
    const lower = text.toLowerCase();
    const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length);
    const from = first === text.length ? 0 : Math.max(0, lower.lastIndexOf(' ', first - 50) + 1);
    const to = from + 170;
    const shown = to < text.length ? text.slice(from, text.lastIndexOf(' ', to)) + ' …' : text.slice(from);
    const paragraph = element('p', from > 0 ? '… ' : '');
    const pattern = new RegExp('(' + words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|') + ')', 'i');
    shown.split(pattern).forEach((part, i) => paragraph.append(element(i % 2 ? 'mark' : 'span', part)));
    return paragraph;
  };

  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.replaceChildren();
    results.hidden = words.length === 0;
    if (words.length === 0) {
      return;
    }
    const found = window.searchIndex
      .map((section) => ({ section, score: score(section, words) }))
      .filter((hit) => hit.score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST);
    for (const { section } of found) {
      const link = document.createElement('a');
      link.href = root + section.url;
      link.append(element('b', section.heading), ' ');
      if (section.heading !== section.page) {
        link.append(element('span', section.page));
      }
      link.append(excerpt(section.text, words));
      const item = document.createElement('li');
      item.append(link);
      results.append(item);
    }
    if (found.length === 0) {
      const none = element('li', 'Nothing found.');
      none.className = 'none';
      results.append(none);
    }
  };

  const close = () => {
    results.hidden = true;
  };

  // The page's own entry may be further down in the navigation.
  document.querySelector('#navigation [aria-current]')?.scrollIntoView({ block: 'nearest' });

  input.addEventListener('focus', load);
  input.addEventListener('input', () => load().then(show));
  input.form.addEventListener('submit', (event) => {
    event.preventDefault();
    load().then(() => {
      show();
      results.querySelector('a')?.click();
      close();
    });
  });
  results.addEventListener('click', close);
  document.addEventListener('click', (event) => {
    if (!input.form.contains(event.target)) {
      close();
    }
  });
  document.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === '/' && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    } else if (event.key === 'Escape') {
      close();
    } else if (event.key === 'ArrowDown' && !results.hidden && at + 1 < links.length) {
      event.preventDefault();
      links[at + 1].focus();
    } else if (event.key === 'ArrowUp' && at >= 0) {
      event.preventDefault();
      (links[at - 1] ?? input).focus();
    }
  });
})();
