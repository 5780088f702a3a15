import { useState } from 'preact/hooks';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { Result } from '../api/api-client.js';
import { useConsole } from '../app/console.js';
import { Action, Actions } from '../detail/action.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { counted } from '../text/format.js';

/** The agent's response to a write to a node. */
interface NodeWritten {
  readonly EvalIDs: readonly string[] | null;
}

interface NodeActionsProps {
  readonly node: Node;
  readonly onWritten: () => void;
}

const right = 'node write';
const minute = 60_000_000_000;

/** Actions for a node. */
export function NodeActions({ node, onWritten }: NodeActionsProps) {
  const { api } = useConsole();
  const put = (word: string, body: object) => async () => {
    const path = `/v1/node/${encodeURIComponent(node.ID)}/${word}`;
    const result = await api.put<NodeWritten>(path, { NodeID: node.ID, ...body });
    onWritten();
    return result;
  };
  const describeOutcome =
    (what: string) =>
    ({ EvalIDs }: NodeWritten) =>
      `${what}${EvalIDs === null ? '' : `, ${counted(EvalIDs.length, 'evaluation')}`}.`;
  const name = <UntrustedText text={node.Name} />;
  const isEligible = node.SchedulingEligibility === 'eligible';
  const next = isEligible ? 'ineligible' : 'eligible';
  return (
    <Actions>
      {node.DrainStrategy === null ? (
        <>
          <DrainAction node={node} put={put} describeOutcome={describeOutcome('The drain has begun')} />
          <Action
            label={isEligible ? 'Take no new work' : 'Take new work'}
            params={isEligible ? <>Place nothing new on {name}?</> : <>Let new work be placed on {name}?</>}
            right={right}
            act={put('eligibility', { Eligibility: next })}
            describeOutcome={describeOutcome(`The node is ${next}`)}
          />
        </>
      ) : (
        <Action
          label="End the drain"
          params={<>Let {name} keep what it runs, and take new work?</>}
          right={right}
          act={put('drain', { DrainSpec: null, MarkEligible: true })}
          describeOutcome={describeOutcome('The drain has ended')}
        />
      )}
    </Actions>
  );
}

interface DrainActionProps {
  readonly node: Node;
  readonly put: (word: string, body: object) => () => Promise<Result<NodeWritten>>;
  readonly describeOutcome: (written: NodeWritten) => string;
}

function DrainAction({ node, put, describeOutcome }: DrainActionProps) {
  const [minutes, setMinutes] = useState('60');
  const [deadline, setDeadline] = useState('after');
  const [includesSystem, setIncludesSystem] = useState(false);
  // As in the API: negative for immediately, 0 for no deadline.
  const nanoseconds =
    deadline === 'after' ? Math.round(Number(minutes) * minute) : deadline === 'now' ? -1 : 0;
  return (
    <Action
      label="Drain"
      isDangerous
      params={
        <>
          Move all that runs on <UntrustedText text={node.Name} /> elsewhere, and place nothing new on it?
        </>
      }
      right={right}
      act={put('drain', { DrainSpec: { Deadline: nanoseconds, IgnoreSystemJobs: includesSystem } })}
      describeOutcome={describeOutcome}
    >
      <label class="field">
        What has not moved is stopped
        <select
          value={deadline}
          onChange={({ currentTarget }) => {
            setDeadline(currentTarget.value);
          }}
        >
          <option value="after">after some minutes</option>
          <option value="never">never</option>
          <option value="now">at once</option>
        </select>
      </label>
      {deadline === 'after' && (
        <label class="field">
          Minutes
          <input
            type="number"
            min="1"
            max="10080"
            required
            value={minutes}
            onInput={({ currentTarget }) => {
              setMinutes(currentTarget.value);
            }}
          />
        </label>
      )}
      <label class="field">
        <input
          type="checkbox"
          checked={includesSystem}
          onChange={({ currentTarget }) => {
            setIncludesSystem(currentTarget.checked);
          }}
        />
        Leave system jobs where they are
      </label>
    </Action>
  );
}
