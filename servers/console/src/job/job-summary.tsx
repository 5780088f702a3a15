import type { GroupSummary, JobSummary } from '@tamis/scheduler-model/job-summary.js';
import { FailureNotice } from '../app/failure-notice.js';
import { Section } from '../detail/section.js';
import { useReading } from '../live/use-reading.js';
import { countText, counted } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { jobQuery, readRight, type JobName } from './job-query.js';

/** The shown states. The first ones also fit on a narrow page. */
const states: readonly (keyof GroupSummary)[] = [
  'Running',
  'Failed',
  'Lost',
  'Queued',
  'Starting',
  'Complete',
];

/** Maximum groups shown. A job may have 2,000. */
const maxGroups = 100;

/** Shows the states of a job's allocations by group, and its children by status. */
export function JobSummarySection({ job }: { readonly job: JobName }) {
  const { value, failure } = useReading<JobSummary>(
    jobQuery(job, '/summary', [`Job:${job.ID}`, `Allocation:${job.ID}`]),
  );
  const groups = Object.entries(value?.Summary ?? {});
  const { Pending = 0, Running = 0, Dead = 0 } = value?.Children ?? {};
  const children = Number(Pending) + Number(Running) + Number(Dead);
  return (
    <Section title="Summary">
      {failure !== null && <FailureNotice failure={failure} what="the summary" right={readRight} />}
      {groups.length > 0 && (
        <div class="scroll-x" tabIndex={0} role="region" aria-label="Allocations by group">
          <table class="group-counts">
            <thead>
              <tr>
                <th scope="col">Group</th>
                {states.map((state) => (
                  <th scope="col" class="number" key={state}>
                    {state}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {groups.slice(0, maxGroups).map(([name, counts]) => (
                <tr key={name}>
                  <th scope="row">
                    <UntrustedText text={name} />
                  </th>
                  {states.map((state) => (
                    <td class="number" key={state}>
                      {countText(Number(counts?.[state] ?? 0))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {groups.length > maxGroups && <p>{counted(groups.length - maxGroups, 'more group')}</p>}
      {children > 0 && (
        <p>
          Children: {countText(Number(Pending))} pending, {countText(Number(Running))} running,{' '}
          {countText(Number(Dead))} dead
        </p>
      )}
    </Section>
  );
}
