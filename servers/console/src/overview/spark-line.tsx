import { sampleInterval, type CountSample } from './count-history.js';

/** Width in drawing units, scaled to the available space. */
const width = 240;
const height = 28;
const margin = 3;

interface SparkLineProps {
  readonly samples: readonly CountSample[];
  readonly state: string;
  /** Time span of the line up to the last sample, in ms. */
  readonly span: number;
}

/**
 * Shows the counts of a state over the last minutes, scaled from minimum to maximum. A plotting library would be 20 times the
 * code, and styles and screen readers cannot access its pixels.
 */
export function SparkLine({ samples, state, span }: SparkLineProps) {
  const end = samples.at(-1)?.at ?? 0;
  const counts = samples.map((sample) => sample.counts.get(state) ?? 0);
  const min = Math.min(...counts);
  const greatest = Math.max(...counts);
  const points = samples.map(({ at }, index) => ({
    at,
    x: width - ((end - at) / span) * width,
    y: yOf(counts[index] ?? 0, min, greatest),
  }));
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {stretches(points).map((stretch, index) => (
        <polyline
          key={index}
          points={stretch.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
        />
      ))}
    </svg>
  );
}

function yOf(count: number, min: number, greatest: number): number {
  if (min === greatest) return height / 2;
  return height - margin - ((count - min) / (greatest - min)) * (height - 2 * margin);
}

interface Point {
  readonly at: number;
  readonly x: number;
  readonly y: number;
}

/** Returns runs of consecutive points: no line crosses missing samples. */
function stretches(points: readonly Point[]): readonly (readonly Point[])[] {
  const found: Point[][] = [];
  for (const point of points) {
    const last = found.at(-1);
    const before = last?.at(-1);
    if (last === undefined || before === undefined || point.at - before.at > 4 * sampleInterval)
      found.push([point]);
    else last.push(point);
  }
  return found;
}
