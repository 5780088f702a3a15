import { printAllocation } from '../alloc/alloc-status.js';
import { CommandError } from '../command-error.js';
import { printDeploymentOf } from '../deployment/deployment-status.js';
import { printEvaluationOf } from '../eval/eval-status.js';
import { jobsBeginning, readJob } from '../find-job.js';
import {
  listStubs,
  objectKinds,
  objectsBeginning,
  type ObjectKind,
  type ObjectStub,
} from '../find-object.js';
import type { Given } from '../given.js';
import { printJob } from '../job/job-status.js';
import { createListCommand } from '../views/list-views.js';
import { printNode } from '../node/node-status.js';
import type { Session } from '../session.js';

const print: Readonly<Record<ObjectKind, (session: Session, id: string) => Promise<void>>> = {
  allocation: printAllocation,
  node: printNode,
  deployment: printDeploymentOf,
  evaluation: printEvaluationOf,
};

/** `status`: prints the jobs, or the object with an ID. A job with exactly that ID takes precedence. */
export async function runStatus(session: Session, given: Given): Promise<number | void> {
  const id = given.argument('ID');
  if (id === null) return createListCommand('jobs')(session, given);
  const job = session.namespace === '*' ? null : await readJob(session, id, session.namespace);
  if (job !== null) return printJob(session, job);
  const found = await findEverywhere(session, id);
  const [only, ...others] = found;
  if (only === undefined) throw new CommandError(`Nothing has an ID that begins with ${JSON.stringify(id)}`);
  if (others.length > 0) throw new CommandError(`Several IDs begin so:\n${listFound(found)}`);
  if (only.kind !== 'job') return print[only.kind](session, only.stub.ID);
  const whole = await readJob(session, only.stub.ID, only.namespace);
  if (whole === null) throw new CommandError(`The job ${JSON.stringify(only.stub.ID)} has just been purged`);
  return printJob(session, whole);
}

type Found =
  | { readonly kind: 'job'; readonly stub: ObjectStub; readonly namespace: string }
  | { readonly kind: ObjectKind; readonly stub: ObjectStub };

async function findEverywhere(session: Session, id: string): Promise<readonly Found[]> {
  const jobs = jobsBeginning(session, id);
  const others = /^[0-9a-f-]+$/i.test(id) ? objectKinds : [];
  const found = await Promise.all(
    others.map(async (kind) =>
      (await objectsBeginning(session, kind, id)).map((stub): Found => ({ kind, stub })),
    ),
  );
  return [
    ...(await jobs).map(({ ID, Namespace }): Found => ({ kind: 'job', stub: { ID }, namespace: Namespace })),
    ...found.flat(),
  ];
}

function listFound(found: readonly Found[]): string {
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  return kinds
    .map(
      (kind) => `${kind}s:\n${listStubs(found.filter((one) => one.kind === kind).map(({ stub }) => stub))}`,
    )
    .join('\n');
}
