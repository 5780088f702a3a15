import { Session } from 'node:inspector/promises';

/** Opens a session with the runtime's own inspector, within the process: no port is opened. */
export function openInspector(): Session {
  const session = new Session();
  session.connect();
  return session;
}
