import type { Engine } from './engines.js';
import { isClickhouse, jsonProperties, quotedColumn } from './test-mapping.js';

/** JSON of shapes that no row of the test table has. */
const shapes = [
  ...[
    'null',
    '[]',
    '{}',
    '""',
    '"a"',
    '1.5',
    '1e400',
    '-1e-400',
    'true',
    '[null]',
    '[[]]',
    '[1e999, "a", {}]',
  ],
  ...['{"k": {}}', '{"k": 1e400}', '{"k": "x"}', '[{"Name": 1, "Count": 1.5, "Tags": {}}]'],
  ...['{"Spec": [], "Every": "x"}', '{"One": 5, "Label": null}'],
];
const instants = ['infinity', '-infinity', '0044-03-15 BC', '12026-01-01'];
const dates = ['0000-00-00', '2026-02-00', '2026-02-31', '0000-01-01'];
const arrays = [`'{{a,b},{c,NULL}}'`, `'[5:6]={a,b}'`, `'{}'`];

/** Puts what no row has into the rows r0, r1 .. of a table `wild`: JSON of other shapes, and instants beyond the years. */
export async function spoil(engine: Engine, rows: number, pick: <T>(from: readonly T[]) => T): Promise<void> {
  const { dialect, run } = engine;
  if (isClickhouse(dialect)) {
    const updates = Array.from({ length: rows }, (_, at) => {
      const texts = jsonProperties(dialect).map((name) => [name, pick([...shapes, 'no json', ''])] as const);
      const set = texts.map(([name, text]) => `${quotedColumn(dialect, name)} = '${text}'`).join();
      return `UPDATE ${set} WHERE ${quotedColumn(dialect, 'id')} = 'r${at}'`;
    });
    await run(`ALTER TABLE wild ${updates.join()}`, []);
    return;
  }
  const named = (name: string): string => quotedColumn(dialect, name);
  const update = (name: string, value: string, at: number): string =>
    `UPDATE wild SET ${named(name)} = ${value} WHERE ${named('id')} = 'r${at}'`;
  const json = ['labels', 'meta', 'counts', 'groups', 'periodic', 'deep'];
  for (let at = 0; at < rows; at += 1) {
    for (const name of dialect === 'sqlite' || dialect === 'mysql'
      ? [...json, 'tags', 'notes', 'nums', 'flags']
      : json) {
      const text = pick(dialect === 'postgres' ? shapes : [...shapes, 'no json', '']);
      const value = dialect === 'postgres' ? '$1::jsonb' : '?';
      await run(update(name, value, at), [text]);
    }
    if (dialect === 'mysql') await run(update('at', `'${pick(dates)}'`, at), []);
    if (dialect !== 'postgres') continue;
    await run(`UPDATE wild SET "at""?" = '${pick(instants)}' WHERE "id""?" = 'r${at}'`, []);
    await run(`UPDATE wild SET "tags""?" = ${pick(arrays)} WHERE "id""?" = 'r${at}'`, []);
  }
}
