import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { JobDiff } from '@tamis/scheduler-model/job-diff.js';
import type { ApiFailure } from '../api/api-failure.js';
import { useConsole } from '../app/console.js';
import { FailureNotice } from '../app/failure-notice.js';
import { Action, Actions, Refusal } from '../detail/action.js';
import { DiffTree } from '../detail/diff-tree.js';
import { PlacementFailures } from '../detail/placement-failures.js';
import { Section } from '../detail/section.js';
import { UntrustedText } from '../text/untrusted-text.js';
import type { DefinitionEditor } from './definition-editor.js';
import { readDefinition } from './definition-source.js';
import { describeOutcome, type JobWritten } from './job-actions.js';
import { jobPath, readRight } from './job-query.js';

/** The agent's plan for a definition. */
interface JobPlan {
  readonly Annotations: { readonly DesiredTGUpdates: Readonly<Record<string, GroupUpdates>> | null };
  readonly FailedTGAllocs: object | null;
  readonly Diff: JobDiff | null;
  readonly Warnings: string;
}

type GroupUpdates = Readonly<
  Record<'Ignore' | 'Place' | 'Migrate' | 'Stop' | 'InPlaceUpdate' | 'DestructiveUpdate' | 'Canary', number>
>;

const submitRight = 'submit-job in its namespace';

/** The loaded definition and the index of its job. */
interface Read {
  readonly text: string;
  readonly index: number;
}

interface JobDefinitionProps {
  readonly job: Job;
  readonly onWritten: () => void;
}

/** Edits the definition of a job: plan first, then submit if the job has not changed meanwhile. */
export function JobDefinition({ job, onWritten }: JobDefinitionProps) {
  const [read, setRead] = useState<Read | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [turn, setTurn] = useState(0);
  const { api } = useConsole();
  useEffect(() => {
    const end = new AbortController();
    const load = async (): Promise<void> => {
      const query = { namespace: job.Namespace, pretty: 'true' };
      const [result, { definitionOf }] = await Promise.all([
        api.text(jobPath(job), { query, signal: end.signal }),
        import('./definition-editor.js'),
      ]);
      if (end.signal.aborted) return;
      setFailure(result.ok ? null : result.failure);
      if (!result.ok) return;
      const { JobModifyIndex } = JSON.parse(result.value) as { readonly JobModifyIndex: number };
      setRead({ text: definitionOf(result.value), index: JobModifyIndex });
    };
    load().catch(() => {
      setFailure({ kind: 'unreachable', status: 0, message: 'The editor could not be loaded.' });
    });
    return () => {
      end.abort();
    };
  }, [turn]);
  const again = (): void => {
    setTurn((last) => last + 1);
  };
  return (
    <Section title="Definition">
      {failure !== null && <FailureNotice failure={failure} what="the definition" right={readRight} />}
      {read !== null && Number(job.JobModifyIndex) > read.index && (
        <p class="notice warning" role="status">
          The job has been changed since this was read.{' '}
          <button type="button" onClick={again}>
            Read it again
          </button>{' '}
          What you have written here is lost then.
        </p>
      )}
      {read !== null && (
        <Editing
          key={read.text}
          job={job}
          read={read}
          onWritten={(index) => {
            setRead({ ...read, index });
            onWritten();
          }}
        />
      )}
    </Section>
  );
}

/** Returns the body of a registration. The JSON is sent unchanged: parsing and serialising numbers may change them. */
function bodyOf(text: string, index: number, more: string): string {
  return `{"Job":${text},"EnforceIndex":true,"JobModifyIndex":${index}${more}}`;
}

interface EditingProps {
  readonly job: Job;
  readonly read: Read;
  /** Called with the index of the written job, on which the editor's content is now based. */
  readonly onWritten: (index: number) => void;
}

function Editing({ job, read, onWritten }: EditingProps) {
  const { api } = useConsole();
  const [plan, setPlan] = useState<JobPlan | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [isPlanning, setIsPlanning] = useState(false);
  const changes = useRef(0);
  /** The JSON that the current plan belongs to. */
  const planned = useRef('');
  const { host, text: textNow } = useEditor(read.text, () => {
    changes.current += 1;
    setPlan(null);
    setFailure(null);
  });
  const clauseFor = async (): Promise<void> => {
    const before = changes.current;
    setIsPlanning(true);
    const source = await readDefinition(textNow());
    const result = source.ok
      ? await api.put<JobPlan>(jobPath(job, '/plan'), bodyOf(source.json, read.index, ',"Diff":true'))
      : { ok: false as const, failure: { kind: 'refused' as const, status: 0, message: source.problem } };
    setIsPlanning(false);
    // Otherwise the plan of an outdated definition would be submitted with it.
    if (changes.current !== before) return;
    planned.current = source.ok ? source.json : '';
    setPlan(result.ok ? result.value : null);
    setFailure(result.ok ? null : result.failure);
  };
  const submit = async () => {
    const result = await api.put<JobWritten>(jobPath(job), bodyOf(planned.current, read.index, ''));
    if (result.ok) {
      setPlan(null);
      onWritten(result.value.JobModifyIndex);
    }
    return result;
  };
  return (
    <>
      <div ref={host} class="definition" />
      <p>
        <button type="button" class="primary" aria-disabled={isPlanning} onClick={() => void clauseFor()}>
          {isPlanning ? 'Planning …' : 'Plan'}
        </button>{' '}
        <span class="quiet">
          Nothing changes until it is submitted. You can also enter a job file in HCL instead of JSON.
        </span>
      </p>
      {failure !== null && <Refusal failure={failure} right={submitRight} />}
      {plan !== null && <PlanView plan={plan} />}
      {/* Stays when its button is removed: it shows the result of the last action. */}
      <Actions>
        {plan !== null && (
          <Action
            label="Submit"
            params={
              <>
                Register this definition of <UntrustedText text={job.ID} />?
              </>
            }
            right={submitRight}
            act={submit}
            describeOutcome={(written) => describeOutcome('Submitted', written)}
          />
        )}
      </Actions>
    </>
  );
}

/** The editor in its element. */
function useEditor(text: string, onChange: () => void) {
  const host = useRef<HTMLDivElement>(null);
  const current = useRef<DefinitionEditor | null>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    let isLeft = false;
    void import('./definition-editor.js').then(({ createDefinitionEditor }) => {
      if (isLeft || host.current === null) return;
      current.current = createDefinitionEditor(host.current, {
        text,
        label: 'Definition',
        onChange: () => {
          latest.current();
        },
      });
    });
    return () => {
      isLeft = true;
      current.current?.destroy();
    };
  }, []);
  return { host, text: () => current.current?.text() ?? text };
}

const updateWords: readonly (readonly [keyof GroupUpdates, string])[] = [
  ['Place', 'to place'],
  ['Canary', 'canaries'],
  ['DestructiveUpdate', 'to replace'],
  ['InPlaceUpdate', 'to change in place'],
  ['Migrate', 'to move'],
  ['Stop', 'to stop'],
  ['Ignore', 'that stay as they are'],
];

function PlanView({ plan }: { readonly plan: JobPlan }) {
  const groups = Object.entries(plan.Annotations.DesiredTGUpdates ?? {});
  return (
    <div class="card" role="region" aria-label="Plan">
      <h3>What would be done</h3>
      <ul class="plain">
        {groups.slice(0, 100).map(([name, counts]) => (
          <li key={name}>
            <UntrustedText text={name} />:{' '}
            {updateWords
              .filter(([word]) => counts[word] > 0)
              .map(([word, text]) => `${counts[word]} ${text}`)
              .join(', ') || 'nothing'}
          </li>
        ))}
        {groups.length === 0 && <li>Nothing is placed at once.</li>}
      </ul>
      {plan.FailedTGAllocs !== null && (
        <>
          <h3>What would fail</h3>
          <PlacementFailures of={plan.FailedTGAllocs} />
        </>
      )}
      {plan.Warnings !== '' && (
        <p class="notice warning">
          <UntrustedText text={plan.Warnings.trim()} maxLength={2_000} isExpandable hasLines />
        </p>
      )}
      {plan.Diff !== null && (
        <>
          <h3>What differs</h3>
          <DiffTree diff={plan.Diff} />
        </>
      )}
    </div>
  );
}
