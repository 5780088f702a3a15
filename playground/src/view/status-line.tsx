import type { Playground } from '../state/playground.js';
import { counted, countText, timeText } from './numbers.js';

/** How many rows match and how long that took, and notices. */
export function StatusLine({ playground }: { readonly playground: Playground }) {
  const { notice, isSilent, isLoading } = playground;
  return (
    <div class="status">
      <p class="count" role="status">
        {isLoading.value ? 'Reading rows …' : <Count playground={playground} />}
      </p>
      {playground.isRunning.value && playground.result.value?.isDone === false && (
        <button
          type="button"
          onClick={() => {
            playground.stop();
          }}
        >
          Stop
        </button>
      )}
      {isSilent.value && (
        <p class="notice error" role="alert">
          The engine has been busy for some seconds.{' '}
          <button type="button" onClick={() => void playground.restart()}>
            Start it anew
          </button>
        </p>
      )}
      {notice.value !== null && (
        <p class={`notice ${notice.value.tone}`} role="alert">
          {notice.value.text}{' '}
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => {
              notice.value = null;
            }}
          >
            ×
          </button>
        </p>
      )}
      <ReadProblems playground={playground} />
    </div>
  );
}

function Count({ playground }: { readonly playground: Playground }) {
  const { dataset, result, isSound, text } = playground;

  const data = dataset.value;
  if (data === null) return <>No rows yet: drop a file anywhere, paste, or take a sample.</>;
  const found = result.value;
  if (found === null) {
    return (
      <>
        <strong>{countText(data.rows)}</strong> {data.rows === 1 ? 'row' : 'rows'}
        {!isSound.value && <span class="warning">, which the filter does not fit</span>}
      </>
    );
  }
  const isStale = !isSound.value && found.text !== text.value;
  return (
    <>
      <strong>{countText(found.matched)}</strong> of {counted(data.rows, 'row')}
      {found.text.trim() !== '' && (
        <span class="quiet">
          {found.isDone ? '' : `, ${Math.floor((100 * found.scanned) / Math.max(1, data.rows))} % asked`}
          {` in ${timeText(found.scanTime)}`}
          {found.compileTime !== null && `, compiled in ${timeText(found.compileTime)}`}
        </span>
      )}
      {found.failure !== null && (
        <span class="warning">
          {' '}
          {counted(found.failed, 'row')} failed, the first is row {countText(found.failure.row + 1)}:{' '}
          {found.failure.message}
        </span>
      )}
      {isStale && <span class="warning"> These are the rows of the last filter that was one.</span>}
    </>
  );
}

/** Rows of the file that were left out. */
function ReadProblems({ playground }: { readonly playground: Playground }) {
  const data = playground.dataset.value;
  if (data === null || data.problemCount === 0) return null;
  return (
    <details class="notice">
      <summary>{counted(data.problemCount, 'problem')} with the rows</summary>
      <ul class="plain">
        {data.problems.map(({ line, message, hint }, index) => (
          <li key={index}>
            {line !== null && <span class="quiet">line {countText(line)}: </span>}
            {message}
            {hint !== null && <span class="quiet"> {hint}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
