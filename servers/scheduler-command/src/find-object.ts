import { sanitizeForTerminal } from './terminal/escape-terminal.js';
import { CommandError } from './command-error.js';
import { listPaths } from './list-paths.js';
import { requireNamespace } from './list-rows.js';
import type { Session } from './session.js';

/** Objects with IDs of 36 characters, which can be shortened to a prefix. */
const kinds = {
  allocation: { list: listPaths.allocations, isNamespaced: true },
  node: { list: listPaths.nodes, isNamespaced: false },
  deployment: { list: listPaths.deployments, isNamespaced: true },
  evaluation: { list: listPaths.evaluations, isNamespaced: true },
} as const;

export type ObjectKind = keyof typeof kinds;
export const objectKinds = Object.keys(kinds) as readonly ObjectKind[];

/** The list fields that identify an object. */
export interface ObjectStub {
  readonly ID: string;
  readonly Name?: string;
  readonly JobID?: string;
}

/** Maximum number of candidates named for an ambiguous ID. */
const maxNamed = 10;

/** Returns at most eleven objects whose ID has this prefix. */
export async function objectsBeginning(
  { api, namespace }: Session,
  kind: ObjectKind,
  prefix: string,
): Promise<readonly ObjectStub[]> {
  const { list, isNamespaced } = kinds[kind];
  const where = isNamespaced ? { namespace: namespace ?? '*' } : {};
  const { body } = await api.get<readonly ObjectStub[]>(list, { prefix, per_page: maxNamed + 1, ...where });
  return body;
}

/** Returns the full ID of an object. @throws CommandError if no ID or several IDs have the prefix; several are listed. */
export async function findId(session: Session, kind: ObjectKind, prefix: string): Promise<string> {
  const found = await objectsBeginning(session, kind, prefix);
  const [only] = found;
  if (only === undefined) {
    if (kinds[kind].isNamespaced) await requireNamespace(session);
    throw new CommandError(`There is no ${kind} whose ID begins with ${JSON.stringify(prefix)}`);
  }
  if (found.length > 1 && !found.some(({ ID }) => ID === prefix))
    throw new CommandError(`Several ${kind}s have IDs that begin so:\n${listStubs(found)}`);
  return found.find(({ ID }) => ID === prefix)?.ID ?? only.ID;
}

/** Returns one line per object, full IDs first. */
export function listStubs(found: readonly ObjectStub[]): string {
  const lines = found
    .slice(0, maxNamed)
    .map(({ ID, Name, JobID }) => `  ${sanitizeForTerminal([ID, Name ?? JobID ?? ''].join('  ').trimEnd())}`);
  return [...lines, ...(found.length > maxNamed ? ['  and more'] : [])].join('\n');
}
