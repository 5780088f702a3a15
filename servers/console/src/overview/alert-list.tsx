import { useConsole } from '../app/console.js';
import { FailureNotice } from '../app/failure-notice.js';
import { addressOf } from '../app/location.js';
import { countText } from '../text/format.js';
import {
  blockedEvaluations,
  failedAllocations,
  failedDeployments,
  pausedDeployments,
  nodesDown,
  restartingAllocations,
} from './alerts.js';
import type { Alert, AlertRow } from './alert.js';
import { useAlert, useFailedDeployments, type FoundAlert } from './use-alert.js';

/** Maximum number of rows shown per alert; the list has all of them. */
const maxVisible = 5;

/** Shows alerts that need the operator's attention; one line if none exist. */
export function AlertList() {
  const failed = useFailedDeployments();
  const paused = useAlert(pausedDeployments);
  const blocked = useAlert(blockedEvaluations);
  const down = useAlert(nodesDown);
  const dead = useAlert(failedAllocations);
  const restarting = useAlert(restartingAllocations);
  const all = [failed, paused, blocked, down, dead, restarting];
  const isKnown = all.every(({ rows, failure }) => rows !== null || failure !== null);
  const isQuiet = isKnown && all.every(({ count }) => count === 0);
  const { session } = useConsole();
  const denied = all.find(({ failure }) => failure?.kind === 'denied')?.failure ?? null;
  const permission = session.token.value === '' ? denied : null;
  const isPartial = all.some(({ failure }) => failure !== null);
  return (
    <section class="attention" aria-label="What needs a person" aria-busy={!isKnown}>
      {permission !== null && <FailureNotice failure={permission} what="the cluster" />}
      {!isKnown && <p class="quiet">Looking …</p>}
      {isQuiet && !isPartial && (
        <p>
          <span class="status-word good">Nothing needs you</span>
        </p>
      )}
      <ConcernView alert={failedDeployments} found={failed} />
      <ConcernView alert={blockedEvaluations} found={blocked} />
      <ConcernView alert={nodesDown} found={down} />
      <ConcernView alert={failedAllocations} found={dead} />
      <ConcernView alert={pausedDeployments} found={paused} />
      <ConcernView alert={restartingAllocations} found={restarting} />
      {isPartial && permission === null && (
        <p class="quiet">Not every alert is visible: the counts say why.</p>
      )}
    </section>
  );
}

interface ConcernViewProps<Row extends AlertRow> {
  readonly alert: Alert<Row>;
  readonly found: FoundAlert<Row>;
}

function ConcernView<Row extends AlertRow>({ alert, found }: ConcernViewProps<Row>) {
  const { list, filter, sort, title, tone, render } = alert;
  const { rows, count } = found;
  if (rows === null || rows.length === 0) return null;
  const address = addressOf([list], { filter, sort });
  return (
    <div class={`concern ${tone}`}>
      <h2>
        <a href={address}>
          {countText(count)} {title(count)}
        </a>
      </h2>
      <ul>
        {rows.slice(0, maxVisible).map((row) => (
          <li key={row.ID}>{render(row)}</li>
        ))}
        {count > maxVisible && (
          <li>
            <a href={address}>and {countText(count - maxVisible)} more</a>
          </li>
        )}
      </ul>
    </div>
  );
}
