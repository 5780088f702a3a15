import { signal, type ReadonlySignal } from '@preact/signals';

/** The current location in the console. */
export interface Place {
  /** Encoded path below the console's address, such as `jobs` or `jobs/web%40default`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The address of the page. It determines everything shown, so that users can go back, reload and share. */
export interface Location {
  readonly place: ReadonlySignal<Place>;
  /** Navigates to an address of the console; `replace` replaces the history entry. */
  go(address: string, options?: { readonly replace?: boolean }): void;
}

/** Path under which the agent serves the console. */
const base = '/ui/';

/** Returns the address of a page: `addressOf(['jobs', 'web@default'], { filter: … })`. Empty values are omitted. */
export function addressOf(parts: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const text = new URLSearchParams(given).toString();
  return `${base}${parts.map(encodePart).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Encodes a part of a path. Unpaired surrogates cannot be encoded, and no name contains them. */
function encodePart(part: string): string {
  return encodeURIComponent(part.replace(/\p{Cs}/gu, '\ufffd'));
}

/** Returns the address of a job, which includes its namespace. */
export function jobAddress({ ID, Namespace }: { readonly ID: string; readonly Namespace: string }): string {
  return addressOf(['jobs', `${ID}@${Namespace}`]);
}

/** Parses the job in an address. An ID may contain an @, a namespace cannot. */
export function jobOfAddress(text: string): { readonly ID: string; readonly Namespace: string } {
  const at = text.lastIndexOf('@');
  return at === -1
    ? { ID: text, Namespace: 'default' }
    : { ID: text.slice(0, at), Namespace: text.slice(at + 1) };
}

export function createLocation(): Location {
  const place = signal(placeOf(location));
  const render = (): void => {
    place.value = placeOf(location);
  };
  const go: Location['go'] = (address, { replace = false } = {}) => {
    if (replace) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    render();
  };
  addEventListener('popstate', render);
  document.addEventListener('click', (event) => {
    const address = followedAddress(event);
    if (address === null) return;
    event.preventDefault();
    go(address);
  });
  return { place, go };
}

function placeOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): Place {
  return { path: pathname.slice(base.length).replace(/\/$/, ''), query: new URLSearchParams(search) };
}

/** Returns the console address that a click leads to; null if the browser must handle it, for example in a new tab. */
function followedAddress(event: MouseEvent): string | null {
  const { button, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented, target } = event;
  if (button !== 0 || altKey || ctrlKey || metaKey || shiftKey || defaultPrevented) return null;
  const link = target instanceof Element ? target.closest('a') : null;
  if (link === null || link.target !== '' || link.origin !== location.origin) return null;
  if (!link.pathname.startsWith(base) || link.pathname === `${base}plain`) return null;
  return `${link.pathname}${link.search}`;
}
