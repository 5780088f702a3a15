import type { Engine } from './engines.js';

/** JSON of shapes that no row of the house has. */
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
const arrays = [`'{{a,b},{c,NULL}}'`, `'[5:6]={a,b}'`, `'{}'`];

/** Puts what no row has into the rows r0, r1 .. of a table `wild`: JSON of other shapes, and instants beyond the years. */
export async function spoil(
  { dialect, run }: Engine,
  rows: number,
  pick: <T>(from: readonly T[]) => T,
): Promise<void> {
  const json = ['labels', 'meta', 'counts', 'groups', 'periodic', 'deep'];
  for (let at = 0; at < rows; at += 1) {
    for (const name of dialect === 'sqlite' ? [...json, 'tags', 'notes', 'nums', 'flags'] : json) {
      const text = pick(dialect === 'sqlite' ? [...shapes, 'no json', ''] : shapes);
      const value = dialect === 'sqlite' ? '?' : '$1::jsonb';
      await run(`UPDATE wild SET "${name}""?" = ${value} WHERE "id""?" = 'r${at}'`, [text]);
    }
    if (dialect !== 'postgres') continue;
    await run(`UPDATE wild SET "at""?" = '${pick(instants)}' WHERE "id""?" = 'r${at}'`, []);
    await run(`UPDATE wild SET "tags""?" = ${pick(arrays)} WHERE "id""?" = 'r${at}'`, []);
  }
}
