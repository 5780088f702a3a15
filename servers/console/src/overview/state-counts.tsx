import { useEffect, useState } from 'preact/hooks';
import { FailureNotice } from '../app/failure-notice.js';
import { addressOf } from '../app/location.js';
import { readFacets, type FacetResponse } from '../lists/facets.js';
import { useReading } from '../live/use-reading.js';
import { countText } from '../text/format.js';
import { Status } from '../text/status.js';
import {
  createCountHistory,
  maxSamples,
  sampleInterval,
  statesOf,
  type CountHistory,
} from './count-history.js';
import { SparkLine } from './spark-line.js';

/** A list with its rows counted by state. */
export interface CountedList {
  /** Name of the list's page, and of its route below `/v1/`. */
  readonly name: string;
  readonly title: string;
  readonly field: string;
  readonly topic: string;
  readonly right: string;
  readonly isInNamespaces: boolean;
}

/** Samples since the page was loaded, including those taken while other pages were shown. */
const histories = new Map<string, CountHistory>();

/** Shows how many rows of a list have each state, now and over the last minutes. */
export function StateCounts({ list }: { readonly list: CountedList }) {
  const { name, title, field, topic, right, isInNamespaces } = list;
  const query = { ...(isInNamespaces ? { namespace: '*' } : {}), facets: field };
  const { value, failure } = useReading<FacetResponse>({ path: `/v1/${name}`, query, topics: [topic] });
  const samples = useSamples(name, value);
  const total = value?.Total ?? null;
  return (
    <section class="card counts" aria-label={title}>
      <h2>
        <a href={addressOf([name])}>{title}</a>{' '}
        {total !== null && <span class="quiet">{countText(total)}</span>}
      </h2>
      {failure !== null && (
        <FailureNotice failure={failure} what={`the ${title.toLowerCase()}`} right={right} />
      )}
      {total === 0 && <p class="quiet">There are none.</p>}
      <table>
        <thead class="visually-hidden">
          <tr>
            <th>State</th>
            <th>Now</th>
            <th>Over the last minutes</th>
          </tr>
        </thead>
        <tbody>
          {statesOf(samples).map((state) => (
            <tr key={state}>
              <th scope="row">
                <a href={addressOf([name], { filter: `${field} == ${JSON.stringify(state)}` })}>
                  <Status status={state === '' ? 'none' : state} />
                </a>
              </th>
              <td class="number">{countText(samples.at(-1)?.counts.get(state) ?? 0)}</td>
              <td>
                <SparkLine samples={samples} state={state} span={spanOf(samples)} />
                <span class="visually-hidden">{changeText(samples, state)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Takes a sample of each result, and periodically of the last one, so that unchanged counts continue too. */
function useSamples(name: string, result: FacetResponse | null) {
  const history = histories.get(name) ?? createCountHistory();
  histories.set(name, history);
  const [, redraw] = useState(0);
  useEffect(() => {
    const facets = readFacets(result);
    if (facets === null) return;
    const counts = new Map(facets.fields[0]?.values.map(({ value, count }) => [String(value), count]));
    const take = (): void => {
      if (document.hidden) return;
      history.add({ at: Date.now(), counts });
      redraw((times) => (times + 1) % 1_000);
    };
    take();
    const timer = setInterval(take, sampleInterval);
    return () => {
      clearInterval(timer);
    };
  }, [result]);
  return history.samples;
}

/** At least a minute, so that the first samples do not race across the chart; at most all stored samples. */
function spanOf(samples: CountHistory['samples']): number {
  const [first] = samples;
  const seen = (samples.at(-1)?.at ?? 0) - (first?.at ?? 0);
  return Math.min(maxSamples * sampleInterval, Math.max(60_000, seen));
}

function changeText(samples: CountHistory['samples'], state: string): string {
  const [first] = samples;
  const change = (samples.at(-1)?.counts.get(state) ?? 0) - (first?.counts.get(state) ?? 0);
  if (change === 0) return 'as many as before';
  return change > 0 ? `${countText(change)} more than before` : `${countText(-change)} fewer than before`;
}
