import { useState } from 'preact/hooks';
import type { Job } from '@tamis/scheduler-model/job.js';
import type { Result } from '../api/api-client.js';
import { useConsole } from '../app/console.js';
import { jobAddress } from '../app/location.js';
import { Action, Actions } from '../detail/action.js';
import { RowLink } from '../detail/links.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { jobPath } from './job-query.js';

/** The agent's response to a write to a job. */
export interface JobWritten {
  readonly EvalID: string;
  readonly JobModifyIndex: number;
  readonly Warnings?: string;
}

interface JobActionsProps {
  readonly job: Job;
  readonly onWritten: () => void;
}

/** Describes the completed action, with its evaluation and the agent's warnings. */
export function describeOutcome(what: string, { EvalID, Warnings = '' }: JobWritten) {
  return (
    <>
      {what}
      {EvalID !== '' && (
        <>
          : <RowLink to="evaluations" id={EvalID} name="its evaluation" />
        </>
      )}
      . {Warnings !== '' && <UntrustedText text={Warnings.trim()} maxLength={2_000} isExpandable hasLines />}
    </>
  );
}

/** Actions for a job as a whole. */
export function JobActions({ job, onWritten }: JobActionsProps) {
  const { api } = useConsole();
  const query = { namespace: job.Namespace };
  const then = async <T,>(pending: Promise<Result<T>>): Promise<Result<T>> => {
    const result = await pending;
    onWritten();
    return result;
  };
  const name = <UntrustedText text={job.ID} />;
  return (
    <Actions>
      {!job.Stop && (
        <Action
          label="Stop"
          isDangerous
          params={<>Stop the job {name}, with all that runs of it? It stays listed.</>}
          right="submit-job in its namespace"
          act={() => then(api.delete<JobWritten>(jobPath(job), { query }))}
          describeOutcome={(written) => describeOutcome('Stopped', written)}
        />
      )}
      {!job.Stop && job.Periodic === null && job.ParameterizedJob === null && (
        <Action
          label="Evaluate"
          params={<>Look again at what of {name} is to be placed?</>}
          right="submit-job in its namespace"
          act={() => then(api.put<JobWritten>(jobPath(job, '/evaluate'), { JobID: job.ID }, { query }))}
          describeOutcome={(written) => describeOutcome('Evaluated', written)}
        />
      )}
      {job.Periodic !== null && !job.Stop && (
        <Action
          label="Launch now"
          params={<>Launch {name} now, whatever its timetable says?</>}
          right="submit-job and dispatch-job in its namespace"
          act={() => then(api.put<JobWritten>(jobPath(job, '/periodic/force'), {}, { query }))}
          describeOutcome={(written) => describeOutcome('Launched', written)}
        />
      )}
      {job.ParameterizedJob !== null && !job.Dispatched && !job.Stop && (
        <DispatchAction job={job} onWritten={onWritten} />
      )}
    </Actions>
  );
}

/** Starts a child of a parameterised job with arguments. */
function DispatchAction({ job, onWritten }: JobActionsProps) {
  const { api } = useConsole();
  const [meta, setMeta] = useState<Readonly<Record<string, string>>>({});
  const [payload, setPayload] = useState('');
  const required = job.ParameterizedJob?.MetaRequired ?? [];
  const optional = job.ParameterizedJob?.MetaOptional ?? [];
  const takesPayload = job.ParameterizedJob?.Payload !== 'forbidden';
  const dispatch = async (): Promise<Result<{ readonly DispatchedJobID: string }>> => {
    const body = {
      JobID: job.ID,
      Meta: Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== '')),
      ...(payload === '' ? {} : { Payload: base64Of(payload) }),
    };
    const query = { namespace: job.Namespace };
    const result = await api.put<{ readonly DispatchedJobID: string }>(jobPath(job, '/dispatch'), body, {
      query,
    });
    onWritten();
    return result;
  };
  return (
    <Action
      label="Dispatch"
      params={
        <>
          Start a job of <UntrustedText text={job.ID} />?
        </>
      }
      right="dispatch-job in its namespace"
      act={dispatch}
      describeOutcome={({ DispatchedJobID }) => (
        <>
          Started{' '}
          <a href={jobAddress({ ID: DispatchedJobID, Namespace: job.Namespace })}>
            <UntrustedText text={DispatchedJobID} />
          </a>
        </>
      )}
    >
      {[...required, ...optional].map((key) => (
        <label class="field" key={key}>
          <UntrustedText text={key} /> {required.includes(key) && '(needed)'}
          <input
            type="text"
            value={meta[key] ?? ''}
            onInput={({ currentTarget }) => {
              setMeta({ ...meta, [key]: currentTarget.value });
            }}
          />
        </label>
      ))}
      {takesPayload && (
        <label class="field">
          Payload
          <textarea
            rows={4}
            value={payload}
            onInput={({ currentTarget }) => {
              setPayload(currentTarget.value);
            }}
          />
        </label>
      )}
    </Action>
  );
}

function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
