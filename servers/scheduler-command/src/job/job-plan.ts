import { writeJson } from '@tamis/http';
import type { JobDiff } from '@tamis/scheduler-model/job-diff.js';
import { failureLines } from '../views/placement-failures.js';
import { jobPath } from '../find-job.js';
import type { Given } from '../given.js';
import { namespaceFlag, writeLines, type Session } from '../session.js';
import { diffLines } from './diff-lines.js';
import { namespaceOf, readJobArgument, textOf, writeWarnings } from './read-job.js';

interface Plan {
  readonly Diff: JobDiff | null;
  readonly FailedTGAllocs: Readonly<Record<string, unknown>> | null;
  readonly JobModifyIndex: number | bigint;
  readonly NextPeriodicLaunch: string;
  readonly Warnings: string;
}

/** `job plan` */
export async function planJob(session: Session, given: Given): Promise<number> {
  const { api, isJson, namespace, out } = session;
  const file = await readJobArgument(session, given);
  const { job } = file;
  await namespaceOf(session, job);
  const body = { Job: job, Diff: !given.has('no-diff') };
  const path = jobPath(textOf(job, 'ID'), 'plan');
  const plan = await file.send(() => api.put<Plan>(path, body, { namespace }));
  if (isJson) await out.write(`${writeJson(plan, 2)}\n`);
  else {
    await writeWarnings(session, plan.Warnings, file);
    await writeLines(session, planLines(session, plan, given.required('FILE')));
  }
  return failureLines(plan.FailedTGAllocs).length === 0 ? 0 : 2;
}

function planLines(session: Session, plan: Plan, file: string): string[] {
  const { namespace, palette } = session;
  const flag = namespace === null ? '' : namespaceFlag(namespace);
  const failures = failureLines(plan.FailedTGAllocs);
  const launch = Date.parse(plan.NextPeriodicLaunch);
  return [
    ...(plan.Diff === null ? [] : [...diffLines(plan.Diff, session.layout), '']),
    ...(failures.length === 0
      ? [palette.good('all allocations can be placed')]
      : [palette.bad('some allocations cannot be placed:'), ...failures]),
    ...(launch > 0 ? [`next launch: ${plan.NextPeriodicLaunch}`] : []),
    '',
    palette.faint(`scheduler job run${flag} --check-index ${plan.JobModifyIndex} ${file}`),
    palette.faint('runs it if the job has not changed in the meantime.'),
  ];
}
