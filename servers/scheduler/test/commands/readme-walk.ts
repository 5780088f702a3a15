import { readFileSync } from 'node:fs';

/** A command of the walk in `docs/command.md`, and the lines that it is said to write. */
export interface WalkStep {
  readonly command: string;
  readonly rendered: readonly string[];
}

/** The commands of the walk, in their order. */
export function readWalk(document: URL): readonly WalkStep[] {
  const text = readFileSync(document, 'utf8');
  const section = /^# Command\n([^]*?)\n## /.exec(text)?.[1] ?? '';
  const lines = [...section.matchAll(/```console\n([^]*?)```/g)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const steps: { command: string; rendered: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), rendered: [] });
    else if (line !== '') steps.at(-1)?.rendered.push(line);
  }
  return steps;
}

/** The words of a command line, as a shell takes them apart. */
export function splitWords(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

const id = /\b[0-9a-f]{8}\b/g;

/** What is the same whenever it runs. */
function mask(line: string): string {
  return line
    .replace(id, 'ID')
    .replace(/\b(?:\d+d)?(?:\d+h)?(?:\d+m)?\d+s\b|\bnow\b/g, 'TIME')
    .replace(/\b[1-5]\d{4}\b/g, 'PORT')
    .replace(/TIME ago/g, 'TIME')
    .replace(/ +/g, ' ')
    .trim();
}

/**
 * Finds the expected output in the actual one, line by line; `…` matches any lines. Maps the IDs of the document to real ones.
 *
 * @throws Error with the first line that is not there.
 */
export function matchRendered(printed: readonly string[], written: string, ids: Map<string, string>): void {
  const lines = written.split('\n').filter((line) => line !== '');
  let at = 0;
  let mayPass = false;
  for (const line of printed) {
    if (line === '…') {
      mayPass = true;
      continue;
    }
    const found = lines.findIndex((one, place) => place >= at && mask(one) === mask(line));
    if (found === -1 || (found > at && !mayPass))
      throw new Error(`${JSON.stringify(line)} is not what stands at line ${at} of:\n${written}`);
    const actual = lines[found]?.match(id) ?? [];
    for (const [place, known] of (line.match(id) ?? []).entries()) ids.set(known, actual[place] ?? known);
    at = found + 1;
    mayPass = false;
  }
  if (at < lines.length && !mayPass) throw new Error(`More is written than is shown:\n${written}`);
}
