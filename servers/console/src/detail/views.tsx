import { useConsole } from '../app/console.js';
import { addressOf } from '../app/location.js';

interface ViewsProps<V extends string> {
  /** The path of the page, such as `['jobs', 'web@default']`. */
  readonly parts: readonly string[];
  readonly label: string;
  /** Titles by their address parameter; the first one is the default. */
  readonly titles: Readonly<Record<V, string>>;
  readonly current: V;
}

/** Shows one of several parts of a page, with a selection. */
export function Views<V extends string>({ parts, label, titles, current }: ViewsProps<V>) {
  return (
    <nav class="views" aria-label={label}>
      {(Object.entries(titles) as [V, string][]).map(([view, title]) => (
        <a key={view} href={addressOf(parts, { view })} aria-current={view === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** Returns the part selected by the address; the first one if the parameter is missing or unknown. */
export function useView<V extends string>(titles: Readonly<Record<V, string>>): V {
  const { location } = useConsole();
  const requestedView = location.place.value.query.get('view') ?? '';
  const known = Object.keys(titles) as V[];
  return known.find((view) => view === requestedView) ?? (known[0] as V);
}
