import type { JobDiff } from '@tamis/scheduler-model/job-diff.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { useConsole } from '../app/console.js';
import { FailureNotice } from '../app/failure-notice.js';
import { Action, Actions } from '../detail/action.js';
import { DiffTree } from '../detail/diff-tree.js';
import { Section } from '../detail/section.js';
import { useReading } from '../live/use-reading.js';
import { Age } from '../text/age.js';
import { describeOutcome, type JobWritten } from './job-actions.js';
import { jobPath, readRight, type JobName } from './job-query.js';

interface JobVersionsResponse {
  readonly Versions: readonly Job[];
  readonly Diffs: readonly JobDiff[] | null;
}

/** Shows the stored versions of a job, newest first, each with its changes from the previous one. */
export function JobVersions({ job }: { readonly job: JobName }) {
  const { value, failure, refresh } = useReading<JobVersionsResponse>({
    path: jobPath(job, '/versions'),
    query: { namespace: job.Namespace, diffs: 'true' },
    topics: [`Job:${job.ID}`],
  });
  const current = value?.Versions[0];
  return (
    <Section title="Versions">
      {failure !== null && <FailureNotice failure={failure} what="the versions" right={readRight} />}
      {value?.Versions.map((version, at) => {
        const diff = value.Diffs?.[at];
        return (
          <div class="card" key={String(version.Version)}>
            <p>
              <strong>Version {String(version.Version)}</strong>
              {version.Stable && ', stable'}
              {version.Stop && ', stopped'}, submitted <Age nanoseconds={version.SubmitTime} />
            </p>
            {diff === undefined ? (
              <p class="quiet">The oldest version that is kept.</p>
            ) : (
              <DiffTree diff={diff} />
            )}
            {current !== undefined && at > 0 && (
              <Revert version={version} current={current} onWritten={refresh} />
            )}
          </div>
        );
      })}
    </Section>
  );
}

interface RevertProps {
  readonly version: Job;
  readonly current: Job;
  readonly onWritten: () => void;
}

function Revert({ version, current, onWritten }: RevertProps) {
  const { api } = useConsole();
  const number = Number(version.Version);
  const revert = async () => {
    const body = {
      JobID: current.ID,
      JobVersion: number,
      // Concurrent changes are not overwritten.
      EnforcePriorVersion: Number(current.Version),
    };
    const query = { namespace: current.Namespace };
    const result = await api.put<JobWritten>(jobPath(current, '/revert'), body, { query });
    onWritten();
    return result;
  };
  return (
    <Actions>
      <Action
        label={`Revert to version ${number}`}
        params={`Return to version ${number}, as a new version after ${String(current.Version)}?`}
        right="submit-job in its namespace"
        act={revert}
        describeOutcome={(written) => describeOutcome(`Reverted to version ${number}`, written)}
      />
    </Actions>
  );
}
