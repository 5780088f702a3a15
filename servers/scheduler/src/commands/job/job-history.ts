import { writeJson } from '@tamis/http';
import type { Job } from '../../model/job.js';
import type { JobDiff } from '../../model/job-diff.js';
import { formatAge, millisecondsOf } from '../../terminal/ages.js';
import { tableLines, type Column } from '../../terminal/table.js';
import { findJob, jobPath } from '../find-job.js';
import type { Given } from '../given.js';
import { widthOfScreen, writeLines, type Session } from '../session.js';
import { diffLines } from './diff-lines.js';

interface Versions {
  readonly Versions: readonly Job[];
  readonly Diffs: readonly JobDiff[] | null;
}

/** `job history` */
export async function showHistory(session: Session, given: Given): Promise<undefined> {
  const { ID, Namespace: namespace } = await findJob(session, given.required('JOB'));
  const { body } = await session.api.get<Versions>(jobPath(ID, 'versions'), {
    namespace,
    diffs: given.has('diff'),
  });
  if (session.isJson) {
    await session.out.write(`${writeJson(body, 2)}\n`);
    return undefined;
  }
  const layout = { width: widthOfScreen(session), palette: session.palette };
  if (!given.has('diff')) {
    await writeLines(session, tableLines(columns(session), body.Versions, layout));
    return undefined;
  }
  for (const [at, job] of body.Versions.entries()) {
    const diff = body.Diffs?.[at];
    const lines = tableLines(columns(session), [job], layout);
    await writeLines(session, [...lines, ...(diff === undefined ? [] : diffLines(diff, layout)), '']);
  }
  return undefined;
}

function columns({ now }: Session): readonly Column<Job>[] {
  return [
    { title: 'VERSION', cell: ({ Version }) => String(Version) },
    { title: 'STABLE', cell: ({ Stable }) => (Stable ? 'yes' : 'no') },
    { title: 'STOPPED', cell: ({ Stop }) => (Stop ? 'stopped' : ''), isOptional: true },
    { title: 'SUBMITTED', cell: ({ SubmitTime }) => formatAge(millisecondsOf(SubmitTime), now()) },
  ];
}
