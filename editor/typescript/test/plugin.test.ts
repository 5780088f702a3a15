import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteOfExtra, whyExtraMissing } from '../../../test/support/extra.js';
import { makeProject, root, type Project } from './support/project.js';
import { startTsServer, type TsServer } from './support/tsserver.js';

interface DocumentPosition {
  readonly line: number;
  readonly offset: number;
}

const head = `import { compileFilter, defineSchema, t } from 'tamis';
import { filter } from 'tamis/builder';
const ships = defineSchema({ Flag: t.oneOf('white', 'black'), Masts: t.int, Crew: t.list(t.string) });
declare function findJobs(text: string, options: { schema: typeof ships }): void;
`;
/** The place of \`|\` in the code. */
function placeIn(code: string): DocumentPosition {
  const before = code.slice(0, code.indexOf('|')).split('\n');
  return { line: before.length, offset: (before.at(-1) ?? '').length + 1 };
}

const oldest = 'editor/oldest-typescript';
const compilers = [
  { name: 'the TypeScript of this repository', folder: 'node_modules/typescript', isMissing: false },
  {
    name: `the oldest TypeScript, 5.4${noteOfExtra(oldest)}`,
    folder: `${oldest}/node_modules/typescript`,
    isMissing: whyExtraMissing(oldest) !== null,
  },
];

describe.each(compilers)('the plugin of the language service, in $name', ({ folder, isMissing }) => {
  if (isMissing) {
    it.skip('needs that compiler');
    return;
  }

  let project: Project;
  let server: TsServer;
  let file = '';
  beforeAll(() => {
    project = makeProject();
    file = project.file('program.ts', '');
    server = startTsServer(join(root, folder, 'lib/tsserver.js'), project.folder);
    server.send('open', { file, fileContent: head, projectRootPath: project.folder });
  });
  afterAll(async () => {
    await server.close();
    project.remove();
  });

  let length = head.split('\n').length;
  /** Shows the server a program, as an editor does that has changed it. */
  function write(code: string): string {
    const text = head + code;
    server.send('change', {
      file,
      line: 1,
      offset: 1,
      endLine: length + 1,
      endOffset: 1,
      insertString: `${text}\n`,
    });
    length = text.split('\n').length + 1;
    return text;
  }

  it('knows the schema of a list from the table that it was created with', async () => {
    write(
      "import { createTable } from 'tamis/table';\nimport { createList } from 'tamis/query';\n" +
        "const list = createList(createTable(ships, { key: 'Flag' }));\nvoid list.page({ filter: 'Mosts > 2' });",
    );
    const found = (await server.request('semanticDiagnosticsSync', { file })) as readonly {
      readonly text: string;
      readonly source?: string;
    }[];
    const own = found.filter(({ source }) => source === 'tamis');
    expect(own.map(({ text }) => text)).toEqual([expect.stringContaining('did you mean Masts?')]);
  });

  it('underlines the word, and corrects it', async () => {
    const text = write('compileFilter(\'Flog == "black" and Masts > 2\', { schema: ships });');
    const found = (await server.request('semanticDiagnosticsSync', { file })) as readonly {
      readonly text: string;
      readonly start: DocumentPosition;
      readonly end: DocumentPosition;
      readonly category: string;
      readonly source?: string;
      readonly code: number;
    }[];
    const own = found.filter(({ source }) => source === 'tamis');
    const start = placeIn(text.replace('Flog', '|Flog'));
    expect(own).toMatchObject([
      {
        text: 'there is no such field; did you mean Flag?',
        start,
        end: { ...start, offset: start.offset + 4 },
        category: 'error',
      },
    ]);
    const fixes = await server.request('getCodeFixes', {
      file,
      startLine: start.line,
      startOffset: start.offset,
      endLine: start.line,
      endOffset: start.offset + 4,
      errorCodes: own.map(({ code }) => code),
    });
    expect(fixes).toMatchObject([
      {
        description: 'write Flag',
        changes: [{ textChanges: [{ start, end: { offset: start.offset + 4 }, newText: 'Flag' }] }],
      },
    ]);
  });

  it('warns of what is probably not meant, in the functions that the settings name too', async () => {
    write('findJobs(\'Flag == "blak"\', { schema: ships });');
    const found = (await server.request('semanticDiagnosticsSync', { file })) as readonly {
      readonly category: string;
    }[];
    expect(found.map(({ category }) => category)).toEqual(['warning']);
  });

  it.each([
    ["compileFilter('Ma|', { schema: ships });", 'Masts', 'Masts'],
    ["compileFilter('Flag == |', { schema: ships });", '"black"', '"black"'],
    ['compileFilter("Flag == |", { schema: ships });', '"black"', '\\"black\\"'],
    ["compileFilter('Crew |', { schema: ships });", 'is empty', 'is empty'],
  ])('completes %s', async (code, name, insertText) => {
    const text = write(code.replace('|', ''));
    expect(text).not.toContain('|');
    const result = (await server.request('completionInfo', { file, ...placeIn(head + code) })) as {
      readonly entries: readonly { readonly name: string; readonly insertText?: string }[];
    };
    expect(result.entries).toContainEqual(expect.objectContaining({ name, insertText }));
    expect(result.entries.map((entry) => entry.name)).not.toContain('Secret');
  });

  it('describes the token at a position', async () => {
    const code = "compileFilter('not Mas|ts > 2', { schema: ships });";
    write(code.replace('|', ''));
    expect(await server.request('quickinfo', { file, ...placeIn(head + code) })).toMatchObject({
      displayString: 'Masts: int',
    });
  });

  it.each([
    'const so|me = 1;',
    "const part = 'Masts > 2'; const so|me = 1; compileFilter(part + ' and Masts < 9', { schema: ships });",
    'const some = 1; filter`Masts > ${so|me} and Masts < 9`;',
  ])('leaves all else to the language service: %s', async (code) => {
    write(code.replace('|', ''));
    expect(await server.request('quickinfo', { file, ...placeIn(head + code) })).toMatchObject({
      displayString: 'const some: 1',
    });
  });
});
