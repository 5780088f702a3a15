import { FailureNotice } from '../app/failure-notice.js';
import { addressOf } from '../app/location.js';
import { useReading } from '../live/use-reading.js';
import { countText, counted } from '../text/format.js';
import { toneOf } from '../text/status.js';
import { binCount, binLength, binsOf, type Bin, type Change } from './hour-bins.js';

/** A list with its changes of the last hour. */
export interface HourList<Row> {
  readonly title: string;
  readonly list: string;
  readonly topic: string;
  /** Filter for the changes of the last hour. */
  readonly filter: string;
  readonly sort: string;
  readonly query: Readonly<Record<string, string>>;
  readonly right: string;
  readonly changeOf: (row: Row) => Change;
}

/** Maximum changes read. A cluster with more per hour is always busy. */
const maxRead = 500;
/** Interval between requests in ms. */
const interval = 15_000;
/** Width in drawing units, scaled to the available space. */
const width = 240;
const height = 48;
const barWidth = width / binCount;
/** Status kinds in stacking order, from the bottom. */
const tones = ['bad', 'busy', 'good', 'over', 'plain'] as const;

/** Shows the changes of a list over the last hour, by new status. */
export function HourPlot<Row>({ of }: { readonly of: HourList<Row> }) {
  const { title, list, topic, filter, sort, query, right, changeOf } = of;
  const { value, nextToken, failure } = useReading<readonly Row[]>({
    path: `/v1/${list}`,
    query: { ...query, filter, sort, per_page: String(maxRead) },
    topics: [topic],
    isList: true,
    interval,
  });
  const bins = binsOf((value ?? []).map(changeOf), Date.now(), toneOf);
  const total = bins.reduce((sum, bin) => sum + bin.total, 0);
  return (
    <section class="card hour" aria-label={title}>
      <h2>
        <a href={addressOf([list], { filter, sort })}>{title}</a>{' '}
        {value !== null && (
          <span class="quiet">
            {countText(total)}
            {nextToken !== null && ' or more'}
          </span>
        )}
      </h2>
      {failure !== null && (
        <FailureNotice failure={failure} what={`the ${title.toLowerCase()}`} right={right} />
      )}
      {value !== null && total > 0 && <Bars bins={bins} />}
      {value !== null && total === 0 && <p class="quiet">Nothing changed.</p>}
      {nextToken !== null && <p class="quiet">The newest {countText(maxRead)} are drawn.</p>}
    </section>
  );
}

function Bars({ bins }: { readonly bins: readonly Bin[] }) {
  const greatest = Math.max(...bins.map(({ total }) => total));
  const label = `At most ${counted(greatest, 'change')} in ${binLength / 60_000} minutes; now ${bins.at(-1)?.total ?? 0}`;
  return (
    <figure>
      <svg
        class="bars"
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
      >
        {bins.flatMap((bin, at) => barsOf(bin, at, greatest))}
      </svg>
      <figcaption class="quiet">
        <span>an hour ago</span>
        <span>at most {countText(greatest)} in 5 min</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}

function barsOf(bin: Bin, at: number, greatest: number) {
  let below = 0;
  return tones
    .filter((tone) => bin.counts.has(tone))
    .map((tone) => {
      const size = ((bin.counts.get(tone) ?? 0) / greatest) * height;
      below += size;
      return (
        <rect
          key={`${at} ${tone}`}
          class={tone}
          x={at * barWidth + 1}
          y={height - below}
          width={barWidth - 2}
          height={size}
        />
      );
    });
}
