import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiClient } from '../api/api-client.js';
import type { Session } from '../api/session.js';
import type { Live } from '../live/live.js';
import type { Location } from './location.js';

/** The dependencies of pages. */
export interface Console {
  readonly api: ApiClient;
  readonly session: Session;
  readonly live: Live;
  readonly location: Location;
}

export const ConsoleContext = createContext<Console | null>(null);

/** Returns the console that a component belongs to. */
export function useConsole(): Console {
  const console = useContext(ConsoleContext);
  if (console === null) throw new Error('a component of the console is shown outside of it');
  return console;
}
