import { useConsole } from '../app/console.js';
import { addressOf } from '../app/location.js';
import { LogView } from './log-view.js';
import { isRunning, tasksOf, type AllocationView } from './allocation-view.js';
import { plainText } from '../text/visible-text.js';

const types = ['stdout', 'stderr'] as const;

/** The logs of an allocation; the address contains the task and the output. */
export function AllocationLogs({ allocation }: { readonly allocation: AllocationView }) {
  const { location } = useConsole();
  const { query } = location.place.value;
  const names = [...tasksOf(allocation).keys()];
  const task = query.get('task') ?? names[0] ?? '';
  const type = types.find((known) => known === query.get('type')) ?? 'stdout';
  const go = (next: { readonly task?: string; readonly type?: string }): void => {
    location.go(addressOf(['allocations', allocation.ID], { view: 'logs', task, type, ...next }), {
      replace: true,
    });
  };
  if (task === '') return <p class="quiet">No information about its tasks.</p>;
  return (
    <>
      <div class="log-bar">
        <label class="field">
          Task
          <select
            value={task}
            onChange={({ currentTarget }) => {
              go({ task: currentTarget.value });
            }}
          >
            {[...new Set([...names, task])].map((name) => (
              <option key={name} value={name}>
                {plainText(name)}
              </option>
            ))}
          </select>
        </label>
        <div role="group" aria-label="Output" class="log-bar">
          {types.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === type}
              onClick={() => {
                go({ type: each });
              }}
            >
              {each}
            </button>
          ))}
        </div>
      </div>
      <LogView
        key={`${type} ${task}`}
        params={{ allocation: allocation.ID, task, type, isRunning: isRunning(allocation) }}
      />
    </>
  );
}
