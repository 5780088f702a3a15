// Applies the map:  node scripts/rename/apply.mjs [--dry-run] [--links] [--no-check] [map/1-….tsv …]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { categoryOf, createLookup, mapFiles, readMap } from './map.mjs';
import { collect, createProgram, isLexical, ownPath, root, ts } from './program.mjs';

const args = process.argv.slice(2);
const has = (flag) => args.includes(flag);
const files = args.filter((arg) => !arg.startsWith('--')).map((file) => basename(file));
const started = Date.now();
const say = (text) => console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);

const textFiles = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
  .split('\n')
  .filter(Boolean);
const entries = readMap(files.length === 0 ? mapFiles() : files);
const lookup = createLookup(entries);
const oldNames = new Set(entries.map(({ old }) => old.replace(/^#/, '')));
const newNames = new Set(entries.flatMap(({ names }) => names));
const isWanted = (name) => oldNames.has(name.replace(/^#/, '')) || newNames.has(name.replace(/^#/, ''));

const program = createProgram();
say(`one program of ${program.getSourceFiles().length} files`);
const before = collect(program, isWanted, { links: has('--links') });
say(`${before.occurrences.length} occurrences of ${before.groups.length} names`);

const mentions = lexicalMentions();
const { chosen, problems } = choose();
const edits = makeEdits();
say(`${chosen.size} names become others, in ${edits.size} files`);
for (const [one, other] of before.linked) {
  const [first, second] = [one, other].map((group) => chosen.get(group) ?? group.name);
  if (first !== second)
    problems.push(
      `${one.name}: ${first} at ${placeOf(one)}, but ${second} at ${placeOf(other)}, which is assigned to it`,
    );
}
for (const problem of new Set(problems)) console.log(`conflict: ${problem}`);
for (const { file, line, name, inDoc } of before.unresolved) {
  if (!inDoc && oldNames.has(name)) console.log(`unresolved: ${file}:${line} ${name}`);
}
for (const { file, number, old, where, uses, kind } of entries) {
  if (uses === 0 && kind !== 'text') console.log(`not found: ${file}:${number} ${old} (${where})`);
}

const texts = new Map();
for (const [file, list] of edits) {
  const path = join(root, file);
  texts.set(path, applyEdits(program.getSourceFile(path).text, list));
}
if (!has('--no-check')) check();
for (const { old, names, test, uses } of entries.filter(({ kind }) => kind === 'text')) {
  void uses;
  for (const file of textFiles.filter(test)) {
    const path = join(root, file);
    const text = texts.get(path) ?? readFileSync(path, 'utf8');
    texts.set(path, text.replaceAll(old, names.join('|')));
  }
}
renameMutations();
if (!has('--dry-run')) {
  for (const [path, text] of texts) writeFileSync(path, text);
  say(`${texts.size} files written`);
}

/** Rewrites the source texts of mutations that changed files have. */
function renameMutations() {
  const path = join(root, 'conformance/mutations.json');
  const lost = [];
  const text = readFileSync(path, 'utf8').replace(/^ *\{"id".*$/gm, (line) => {
    const mutation = JSON.parse(line.replace(/,$/, ''));
    const list = edits.get(mutation.file);
    if (list === undefined) return line;
    const source = program.getSourceFile(join(root, mutation.file)).text;
    const at = source.indexOf(mutation.find);
    const inside =
      at < 0 ? [] : list.filter(({ start, end }) => start >= at && end <= at + mutation.find.length);
    if (at < 0) lost.push(mutation.id);
    if (inside.length === 0) return line;
    const moved = inside.map((edit) => ({ ...edit, start: edit.start - at, end: edit.end - at }));
    const find = applyEdits(mutation.find, moved);
    // The replacement has the same names in the same order, but for those that it drops.
    let replace = '';
    let last = 0;
    for (const { start, end, text: name } of moved) {
      const old = mutation.find.slice(start, end);
      const next = new RegExp(
        `(?<![\\w$.#])${old.replace('$', '\\$')}(?![\\w$])|(?<=[.#])${old}(?![\\w$])`,
        'g',
      );
      next.lastIndex = last;
      const found = next.exec(mutation.replace);
      if (found === null) continue;
      replace += mutation.replace.slice(last, found.index) + name;
      last = found.index + old.length;
    }
    replace += mutation.replace.slice(last);
    const own = (value) => JSON.stringify(value);
    return line
      .replace(`"find":${own(mutation.find)}`, `"find":${own(find)}`)
      .replace(`"replace":${own(mutation.replace)}`, `"replace":${own(replace)}`);
  });
  if (lost.length > 0) console.log(`mutations without their text: ${lost.join(' ')}`);
  texts.set(path, text);
}

/** Where names that others become are mentioned already, by file and name. */
function lexicalMentions() {
  const found = new Map();
  for (const sourceFile of program.getSourceFiles()) {
    const file = ownPath(sourceFile);
    if (file === undefined) continue;
    const visit = (node) => {
      if (ts.isIdentifier(node) && newNames.has(node.text) && isLexical(node))
        mention(found, file, node.text, node.getStart(sourceFile));
      ts.forEachChild(node, visit);
    };
    visit(sourceFile);
  }
  return found;
}

function mention(found, file, name, at) {
  const key = `${file} ${name}`;
  if (!found.has(key)) found.set(key, []);
  found.get(key).push(at);
}

/** Chooses the first name for each group that nothing in its scope has. */
function choose() {
  const chosen = new Map();
  const problems = [];
  const placesOf = new Map();
  const placesByAt = new Map();
  for (const occurrence of before.occurrences) {
    for (const group of new Set([occurrence.group, occurrence.other])) {
      if (group === undefined) continue;
      if (occurrence.isPrivate) group.isPrivate = true;
      if (!placesOf.has(group)) placesOf.set(group, []);
      placesOf.get(group).push(occurrence);
      if (occurrence.form !== 'plain' && group !== occurrence.other) continue;
      const place = `${occurrence.file} ${occurrence.start}`;
      placesByAt.set(place, [...(placesByAt.get(place) ?? []), group]);
    }
  }
  const decided = before.groups
    .map((group) => ({ group, entry: lookup(nameOf(group)) }))
    .filter(({ entry }) => entry !== undefined && entry.names[0] !== '-')
    .sort((a, b) => sizeOf(b.group) - sizeOf(a.group));
  const leaving = new Set(decided.map(({ group }) => group));
  const stays = new Set(
    before.occurrences
      .filter(({ group, other }) => !leaving.has(other ?? group))
      .map(({ file, start }) => `${file} ${start}`),
  );
  for (const { group, entry } of decided) {
    if (group.isForeign) {
      problems.push(`${group.name}: a library declares it too (${placeOf(group)})`);
      continue;
    }
    const names = categoryOf(group) === 'member' ? entry.names.slice(0, 1) : entry.names;
    const name = names.find((each) => isFree(group, each)) ?? undefined;
    if (name === undefined) {
      problems.push(
        `${group.name} -> ${names.join('|')} is taken at ${placeOf(group)}${whoHas(group, names[0])}`,
      );
      continue;
    }
    chosen.set(group, name);
    if (categoryOf(group) !== 'member') {
      for (const { file, start, isLexical } of placesOf.get(group) ?? [])
        if (isLexical) mention(mentions, file, name, start);
    }
  }
  return { chosen, problems };

  function nameOf(group) {
    group.name = group.name.replace(/^(__#\d+@)?#/, '');
    return group;
  }

  function sizeOf(group) {
    if (categoryOf(group) === 'type') return Infinity;
    return Math.max(
      ...group.declarations.map(({ scope }) => (scope === undefined ? Infinity : scope[1] - scope[0])),
    );
  }

  function whoHas(group, name) {
    const files = [...new Set((placesOf.get(group) ?? []).map(({ file }) => file))];
    const file = files.find((each) =>
      (mentions.get(`${each} ${name}`) ?? []).some((at) => stays.has(`${each} ${at}`)),
    );
    return file === undefined ? '' : `, by ${file}`;
  }

  function isFree(group, name) {
    if (categoryOf(group) === 'member') return true;
    const files = new Set(
      (placesOf.get(group) ?? [])
        .filter((each) => each.isLexical && (each.form === 'plain' || each.other === group))
        .map(({ file }) => file),
    );
    if (group.kinds.length === 1 && group.kinds[0] === 'export') return true;
    return [...files].every((file) => {
      const local = group.declarations.filter(
        (each) => each.file === file && each.kind !== 'import' && each.kind !== 'export',
      );
      const scopes = local.length === 0 ? [[0, Infinity]] : local.map(({ scope }) => scope);
      return !(mentions.get(`${file} ${name}`) ?? []).some(
        (at) =>
          scopes.some(([from, to]) => at >= from && at < to) &&
          (stays.has(`${file} ${at}`) || isChosen(file, name, at)),
      );
    });
  }

  function isChosen(file, name, at) {
    return (placesByAt.get(`${file} ${at}`) ?? []).some((group) => chosen.get(group) === name);
  }
}

function makeEdits() {
  const edits = new Map();
  for (const { file, start, end, form, name, group, other, isPrivate } of before.occurrences) {
    const first = chosen.get(group);
    const second = chosen.get(other);
    if (first === undefined && second === undefined) continue;
    let text = isPrivate ? `#${first}` : first;
    let offset = 0;
    if (form !== 'plain') {
      const [property, local] = [first ?? name, second ?? name];
      text = property === local ? property : `${property}: ${local}`;
      offset = property === local ? 0 : property.length + 2;
    }
    if (!edits.has(file)) edits.set(file, []);
    edits.get(file).push({ start, end, text, offset });
  }
  for (const { file, start, end, name } of literals()) {
    if (!edits.has(file)) edits.set(file, []);
    edits.get(file).push({ start, end, text: name, offset: 0 });
  }
  for (const list of edits.values()) list.sort((a, b) => a.start - b.start);
  return edits;
}

/** Literals that name members where the compiler sees texts only: entries of the kind `literal`. */
function* literals() {
  const wanted = entries.filter(({ kind }) => kind === 'literal');
  const taken = new Set(before.occurrences.map(({ file, start }) => `${file} ${start}`));
  for (const sourceFile of program.getSourceFiles()) {
    const file = ownPath(sourceFile);
    const here = file === undefined ? [] : wanted.filter((entry) => entry.test(file));
    if (here.length === 0) continue;
    const found = [];
    const visit = (node) => {
      const entry = ts.isStringLiteralLike(node) ? here.find(({ old }) => old === node.text) : undefined;
      const start = node.getStart(sourceFile) + 1;
      if (entry !== undefined && !taken.has(`${file} ${start}`)) {
        entry.uses += 1;
        found.push({ file, start, end: node.getEnd() - 1, name: entry.names[0] });
      }
      ts.forEachChild(node, visit);
    };
    visit(sourceFile);
    yield* found;
    for (const { name, start } of before.unresolved.filter(
      (each) => each.file === file && !each.inDoc && /^\w/.test(sourceFile.text[each.start]),
    )) {
      const entry = here.find(({ old }) => old === name);
      if (entry !== undefined) yield { file, start, end: start + name.length, name: entry.names[0] };
    }
  }
}

function applyEdits(text, list) {
  let result = '';
  let last = 0;
  for (const { start, end, text: replacement } of list) {
    result += text.slice(last, start) + replacement;
    last = end;
  }
  return (result + text.slice(last)).replace(/\b(\w+) as \1\b(?=\s*[,}])/g, '$1');
}

/** Checks that every name means what it meant: shadowing would not be an error of the compiler. */
function check() {
  const moved = new Map([...edits].map(([file, list]) => [file, createShift(list)]));
  const after = collect(createProgram(texts, program), isWanted);
  const positions = new Map(after.occurrences.map((each) => [`${each.file} ${each.start}`, each]));
  const shift = (file, at) => moved.get(file)?.(at) ?? at;
  const editAt = new Map(
    [...edits].flatMap(([file, list]) => list.map((edit) => [`${file} ${edit.start}`, edit])),
  );
  let wrong = 0;
  const keysOf = (keys, { facts }, move) =>
    [...new Set(keys)]
      .map((key) => {
        const { file, at, syntax } = facts.get(key);
        if (file === undefined) return key;
        const isLocal = syntax === ts.SyntaxKind.BindingElement;
        const offset = move && isLocal ? (editAt.get(`${file} ${at}`)?.offset ?? 0) : 0;
        return `${file}:${move ? shift(file, at) + offset : at}`;
      })
      .sort()
      .join(' ');
  for (const old of before.occurrences) {
    const edit = editAt.get(`${old.file} ${old.start}`);
    const at = shift(old.file, old.start);
    const now = positions.get(`${old.file} ${at}`);
    const local =
      edit !== undefined && edit.offset > 0 ? positions.get(`${old.file} ${at + edit.offset}`) : undefined;
    const found =
      local === undefined ? [now?.keys ?? [], now?.otherKeys ?? []] : [now?.keys ?? [], local.keys];
    const isSame =
      keysOf(old.keys, before, true) === keysOf(found[0], after, false) &&
      (old.form === 'plain' || keysOf(old.otherKeys, before, true) === keysOf(found[1], after, false));
    if (isSame || old.inDoc) continue;
    wrong += 1;
    if (wrong <= 60) {
      const { line } = program.getSourceFile(join(root, old.file)).getLineAndCharacterOfPosition(old.start);
      console.log(`changed meaning: ${old.file}:${line + 1} ${old.name} -> ${edit?.text ?? old.name}`);
      if (has('--verbose'))
        console.log('  ', keysOf(old.keys, before, true), '|', keysOf(found[0], after, false));
    }
  }
  say(`${wrong} names mean something else`);
  if (wrong > 0) process.exitCode = 1;
}

/** Moves offsets of a text to those after its edits. */
function createShift(list) {
  return (at) => {
    let by = 0;
    for (const { start, end, text } of list) {
      if (start >= at) break;
      by += text.length - (end - start);
    }
    return at + by;
  };
}

function placeOf({ declarations }) {
  const own = declarations.find(({ file }) => file !== undefined) ?? declarations[0];
  return `${own.file}:${own.line}`;
}
