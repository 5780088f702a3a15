import type { Job } from '@tamis/scheduler-model/job.js';
import type { JobDiff } from '@tamis/scheduler-model/job-diff.js';
import { formatAge, millisecondsOf } from '../terminal/ages.js';
import { tableLines, type Column } from '../terminal/table.js';
import { findJob, jobPath } from '../find-job.js';
import type { Given } from '../given.js';
import { writeResponse, type Session } from '../session.js';
import { diffLines } from './diff-lines.js';

interface Versions {
  readonly Versions: readonly Job[];
  readonly Diffs: readonly JobDiff[] | null;
}

/** `job history` */
export async function printHistory(session: Session, given: Given): Promise<void> {
  const { ID, Namespace: namespace } = await findJob(session, given.required('JOB'));
  const { body } = await session.api.get<Versions>(jobPath(ID, 'versions'), {
    namespace,
    diffs: given.has('diff'),
  });
  const { layout } = session;
  await writeResponse(session, body, () => {
    if (!given.has('diff')) return tableLines(columns(session), body.Versions, layout);
    return body.Versions.flatMap((job, at) => {
      const diff = body.Diffs?.[at];
      const lines = tableLines(columns(session), [job], layout);
      return [...lines, ...(diff === undefined ? [] : diffLines(diff, layout)), ''];
    });
  });
}

function columns({ now }: Session): readonly Column<Job>[] {
  return [
    { title: 'VERSION', cell: ({ Version }) => String(Version) },
    { title: 'STABLE', cell: ({ Stable }) => (Stable ? 'yes' : 'no') },
    { title: 'STOPPED', cell: ({ Stop }) => (Stop ? 'stopped' : ''), isOptional: true },
    { title: 'SUBMITTED', cell: ({ SubmitTime }) => formatAge(millisecondsOf(SubmitTime), now()) },
  ];
}
