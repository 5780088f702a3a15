import { parseDocument } from 'yaml';

/** A file of cases that cannot be run. The message says where and what is wrong. */
export class CaseFileError extends Error {
  override readonly name = 'CaseFileError';
}

/** A mapping of the file. Integers are bigints. */
export type Mapping = Readonly<Record<string, unknown>>;

export interface Case {
  readonly id: string;
  readonly given: string;
  readonly config: Mapping;
  readonly env: Mapping;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly req: Mapping;
  readonly expect: Mapping;
  readonly save: Mapping;
  readonly meanwhile: { readonly afterMs: number; readonly req: Mapping } | null;
}

export interface CaseFile {
  readonly fixtures: Mapping;
  readonly cases: readonly Case[];
}

/** The words of the vocabulary, by their permitted positions. Any other word is an error. */
const words = {
  file: ['about', 'vocabulary', 'fixtures', 'cases'],
  case: ['id', 'priority', 'title', 'source', 'cite', 'note', 'given', 'config', 'env', 'steps'],
  step: ['req', 'expect', 'save', 'meanwhile'],
  meanwhile: ['after_ms', 'req'],
  req: ['method', 'path', 'pathraw', 'query', 'rawquery', 'headers', 'json', 'raw'],
  expect: [
    'status',
    'headers',
    'text',
    'text_match',
    'text_not_match',
    'raw_not_match',
    'json',
    'min_ms',
    'max_ms',
    'stream',
  ],
  header: ['match', 'gt', 'any_of'],
  stream: ['for_ms', 'text_match', 'frames'],
  assertion: [
    'at',
    'eq',
    'match',
    'len',
    'type',
    'has',
    'lacks',
    'gt',
    'ids',
    'set_eq',
    'sorted',
    'all_eq',
    'contains',
    'values',
    'raw_match',
    'absent',
  ],
} as const;

/** Reads a file of cases. @throws CaseFileError for what is no YAML and for every word that is not known. */
export function readCaseFile(text: string): CaseFile {
  const document = parseDocument(text, { intAsBigInt: true, prettyErrors: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw new CaseFileError(problem.message);
  const file = mapping(document.toJS() as unknown, 'file', words.file);
  const cases = sequence(file['cases'], 'cases').map((value, at) => readCase(value, `cases[${at}]`));
  const twice = cases.find(({ id }, at) => cases.findIndex((other) => other.id === id) !== at);
  if (twice !== undefined) throw new CaseFileError(`two cases are called ${twice.id}`);
  return { fixtures: mapping(file['fixtures'] ?? {}, 'fixtures'), cases };
}

function readCase(value: unknown, place: string): Case {
  const { id, given, config, env, steps } = mapping(value, place, words.case);
  if (typeof id !== 'string') throw new CaseFileError(`${place}: expected an id`);
  if (typeof given !== 'string') throw new CaseFileError(`${id}: expected given, the name of a fixture`);
  return {
    id,
    given,
    config: mapping(config ?? {}, `${id}: config`),
    env: mapping(env ?? {}, `${id}: env`),
    steps: sequence(steps, `${id}: steps`).map((step, at) => readStep(step, `${id}: steps[${at}]`)),
  };
}

function readStep(value: unknown, place: string): Step {
  const { req, expect, save, meanwhile } = mapping(value, place, words.step);
  return {
    req: readRequest(req, `${place}.req`),
    expect: readExpect(expect ?? {}, `${place}.expect`),
    save: mapping(save ?? {}, `${place}.save`),
    meanwhile: meanwhile === undefined ? null : readMeanwhile(meanwhile, `${place}.meanwhile`),
  };
}

function readMeanwhile(value: unknown, place: string): Step['meanwhile'] {
  const { after_ms: after, req } = mapping(value, place, words.meanwhile);
  return { afterMs: Number(after ?? 0), req: readRequest(req, `${place}.req`) };
}

function readRequest(value: unknown, place: string): Mapping {
  const request = mapping(value, place, words.req);
  if (typeof request['path'] !== 'string' && typeof request['pathraw'] !== 'string') {
    throw new CaseFileError(`${place}: expected path or pathraw`);
  }
  return request;
}

function readExpect(value: unknown, place: string): Mapping {
  const expect = mapping(value, place, words.expect);
  const { headers = {}, json = [], stream } = expect;
  for (const [name, expected] of Object.entries(mapping(headers, `${place}.headers`))) {
    if (typeof expected === 'object') mapping(expected, `${place}.headers.${name}`, words.header);
  }
  for (const [at, assertion] of sequence(json, `${place}.json`).entries()) {
    mapping(assertion, `${place}.json[${at}]`, words.assertion);
  }
  if (stream !== undefined) mapping(stream, `${place}.stream`, words.stream);
  return expect;
}

export function mapping(value: unknown, place: string, known?: readonly string[]): Mapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CaseFileError(`${place}: expected a mapping`);
  }
  const unknown = known === undefined ? undefined : Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined && known !== undefined) {
    throw new CaseFileError(`${place}: unknown key "${unknown}", expected one of ${known.join(', ')}`);
  }
  return value as Mapping;
}

export function sequence(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new CaseFileError(`${place}: expected a list`);
  return value as readonly unknown[];
}
