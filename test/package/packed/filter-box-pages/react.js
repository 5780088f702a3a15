import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { FilterBox } from '@tamis/filter-box/react';
import { schema } from './schema.js';

function App() {
  const [value, setValue] = useState('Status == "dead"');
  const [applied, setApplied] = useState('');
  return createElement(
    'main',
    null,
    createElement('h1', null, 'React'),
    createElement(FilterBox, {
      ...{ value, schema, label: 'Filter of jobs', name: 'filter' },
      // Rejects a value, as a controlled input may.
      onChange: (next) => next.includes('#') || setValue(next),
      onSubmit: (next, error) => setApplied(error === null ? next : `error: ${error.message}`),
    }),
    createElement('p', { id: 'value' }, value),
    createElement('p', { id: 'applied' }, applied),
  );
}
createRoot(document.querySelector('#app')).render(createElement(App));
