import { setTimeout as pause } from 'node:timers/promises';
import { readJson } from '@tamis/http';
import { checkAssertion } from './assertion.js';
import { CaseFileError, mapping, sequence, type Case, type Mapping, type Step } from './case-file.js';
import { exchange, targetOf, type Exchange } from './exchange.js';
import { openFixture, type Fixture } from './fixture.js';
import { findPath, sourceOf } from './json-path.js';
import { resolve, type Names } from './placeholder.js';
import { print } from './value.js';

/** What a case found wrong, one line each; empty when it passed. */
export type Findings = readonly string[];

/** Runs one case on a server of its own. @throws CaseFileError when the case itself is wrong. */
export async function runCase(fixtures: Mapping, given: Case): Promise<Findings> {
  let fixture: Fixture;
  try {
    fixture = await openFixture(fixtures, given);
  } catch (error) {
    if (error instanceof CaseFileError) throw error;
    return [`${given.id}: ${messageOf(error)}`];
  }
  try {
    const names = new Map(fixture.names);
    for (const [at, step] of given.steps.entries()) {
      const found = await runStep(step, fixture, names);
      // What comes later builds on this step.
      if (found.length > 0) return found.map((line) => `${given.id} step ${at + 1}: ${line}`);
    }
    return [];
  } finally {
    await fixture.close();
  }
}

async function runStep(step: Step, { origin }: Fixture, names: Map<string, unknown>): Promise<Findings> {
  let request = `${String(step.req['method'] ?? 'GET')} ${targetOf(step.req)}`;
  try {
    const req = resolve(step.req, names) as Mapping;
    request = `${String(req['method'] ?? 'GET')} ${targetOf(req)}`;
    const expect = resolve(step.expect, names) as Mapping;
    const [response] = await Promise.all([send(origin, req, expect), meanwhile(origin, step, names)]);
    const problems = findProblems(response, expect);
    if (problems.length === 0) save(step.save, response, names);
    return problems.map((problem) => `${request}: ${problem}`);
  } catch (error) {
    if (error instanceof CaseFileError) throw error;
    return [`${request}: ${messageOf(error)}`];
  }
}

async function meanwhile(origin: URL, step: Step, names: Names): Promise<void> {
  if (step.meanwhile === null) return;
  await pause(step.meanwhile.afterMs);
  const { status, text } = await exchange(origin, resolve(step.meanwhile.req, names) as Mapping);
  if (status !== 200) throw new Error(`the request meanwhile: ${status} ${print(text)}`);
}

/** Pause between the requests that give a streaming server something to report. */
const trafficPause = 200;

async function send(origin: URL, req: Mapping, expect: Mapping): Promise<Exchange> {
  if (expect['stream'] === undefined) return exchange(origin, req);
  const readFor = Number((expect['stream'] as Mapping)['for_ms'] ?? 1_000);
  const end = new AbortController();
  const traffic = (async (): Promise<void> => {
    while (!end.signal.aborted) {
      await pause(trafficPause);
      await exchange(origin, { method: 'GET', path: '/v1/status/leader' });
    }
  })();
  try {
    return await exchange(origin, req, { readFor });
  } finally {
    end.abort();
    await traffic;
  }
}

function findProblems(response: Exchange, expect: Mapping): Findings {
  const { status, headers = {}, json, min_ms: min, max_ms: max, stream } = expect;
  const problems = [
    statusProblem(response, status),
    ...Object.entries(headers as Mapping).map(([name, expected]) => headerProblem(response, name, expected)),
    ...textProblems(response.text, expect),
    min !== undefined && response.elapsed < Number(min)
      ? `expected at least ${String(min)} ms, got ${Math.round(response.elapsed)}`
      : null,
    max !== undefined && response.elapsed > Number(max)
      ? `expected at most ${String(max)} ms, got ${Math.round(response.elapsed)}`
      : null,
    ...(stream === undefined ? [] : streamProblems(response.text, stream as Mapping)),
    ...(json === undefined ? [] : jsonProblems(response.text, sequence(json, 'json'))),
  ];
  return problems.filter((problem) => problem !== null);
}

function statusProblem({ status, text }: Exchange, expected: unknown): string | null {
  const fits =
    expected === undefined ||
    (expected === '4xx_or_500' && ((status >= 400 && status < 500) || status === 500)) ||
    (expected === 'one_of_200_429' && (status === 200 || status === 429)) ||
    (typeof expected === 'bigint' && status === Number(expected));
  if (typeof expected === 'string' && !['4xx_or_500', 'one_of_200_429'].includes(expected)) {
    throw new CaseFileError(`unknown status ${expected}`);
  }
  return fits ? null : `expected status ${String(expected)}, got ${status} ${print(text)}`;
}

function headerProblem({ headers }: Exchange, name: string, expected: unknown): string | null {
  const value = headers[name.toLowerCase()];
  const fits =
    expected === 'absent'
      ? value === undefined
      : typeof expected === 'object' && expected !== null
        ? value !== undefined && fitsHeader(value, expected as Mapping)
        : value === String(expected);
  return fits ? null : `expected header ${name} ${print(expected)}, got ${print(value)}`;
}

function fitsHeader(value: string, { match, gt, any_of: anyOf }: Mapping): boolean {
  return (
    (match === undefined || new RegExp(String(match)).test(value)) &&
    (gt === undefined || (/^\d+$/.test(value) && BigInt(value) > BigInt(String(gt)))) &&
    (anyOf === undefined || sequence(anyOf, 'any_of').some((item) => String(item) === value))
  );
}

function textProblems(text: string, expect: Mapping): (string | null)[] {
  const { text: exact, text_match: match, text_not_match: notMatch, raw_not_match: rawNotMatch } = expect;
  const got = `got ${print(text)}`;
  return [
    exact !== undefined && text !== String(exact) ? `expected text ${print(exact)}, ${got}` : null,
    match !== undefined && !new RegExp(String(match)).test(text)
      ? `expected text to match ${String(match)}, ${got}`
      : null,
    ...[notMatch, rawNotMatch].map((pattern) =>
      pattern !== undefined && new RegExp(String(pattern)).test(text)
        ? `expected text not to match ${String(pattern)}, ${got}`
        : null,
    ),
  ];
}

/** What `frames` may say of the objects that came back to back: how many at least, that there are some, or what is in them. */
function streamProblems(text: string, { text_match: match, frames }: Mapping): (string | null)[] {
  const found = [...text.matchAll(/\{[^{}]*\}/g)].map(([frame]) => frame);
  const list = `[${found.join(',')}]`;
  const problems = Array.isArray(frames)
    ? jsonProblems(list, frames)
    : [countProblem(found.length, frames, text)];
  if (match === undefined) return problems;
  const expected = new RegExp(String(match), 'm');
  const fits = expected.test(text) || (frames !== undefined && expected.test(loggedIn(list)));
  return [fits ? null : `expected the stream to match ${String(match)}, got ${print(text)}`, ...problems];
}

function countProblem(count: number, frames: unknown, text: string): string | null {
  if (frames === undefined) return null;
  if (frames !== true && typeof frames !== 'bigint') return 'frames is not a number in this vocabulary';
  return count >= Number(frames) ? null : `expected ${String(frames)} frames, got ${count}: ${print(text)}`;
}

/** What the frames of a log carry. */
function loggedIn(list: string): string {
  const frames = sequence(readJson(list), 'frames') as readonly Mapping[];
  return frames.map(({ Data }) => Buffer.from(String(Data ?? ''), 'base64').toString()).join('');
}

function jsonProblems(text: string, assertions: readonly unknown[]): (string | null)[] {
  let body: unknown;
  try {
    body = readJson(text);
  } catch {
    return [`expected JSON, got ${print(text)}`];
  }
  return assertions.map((assertion) => checkAssertion(mapping(assertion, 'json'), body, text));
}

/** Sources: `header:NAME`, `json:PATH`, `json:PATH#raw` (the digits as sent), `body`. */
function save(expected: Mapping, response: Exchange, names: Map<string, unknown>): void {
  for (const [name, source] of Object.entries(expected)) names.set(name, savedValue(String(source), response));
}

function savedValue(source: string, response: Exchange): unknown {
  const [, kind, rest = ''] = /^(body$|header:|json:)(.*)$/.exec(source) ?? [];
  if (kind === 'body') return response.text;
  if (kind === 'header:') return response.headers[rest.toLowerCase()] ?? '';
  if (kind !== 'json:') throw new CaseFileError(`unknown source ${source} in save`);
  const isRaw = rest.endsWith('#raw');
  const path = isRaw ? rest.slice(0, -'#raw'.length) : rest;
  const [place] = findPath(readJson(response.text), path);
  if (place === undefined) throw new Error(`there is nothing at ${path} to save`);
  return isRaw ? sourceOf(response.text, place) : place.value;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
