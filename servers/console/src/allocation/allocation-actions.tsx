import { useState } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { Action, Actions } from '../detail/action.js';
import { RowLink } from '../detail/links.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { isRunning, tasksOf, type AllocationView } from './allocation-view.js';
import { plainText } from '../text/visible-text.js';

interface AllocationActionsProps {
  readonly allocation: AllocationView;
  readonly onWritten: () => void;
}

const right = 'alloc-lifecycle in its namespace';

/** Actions for an allocation that has not ended. */
export function AllocationActions({ allocation, onWritten }: AllocationActionsProps) {
  const { api } = useConsole();
  const [task, setTask] = useState('');
  const [signal, setSignal] = useState('SIGHUP');
  const id = encodeURIComponent(allocation.ID);
  const names = [...tasksOf(allocation).keys()];
  const put = async <T,>(path: string, body: object) => {
    const result = await api.put<T>(path, body);
    onWritten();
    return result;
  };
  const whole = task === '' ? 'all its tasks' : <UntrustedText text={task} />;
  const choice = <TaskChoice names={names} task={task} onTask={setTask} />;
  return (
    <Actions>
      {isRunning(allocation) && allocation.DesiredStatus !== 'stop' && (
        <>
          <Action
            label="Stop"
            isDangerous
            params="Stop this allocation? Another one takes its place, if its job requires one."
            right={right}
            act={() => put<{ readonly EvalID: string }>(`/v1/allocation/${id}/stop`, {})}
            describeOutcome={({ EvalID }) => (
              <>
                Stopped: <RowLink to="evaluations" id={EvalID} name="its evaluation" />.
              </>
            )}
          />
          <Action
            label="Restart"
            params="Start its tasks again, where they are?"
            right={right}
            act={() =>
              put<unknown>(`/v1/client/allocation/${id}/restart`, { TaskName: task, AllTasks: false })
            }
            describeOutcome={() => <>Restarted: {whole}.</>}
          >
            {choice}
          </Action>
          <Action
            label="Signal"
            params="Send a signal to its tasks?"
            right={right}
            act={() => put<unknown>(`/v1/client/allocation/${id}/signal`, { TaskName: task, Signal: signal })}
            describeOutcome={() => (
              <>
                Sent <UntrustedText text={signal} /> to {whole}.
              </>
            )}
          >
            {choice}
            <label class="field">
              Signal
              <input
                type="text"
                value={signal}
                onInput={({ currentTarget }) => {
                  setSignal(currentTarget.value);
                }}
              />
            </label>
          </Action>
        </>
      )}
    </Actions>
  );
}

interface TaskChoiceProps {
  readonly names: readonly string[];
  /** Name of the task; empty for all tasks. */
  readonly task: string;
  readonly onTask: (task: string) => void;
}

function TaskChoice({ names, task, onTask }: TaskChoiceProps) {
  return (
    <label class="field">
      Task
      <select
        value={task}
        onChange={({ currentTarget }) => {
          onTask(currentTarget.value);
        }}
      >
        <option value="">all that run</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {plainText(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
