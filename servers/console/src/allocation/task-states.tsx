import type { TaskEvent, TaskState } from '@tamis/scheduler-model/wire/task-state.js';
import { addressOf } from '../app/location.js';
import { counted, instantText } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { Status } from '../text/status.js';
import { plainText } from '../text/visible-text.js';

interface TaskStatesProps {
  readonly allocation: string;
  readonly tasks: ReadonlyMap<string, TaskState | null>;
}

/** Maximum tasks, and maximum events of each, that are rendered. Imported rows may have any number. */
const maxTasks = 100;
const maxEvents = 50;

/** The tasks of an allocation with their events. */
export function TaskStates({ allocation, tasks }: TaskStatesProps) {
  return (
    <>
      {[...tasks].slice(0, maxTasks).map(([name, state]) => (
        <div class="card" key={name}>
          <h3>
            <UntrustedText text={name} /> <Status status={state?.State ?? 'pending'} />
            {state?.Failed === true && <span class="bad"> failed</span>}
          </h3>
          <p>
            {(state?.Restarts ?? 0) > 0 && `${counted(Number(state?.Restarts), 'restart')}. `}
            <a href={addressOf(['allocations', allocation], { view: 'logs', task: name })}>
              Logs<span class="visually-hidden"> of {plainText(name)}</span>
            </a>
          </p>
          <Timeline events={state?.Events ?? []} />
        </div>
      ))}
      {tasks.size > maxTasks && <p>{counted(tasks.size - maxTasks, 'more task')}</p>}
      {tasks.size === 0 && <p class="quiet">Nothing is known of its tasks.</p>}
    </>
  );
}

/** Shows events, newest first. */
function Timeline({ events }: { readonly events: readonly TaskEvent[] }) {
  if (events.length === 0) return <p class="quiet">Nothing has happened yet.</p>;
  return (
    <ol class="timeline">
      {events
        .toReversed()
        .slice(0, maxEvents)
        .map((event, at) => (
          <li key={at} class={event.FailsTask ? 'bad' : ''}>
            <time>{instantText(Number(event.Time) / 1e6)}</time>{' '}
            <strong>
              <UntrustedText text={event.Type} />
            </strong>{' '}
            <UntrustedText text={event.DisplayMessage} isExpandable />
          </li>
        ))}
    </ol>
  );
}
