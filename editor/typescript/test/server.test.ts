import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineSchema, t } from 'tamis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startLanguageServer,
  type LanguageClient,
  type DocumentPosition,
} from './support/language-client.js';
import { makeProject, type Project } from './support/project.js';

// Arbitrary names: drawn again in each run.
const draw = (): string => `F${Math.random().toString(36).slice(2, 8)}x`;
const [state, depth, pools, hiddenOne] = [draw(), draw(), draw(), draw()];
const schema = defineSchema({
  [state]: t.oneOf('smoked', 'raw'),
  [depth]: t.int,
  [pools]: t.list(t.struct({ Keeper: t.string })),
  [hiddenOne]: t.hidden(t.string),
});

const defaultSettings = [
  { files: '**/*.tamis', schema: 'schemas/fish.json' },
  { files: 'alerts/*.{yaml,json}', schema: 'schemas/fish.json', at: ['rules', '*', 'filter'] },
];
let project: Project;
let client: LanguageClient;
let count = 0;
beforeAll(async () => {
  project = makeProject();
  project.file('schemas/fish.json', JSON.stringify(schema));
  client = startLanguageServer(join(project.folder, 'node_modules/@tamis/typescript/dist/server.cjs'));
  const uri = pathToFileURL(project.folder).href;
  const result = await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {},
    workspaceFolders: [{ uri, name: 'somebody' }],
    initializationOptions: { filters: defaultSettings },
  });
  expect(result).toMatchObject({ capabilities: { hoverProvider: true, documentFormattingProvider: true } });
  client.notify('initialized', {});
});
afterAll(async () => {
  await client.close();
  project.remove();
});

/** Opens a document; `|` in its source is the returned position. */
function open(
  name: string,
  marked: string,
): { readonly uri: string; readonly text: string; readonly position: DocumentPosition } {
  count += 1;
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const before = marked.slice(0, Math.max(at, 0)).split('\n');
  const uri = pathToFileURL(join(project.folder, name.replace('#', String(count)))).href;
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'tamis', version: 1, text } });
  return { uri, text, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
}

/** What is underlined in a document, and the text after each correction. */
async function reportedAt(
  name: string,
  code: string,
): Promise<readonly (readonly [string, number, readonly string[]])[]> {
  const { uri, text } = open(name, code);
  const lines = text.split('\n');
  const offset = ({ line, character }: DocumentPosition): number =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
  const all = await client.diagnosticsOf(uri, 1);
  return Promise.all(
    all.map(async ({ range, severity }) => {
      const actions = (await client.request('textDocument/codeAction', {
        textDocument: { uri },
        range,
        context: { diagnostics: [] },
      })) as readonly {
        readonly edit: {
          readonly changes: Readonly<Record<string, readonly { range: typeof range; newText: string }[]>>;
        };
      }[];
      const fixed = actions.map(({ edit }) => {
        const [change] = edit.changes[uri] ?? [];
        return change === undefined
          ? text
          : text.slice(0, offset(change.range.start)) + change.newText + text.slice(offset(change.range.end));
      });
      return [text.slice(offset(range.start), offset(range.end)), severity, fixed] as const;
    }),
  );
}

const wrong = `${depth}y`;

describe('the language server', () => {
  it('lists the licences of all bundled packages', () => {
    const text = readFileSync(
      join(project.folder, 'node_modules/@tamis/typescript/dist/THIRD-PARTY-LICENSES.txt'),
      'utf8',
    );
    for (const name of ['chevrotain', 'jsonc-parser', 'vscode-languageserver', 'yaml'])
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it.each([
    ['a#.tamis', `${wrong} > 3\n`, `${depth} > 3\n`],
    ['deep/a#.tamis', `not ${wrong} > 3`, `not ${depth} > 3`],
    [
      'alerts/a#.yaml',
      `rules:\n  - name: x\n    filter: ${wrong} > 3\n`,
      `rules:\n  - name: x\n    filter: ${depth} > 3\n`,
    ],
    [
      'alerts/a#.yaml',
      `rules:\n  one:\n    filter: |-\n      ${depth} > 3 and\n      ${wrong} < 9\n`.replace('|', '>'),
      `rules:\n  one:\n    filter: >-\n      ${depth} > 3 and\n      ${depth} < 9\n`,
    ],
    ['alerts/a#.yaml', `rules: [{ filter: '"it''s" != ${wrong}' }]`, null],
    [
      'alerts/a#.yaml',
      `shared: &one ${wrong} > 3\nrules:\n  - filter: *one\n  - filter: *one\n`,
      `shared: &one ${depth} > 3\nrules:\n  - filter: *one\n  - filter: *one\n`,
    ],
    [
      'alerts/a#.json',
      `// one\n{"rules":[/* two */ {"filter":"${wrong} > 3"},],}`,
      `// one\n{"rules":[/* two */ {"filter":"${depth} > 3"},],}`,
    ],
    [
      'alerts/a#.json',
      `{"rules":[{"filter":"${state} == \\"raw\\" and \\u0028${wrong} > 3)"}]}`,
      `{"rules":[{"filter":"${state} == \\"raw\\" and \\u0028${depth} > 3)"}]}`,
    ],
  ])('underlines the word in %s, and corrects it: %s', async (name, code, fixed) => {
    const [found, ...others] = await reportedAt(name, code);
    expect(others).toEqual([]);
    if (fixed === null) {
      expect(found?.[1]).toBe(1);
      return;
    }
    expect(found?.slice(0, 2)).toEqual([wrong, 1]);
    expect(found?.[2]).toContain(fixed);
  });

  it.each([
    [
      'alerts/a#.yaml',
      `rules: [{ filter: '${state} == "row"' }]`,
      '"row"',
      `rules: [{ filter: '${state} == "raw"' }]`,
    ],
    [
      'alerts/a#.json',
      `{"rules":{"a":{"filter":"${state} == \\"row\\""}}}`,
      '\\"row\\"',
      `{"rules":{"a":{"filter":"${state} == \\"raw\\""}}}`,
    ],
  ])('warns of what is not meant in %s, and keeps the quotes of the file', async (name, code, at, fixed) => {
    expect(await reportedAt(name, code)).toEqual([[at, 2, [fixed]]]);
  });

  it.each([
    [`"ra" in ${state} and ${wrong} > 3`, '{"rules":[{"filter":VALUE}]}', JSON.stringify],
    [`"ra" in ${state} and ${wrong} > 3`, 'rules: [{ filter: VALUE }]', (text: string) => `'${text}'`],
    [
      `'ra' in ${state} and ${wrong} > 3`,
      'rules: [{ filter: VALUE }]',
      (text: string) => `'${text.replaceAll("'", "''")}'`,
    ],
    [`${wrong} > 3`, `rules:\n  - filter: VALUE`, (text: string) => `> # ${wrong} of them\n      ${text}`],
  ])(
    'reports the correct range after any preceding characters: %s in %s',
    async (filter, document, write) => {
      const code = document.replace('VALUE', () => write(filter));
      const found = await reportedAt(document.startsWith('{') ? 'alerts/a#.json' : 'alerts/a#.yaml', code);
      if (filter.startsWith("'")) return expect(found).toHaveLength(1);
      expect(found.map(([at]) => at)).toEqual([wrong]);
      const last = code.lastIndexOf(wrong);
      expect(found[0]?.[2]).toContain(code.slice(0, last) + depth + code.slice(last + wrong.length));
    },
  );

  it('offers no correction that would make another document', async () => {
    const [found] = await reportedAt('alerts/a#.yaml', `rules:\n  - filter: a-b in ${pools}\n`);
    expect(found?.[2] ?? []).toEqual([]);
  });

  it('completes after a trailing space', async () => {
    for (const [name, code] of [
      ['a#.tamis', `${state} == |\n`],
      ['alerts/a#.yaml', `rules:\n  - filter: ${state} == |\n`],
    ] as const) {
      const { uri, position } = open(name, code);
      const items = await client.request('textDocument/completion', { textDocument: { uri }, position });
      expect(items).toContainEqual(expect.objectContaining({ label: '"raw"' }));
    }
  });

  it('continues after invalid settings and addresses', async () => {
    const wrongOnes = [
      null,
      5,
      { files: 7 },
      { files: '*'.repeat(100_000) },
      { files: '*.x', schema: 5 },
      { files: '*.x', at: 'x' },
      { files: '*.x', level: 9 },
    ];
    const filters = [...wrongOnes, { files: './**/*.odd', schema: 'schemas/fish.json' }];
    client.notify('workspace/didChangeConfiguration', { settings: { tamis: { filters } } });
    expect((await reportedAt('a#.odd', `${wrong} > 3`)).map(([at]) => at)).toEqual([wrong]);
    for (const uri of ['file://host/x.odd', 'file:///a%2Fb.odd', 'file:///%ff.odd', 'untitled:x']) {
      client.notify('textDocument/didOpen', {
        textDocument: { uri, languageId: 'tamis', version: 1, text: 'x' },
      });
      const hovered = client.request('textDocument/hover', {
        textDocument: { uri },
        position: { line: 0, character: 0 },
      });
      await expect(hovered).resolves.toBeNull();
    }
    client.notify('workspace/didChangeConfiguration', { settings: { tamis: { filters: defaultSettings } } });
  });

  it.each([
    ['alerts/a#.yaml', `other:\n  - filter: ${wrong} > 3\nrules: nothing\n`],
    ['alerts/a#.yaml', 'rules: [\n'],
    ['alerts/a#.json', `{"rules":[{"filter":7},{"filter":"${depth} > 3"}]}`],
    ['elsewhere/a#.yaml', `rules: [{ filter: '${wrong} > 3' }]`],
    ['a#.tamis', `${depth} > 3 and any ${pools} as p { p.Keeper == "ada" }\n`],
  ])('is silent about all else in %s: %s', async (name, code) => {
    expect(await reportedAt(name, code)).toEqual([]);
  });

  it('reports diagnostics again after each change', async () => {
    const { uri } = open('a#.tamis', `${depth} > 3`);
    expect(await client.diagnosticsOf(uri, 1)).toEqual([]);
    client.notify('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: `${depth} >` }],
    });
    expect(await client.diagnosticsOf(uri, 2)).toHaveLength(1);
  });

  it('completes fields and values, and no hidden one', async () => {
    const field = open('a#.tamis', '|');
    const items = (await client.request('textDocument/completion', {
      textDocument: field,
      position: field.position,
    })) as readonly { readonly label: string }[];
    expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining([state, depth, pools]));
    expect(items.map(({ label }) => label)).not.toContain(hiddenOne);
    const value = open('alerts/a#.json', `{"rules":[{"filter":"${state} == |"}]}`);
    expect(
      await client.request('textDocument/completion', { textDocument: value, position: value.position }),
    ).toContainEqual(
      expect.objectContaining({
        label: '"raw"',
        textEdit: { range: { start: value.position, end: value.position }, newText: '\\"raw\\"' },
      }),
    );
  });

  it('describes the token at a position', async () => {
    const { uri, position } = open(
      'alerts/a#.yaml',
      `rules:\n  - filter: not ${depth.slice(0, 2)}|${depth.slice(2)} > 3`,
    );
    expect(await client.request('textDocument/hover', { textDocument: { uri }, position })).toMatchObject({
      contents: { value: `${depth}: int` },
      range: { start: { line: 1, character: 16 }, end: { line: 1, character: 16 + depth.length } },
    });
  });

  it('formats a file that is a filter', async () => {
    const { uri } = open('a#.tamis', `${depth}>3   and(${state}==raw)\n`);
    const options = { tabSize: 2, insertSpaces: true };
    expect(await client.request('textDocument/formatting', { textDocument: { uri }, options })).toMatchObject(
      [{ newText: `${depth} > 3 and ${state} == "raw"` }],
    );
  });
});
