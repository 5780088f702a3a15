import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Cases from '../../bench/cases/cases.js';
import type * as OneShots from '../../bench/cases/one-shot.js';
import type * as Pollution from '../../bench/cases/pollution.js';
import type * as Predicates from '../../bench/cases/predicates.js';
import type * as Competitors from '../../bench/competitors/competitors.js';
import type * as RowsModule from '../../bench/data/rows.js';
import type * as Tamis from '../../bench/competitors/tamis.js';
import type * as CompetitorModule from '../../bench/competitors/competitor.js';
import { compileHarness, readSources } from '../../bench/names/compile.js';
import { createDrawer } from '../../bench/names/draw.js';
import { drawRenaming } from '../../bench/names/renaming.js';
import { reserved } from '../../bench/names/reserved.js';
import { readVocabulary, speaksOfRows, wordsOf } from '../../bench/names/vocabulary.js';
import * as engine from '../../src/index.js';
import { noteOfExtra, whyExtraMissing } from '../support/extra.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = readSources(join(root, 'bench'));
const vocabulary = readVocabulary(sources);

describe('the vocabulary of the rows', () => {
  it('is found in the files that make them', () => {
    expect([...vocabulary.names]).toEqual(
      expect.arrayContaining(['Status', 'NodeResources', 'Arch', 'owner']),
    );
    expect([...vocabulary.keys]).toEqual(expect.arrayContaining(['cpu.arch', 'driver.docker.bridge_ip']));
    expect([...vocabulary.words]).toEqual(expect.arrayContaining(['running', 'frontend', 'central', 'arm']));
    expect([...vocabulary.numbers]).toContain(70);
  });

  it('must not hold words that mean something', () => {
    const rows = { path: 'data/job.ts', text: "export const job = { Kind: 'some-kind' };" };
    expect(() => readVocabulary([rows])).toThrow('must not say some');
  });

  it('covers all names in the cases', () => {
    const known = new Set([...vocabulary.names, ...vocabulary.keys]);
    const properties = sources
      .filter(({ path }) => path.startsWith('cases/') && speaksOfRows(path))
      .flatMap(capitalised);
    expect(properties.filter((name) => !known.has(name))).toEqual([]);
    expect(properties.length).toBeGreaterThan(50);
  });
});

/** The properties that a file reads whose names begin with a capital, which no property of the harness does. */
function capitalised({ path, text }: { readonly path: string; readonly text: string }): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && /^[A-Z]/.test(node.name.text)) found.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true));
  return found;
}

describe('a drawn renaming', () => {
  const seeds = [0, 1, 2, 3, 2 ** 31 - 1];

  it.each(seeds)('gives everything another name of its own (seed %d)', (seed) => {
    const { name, text, number } = drawRenaming(vocabulary, seed);
    const names = [...vocabulary.names].map(name);
    const keys = [...vocabulary.keys].map(text);
    const words = [...vocabulary.words].map(text);
    const originals = new Set([...vocabulary.names, ...vocabulary.keys, ...vocabulary.words]);
    expect(new Set([...names, ...keys].map((one) => one.toLowerCase())).size).toBe(
      names.length + keys.length,
    );
    expect([...names, ...keys].filter((one) => originals.has(one))).toEqual([]);
    expect(names.every((one) => /^[A-Za-z]\w*$/.test(one) && !reserved.has(one.toLowerCase()))).toBe(true);
    expect(keys.every((one) => /^[A-Za-z]\w*\.[A-Za-z]\w*$/.test(one))).toBe(true);
    // A word that is also a name in the rows takes the name's place.
    const plain = [...vocabulary.words].filter((word) => !vocabulary.names.has(word));
    expect(plain.map((word) => text(word).length)).toEqual(plain.map((word) => word.length));
    expect(new Set(words).size).toBe(words.length);
    const numbers = [...vocabulary.numbers];
    expect(new Set([...numbers, ...numbers.map(number)]).size).toBe(2 * numbers.length);
  });

  it('is the same for the same seed and another for another', () => {
    const drawn = seeds.map((seed) => drawRenaming(vocabulary, seed).text('Status == "running"'));
    expect(drawRenaming(vocabulary, seeds[1]!).text('Status == "running"')).toBe(drawn[1]);
    expect(new Set(drawn).size).toBe(seeds.length);
    const lengths = Array.from({ length: 40 }, () => 0).map((_, seed) => createDrawer(seed).name().length);
    expect(new Set(lengths).size).toBeGreaterThan(8);
  });

  it('leaves alone what is not of the rows', () => {
    const { text, name, number } = drawRenaming(vocabulary, 4);
    const word = text('frontend');
    const field = name('Name');
    expect(text('Name matches "(?i)frontend"')).toBe(`${field} matches "(?i)${word}"`);
    expect(text('any TaskGroups as tg { tg.Name == "cache" }')).toBe(
      `any ${name('TaskGroups')} as tg { tg.${field} == "${text('cache')}" }`,
    );
    expect(text('\\bdb\\b|\\w+-\\d')).toBe(`\\b${text('db')}\\b|\\w+-\\d`);
    expect(text('Priority == 70')).toBe(`${name('Priority')} == ${number(70)}`);
    expect(text('WEB Web')).toBe(
      `${text('web').toUpperCase()} ${text('web').replace(/^./, (one) => one.toUpperCase())}`,
    );
    expect(text('starts-with')).toBe('starts-with');
  });
});

describe.each([1, 20_261_122, 77])('the harness that is compiled with the seed %d', (seed) => {
  // In a folder named node_modules, so that it finds the libraries and vitest does not transform it.
  const cache = join(root, 'bench', 'node_modules');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, '.test-'));
  const load = async <T>(path: string): Promise<T> =>
    (await import(pathToFileURL(join(folder, path)).href)) as T;
  let rows: RowsModule.Rows;
  let cases: typeof Cases;

  beforeAll(async () => {
    compileHarness(sources, folder, seed);
    rows = (await load<typeof RowsModule>('data/rows.js')).loadRows('poly', 2000);
    cases = await load('cases/cases.js');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('says nothing of the original rows', () => {
    const files = sources.filter(({ path }) => speaksOfRows(path));
    expect(files.length).toBeGreaterThan(10);
    const survivors = files.flatMap(({ path }) =>
      wordsIn(readFileSync(join(folder, path.replace(/\.ts$/, '.js')), 'utf8')).map(
        (word) => `${path}: ${word}`,
      ),
    );
    expect(survivors).toEqual([]);
  });

  it('finds as many rows of each case as ever', () => {
    for (const { id, byHand, matches } of cases.filterCases)
      expect(`${id} ${byHand(rows).length}`).toBe(`${id} ${matches[2000]}`);
  });

  it('has predicates and one-shot loops for the same', async () => {
    const { handWrittenTests } = await load<typeof Predicates>('cases/predicates.js');
    const { oneShots } = await load<typeof OneShots>('cases/one-shot.js');
    const { createTamis } = await load<typeof Tamis>('competitors/tamis.js');
    const tamis = createTamis(engine);
    for (const { id, kind, byHand } of cases.filterCases) {
      expect(rows[kind].filter(handWrittenTests[id]!.test as () => boolean)).toEqual(byHand(rows));
      expect(handWrittenTests[id]!.alone(rows[kind])).toEqual(byHand(rows));
      for (const turn of [0, 3]) {
        const condition = oneShots[id]!.condition(turn);
        expect(await tamis.write({ condition, kind }).compile()(rows[kind])).toEqual(
          oneShots[id]!.byHand(rows, turn),
        );
      }
    }
  });

  const isMissing = whyExtraMissing('bench') !== null;
  it.skipIf(isMissing)(`runs every competitor in its own language${noteOfExtra('bench')}`, async () => {
    const { competitorNames, loadCompetitor } = await load<typeof Competitors>('competitors/competitors.js');
    const { CannotExpress, tryWrite } = await load<typeof CompetitorModule>('competitors/competitor.js');
    const { otherFilters } = await load<typeof Pollution>('cases/pollution.js');
    let requests = 0;
    for (const name of competitorNames.filter((one) => !one.startsWith('tamis'))) {
      const competitor = await loadCompetitor(name);
      for (const { id, condition, kind, byHand } of cases.filterCases) {
        const written = tryWrite(competitor, { condition, kind });
        if (written instanceof CannotExpress) continue;
        const found = await written.compile()(rows[kind].slice(0, 100));
        const few = { jobs: rows.jobs.slice(0, 100), nodes: rows.nodes.slice(0, 100) };
        expect(found.length, `${id} with ${name}: ${written.form}`).toBe(byHand(few).length);
        requests += 1;
      }
      for (const { condition, kind } of otherFilters) {
        const written = tryWrite(competitor, { condition, kind });
        if (!(written instanceof CannotExpress)) await written.compile()(rows[kind].slice(0, 10));
      }
    }
    expect(requests).toBeGreaterThan(80);
  });
});

/** What of the vocabulary a program still says in its texts, patterns and properties. */
function wordsIn(program: string): string[] {
  const found: string[] = [];
  const look = (text: string): void => {
    const tokens = [
      ...(text.match(/[A-Za-z_]\w*/g) ?? []),
      ...(text.match(/[A-Za-z_][\w-]*(\.[\w-]+)+/g) ?? []),
    ];
    found.push(
      ...tokens.filter((token) => vocabulary.names.has(token) || vocabulary.keys.has(token)),
      ...wordsOf(text.replace(/\\[a-z]/g, ' ')).filter((word) => vocabulary.words.has(word)),
    );
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateLiteralToken(node) ||
      ts.isRegularExpressionLiteral(node)
    )
      look(node.text);
    const name = ts.isPropertyAccessExpression(node) || ts.isPropertyAssignment(node) ? node.name : undefined;
    if (name !== undefined && ts.isIdentifier(name) && vocabulary.names.has(name.text)) found.push(name.text);
    if (ts.isNumericLiteral(node) && vocabulary.numbers.has(Number(node.text))) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('program.js', program, ts.ScriptTarget.ESNext, true));
  return found;
}
