'use strict';
document.documentElement.classList.add('js');
const value = (row, column) => row.cells[column].textContent.trim();
const number = (text) => { const found = text.replace('−', '-').match(/[-+]?\d+(\.\d+)?/); return found ? Number(found[0]) : -Infinity; };
for (const table of document.querySelectorAll('table[data-sort]')) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const numeric = head.classList.contains('n');
      const rising = head.getAttribute('aria-sort') ? head.getAttribute('aria-sort') !== 'ascending' : !numeric;
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', rising ? 'ascending' : 'descending');
      const rows = [...table.tBodies[0].rows];
      const order = (a, b) => Number(a > b) - Number(a < b);
      const compare = (a, b) => numeric ? order(number(value(a, column)), number(value(b, column))) : value(a, column).localeCompare(value(b, column));
      rows.sort((a, b) => rising ? compare(a, b) : compare(b, a));
      table.tBodies[0].append(...rows);
    });
  });
}
for (const form of document.querySelectorAll('.filters')) {
  const apply = () => {
    const wanted = Object.fromEntries([...form.querySelectorAll('select')].map((it) => [it.name, it.value]));
    const text = form.querySelector('input').value.toLowerCase();
    let shown = 0;
    for (const item of document.querySelectorAll('[data-task]')) {
      const right = Object.entries(wanted).every(([name, value]) => !value || item.dataset[name] === value);
      item.hidden = !(right && item.dataset.task.toLowerCase().includes(text));
      if (!item.hidden && item.tagName === 'TR') shown += 1;
    }
    form.querySelector('output').textContent = `${shown} rows`;
  };
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  apply();
}
addEventListener('beforeprint', () => document.querySelectorAll('details').forEach((it) => { it.open = true; }));
