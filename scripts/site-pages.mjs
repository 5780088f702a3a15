import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { compileFunction } from 'node:vm';
import { root } from './prepare.mjs';

/** Markdown folders of the repository, with the folder of the site for their pages. */
const folders = /** @type {const} */ ([
  ['docs', ''],
  ['docs/guides', 'guides'],
  ['servers/scheduler/docs', 'scheduler'],
  ['servers/secrets/docs', 'secrets'],
]);

/** The other pages of the site, by their file in the repository. */
const single = {
  'extra/site/home.md': 'index.md',
  'README.md': 'overview.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
  'CHANGELOG.md': 'changelog.md',
  'conformance/LEVEL-0.md': 'level-0.md',
  'servers/scheduler/README.md': 'scheduler/index.md',
  'servers/secrets/README.md': 'secrets/index.md',
};

/**
 * The pages of the site: their path on it, by their file in the repository.
 *
 * @returns {Map<string, string>}
 */
export function sitePages() {
  return new Map([
    ...Object.entries(single),
    ...folders.flatMap(([folder, to]) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => /** @type {const} */ ([`${folder}/${name}`, posix.join(to, name)])),
    ),
  ]);
}

/**
 * Writes the pages into a folder, with links as VitePress needs them.
 *
 * @param {string} to
 */
export async function stagePages(to) {
  const pages = sitePages();
  for (const [file, page] of pages) {
    const source = readFileSync(join(root, file), 'utf8');
    const text = outsideFences(source, (line) => convertLinks(line, file, page, pages, to));
    // Entries of the changelog would hide the pages that they are about.
    const head = file === 'CHANGELOG.md' ? '---\nsearch: false\n---\n\n' : '';
    write(join(to, page), head + (file === 'docs/language.md' ? addPlayground(text) : text));
  }
  write(join(to, 'sample.json'), JSON.stringify(await playgroundSample()));
}

/**
 * The schema and the rows of the examples in docs/language.md, as the playground reads them from a link.
 *
 * @returns {Promise<{ schema: unknown, rows: string }>}
 */
export async function playgroundSample() {
  const page = readFileSync(join(root, 'docs/language.md'), 'utf8');
  const [, rest = ''] = page.split('## Example rows');
  const code = /```ts\n([\s\S]*?)```/.exec(rest)?.[1] ?? '';
  const rows = /```json\n([\s\S]*?)```/.exec(rest)?.[1] ?? '[]';
  const { defineSchema, t } = await import('../dist/index.js');
  const body = code.replace(/^import .*$/gm, '').replace('export const schema =', 'return');
  const schema = compileFunction(body, ['defineSchema', 't'])(defineSchema, t);
  return { schema: schema.toJSON(), rows: rows.trim() };
}

/**
 * Makes each filter in a table with its results a link that opens it in the playground.
 *
 * @param {string} text
 */
function addPlayground(text) {
  let isExample = false;
  return outsideFences(text, (line) => {
    if (!line.startsWith('|')) isExample = false;
    else if (/\| Filter +\| Finds/.test(line)) isExample = true;
    else if (isExample)
      return line.replace(/(``? ?)((?:\\\||[^|])*?)( ?``?)(?= +\| [^|]*\|$)/, (code, _open, filter) => {
        const plain = filter.replaceAll('\\|', '|').replace(/[&"<>{}|]/g, entity);
        return `<a class="try" href="playground/" target="_self" title="Open in the playground" data-filter="${plain}">${code}</a>`;
      });
    return line;
  });
}

/** @param {string} character */
function entity(character) {
  return `&#${character.charCodeAt(0)};`;
}

/**
 * Applies `convert` to the lines of a document that are not code.
 *
 * @param {string} text
 * @param {(line: string) => string} convert
 */
function outsideFences(text, convert) {
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      return isCode ? line : convert(line);
    })
    .join('\n');
}

/**
 * Points the links of a line to pages of the site; other files of the repository become files of the site, and folders plain text.
 *
 * @param {string} line
 * @param {string} file
 * @param {string} page
 * @param {ReadonlyMap<string, string>} pages
 * @param {string} to
 */
function convertLinks(line, file, page, pages, to) {
  return line.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, label, target) => {
    if (/^([a-z]+:|#)/.test(target)) return link;
    const [path = '', anchor] = target.split('#');
    const from = posix.join(posix.dirname(file), path);
    const relative = (/** @type {string} */ other) => {
      const way = posix.relative(posix.dirname(page), other);
      return way.startsWith('.') ? way : `./${way}`;
    };
    const known = pages.get(from);
    if (known !== undefined)
      return `[${label}](${relative(known)}${anchor === undefined ? '' : `#${anchor}`})`;
    if (from.startsWith('docs/api/'))
      return `[${label}](${relative(from.replace('docs/', ''))}){target="_self"}`;
    const source = join(root, from);
    if (!existsSync(source)) throw new Error(`${file}: the link ${target} leads to no file`);
    if (statSync(source).isDirectory()) return label;
    const copy = `files/${from}.txt`;
    mkdirSync(dirname(join(to, 'public', copy)), { recursive: true });
    copyFileSync(source, join(to, 'public', copy));
    return `[${label}](${relative(copy)}){target="_self"}`;
  });
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
