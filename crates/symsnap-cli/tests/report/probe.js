// Tries out PAGE in frames of two widths and writes down what it finds.
const number = (text) => { const found = text.replace('−', '-').match(/[-+]?\d+(\.\d+)?/); return found ? Number(found[0]) : -Infinity; };
const click = (element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true }));

function sorts(document) {
  return [...document.querySelectorAll('table[data-sort]')].every((table) => {
    const head = [...table.tHead.rows[0].cells];
    return head.every((cell, column) => {
      if (!cell.classList.contains('n')) return true;
      const values = () => [...table.tBodies[0].rows].map((row) => number(row.cells[column].textContent));
      click(cell.querySelector('button'));
      const falling = values();
      click(cell.querySelector('button'));
      const rising = values();
      const right = (list, sign) => list.every((value, at) => at === 0 || value === list[at - 1] || (value > list[at - 1]) === (sign > 0));
      return right(falling, -1) && right(rising, 1);
    });
  });
}

function filters(document) {
  const form = document.querySelector('.filters');
  if (!form) return null;
  const shown = () => [...document.querySelectorAll('tr[data-task]')].filter((row) => !row.hidden).length;
  const set = (element, value) => { element.value = value; element.dispatchEvent(new Event('input', { bubbles: true })); };
  const found = { all: shown() };
  set(form.querySelector('[name=cost]'), 'mdl');
  found.cost = shown();
  set(form.querySelector('[name=cost]'), '');
  set(form.querySelector('input'), 'TRAIN');
  found.text = shown();
  set(form.querySelector('input'), 'nothing like it');
  found.none = shown();
  set(form.querySelector('input'), '');
  return found;
}

// What sticks out to the right and is not inside a box that scrolls.
function overflow(document, width) {
  const root = document.documentElement;
  const wide = root.scrollWidth > width ? [`page: ${root.scrollWidth}`] : [];
  for (const element of document.querySelectorAll('main *')) {
    if (element.closest('.scroll') && !element.classList.contains('scroll')) continue;
    if (element.closest('svg') && element.tagName !== 'svg') continue;
    if (element.getBoundingClientRect().right > width + 1) wide.push(`${element.tagName}.${element.className}`);
  }
  return wide.slice(0, 10);
}

async function look(width) {
  const frame = document.createElement('iframe');
  frame.style.cssText = `width:${width}px;height:900px;border:0`;
  const errors = [];
  const watch = "<script>window.problems=[];addEventListener('error',(e)=>problems.push(e.message));" +
    "console.error=(...all)=>problems.push(all.join(' '));</" + 'script>';
  frame.srcdoc = PAGE.replace('<head>', '<head>' + watch);
  const loaded = new Promise((done) => { frame.onload = done; });
  document.body.append(frame);
  await loaded;
  const inside = frame.contentDocument;
  inside.querySelectorAll('details').forEach((it) => { it.open = true; });
  const found = {
    title: inside.title,
    charts: inside.querySelectorAll('svg').length,
    details: inside.querySelectorAll('details').length,
    text: inside.body.innerText.length,
    overflow: overflow(inside, width),
    sorted: sorts(inside),
    rows: filters(inside),
  };
  found.errors = errors.concat(frame.contentWindow.problems);
  return found;
}

(async () => {
  const found = {};
  for (const width of [1280, 400]) found[width] = await look(width).catch((error) => ({ errors: [String(error)] }));
  document.body.replaceChildren(Object.assign(document.createElement('pre'), { id: 'found', textContent: JSON.stringify(found) }));
})();
