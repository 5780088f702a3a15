import { writeJson } from '@tamis/http';
import { ApiError } from '../api/api-error.js';
import type { Namespace } from '@tamis/scheduler-model/namespace.js';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';
import { fieldLines } from '../terminal/table.js';
import { readPair, type Given } from '../given.js';
import { listPaths } from '../list-paths.js';
import { writeLines, type Session } from '../session.js';

function namespacePath(name: string): string {
  return `/v1/namespace/${encodeURIComponent(name)}`;
}

interface Counts {
  readonly Facets: {
    readonly Status: { readonly Values: readonly { readonly Value: string; readonly Count: number }[] };
  };
}

/** `namespace status` */
export async function printNamespace(session: Session, given: Given): Promise<void> {
  const { api, isJson, out } = session;
  const name = given.required('NAME');
  const { body } = await api.get<Namespace>(namespacePath(name));
  if (isJson) {
    await out.write(`${writeJson(body, 2)}\n`);
    return;
  }
  const jobs = await countJobs(session, name);
  const meta = Object.entries(body.Meta ?? {}).map(([key, value]) => `${key}=${value}`);
  const fields = [
    ['Name', body.Name, 'whole'],
    ['Description', body.Description],
    ['Jobs', jobs],
    ['Meta', meta.join(', ')],
  ] as const;
  await writeLines(session, fieldLines(fields, session.layout));
}

/** Returns `3 running, 1 dead`; empty without the required right. */
async function countJobs({ api }: Session, namespace: string): Promise<string> {
  try {
    const { body } = await api.get<Counts>(listPaths.jobs, { namespace, facets: 'Status' });
    return body.Facets.Status.Values.map(({ Value, Count }) => `${Count} ${Value}`).join(', ') || 'none';
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return '';
    throw error;
  }
}

/** `namespace apply` */
export async function applyNamespace(session: Session, given: Given): Promise<void> {
  const { api, isJson, out } = session;
  const Name = given.required('NAME');
  const changes = given.texts('meta').map((text) => readPair('meta', text));
  const stored = await readStored(session, Name);
  const Meta = new Map(Object.entries(stored?.Meta ?? {}));
  for (const [key, value] of changes) {
    if (value === '') Meta.delete(key);
    else Meta.set(key, value);
  }
  const Description = given.text('description') ?? stored?.Description ?? '';
  await api.put(namespacePath(Name), { ...stored, Name, Description, Meta: Object.fromEntries(Meta) });
  if (!isJson) await out.write(`${sanitizeForTerminal(Name)} ${stored === null ? 'made' : 'changed'}\n`);
}

async function readStored({ api }: Session, name: string): Promise<Namespace | null> {
  try {
    return (await api.get<Namespace>(namespacePath(name))).body;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** `namespace delete` */
export async function deleteNamespace({ api, isJson, out }: Session, given: Given): Promise<void> {
  const name = given.required('NAME');
  await api.delete(namespacePath(name));
  if (!isJson) await out.write(`${sanitizeForTerminal(name)} deleted\n`);
}
