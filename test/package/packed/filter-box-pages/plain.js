import '@tamis/filter-box';
import { enhanceFilterInput } from '@tamis/filter-box/plain';
import { schema } from './schema.js';

globalThis.events = [];
const box = document.querySelector('#box');
box.schema = schema.toJSON();
box.saved = [{ name: 'Urgent', filter: 'Priority >= 50' }];
for (const type of ['change', 'submit', 'save', 'remove'])
  box.addEventListener(type, (event) => globalThis.events.push([type, event.detail]));
enhanceFilterInput(document.querySelector('#input'), { schema });
document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  globalThis.events.push(['form', Object.fromEntries(new FormData(event.target))]);
});
