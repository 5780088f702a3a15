import { Session } from 'node:inspector/promises';

/** Opens a session with the inspector of Node.js within the process, without opening a port. */
export function openInspector(): Session {
  const session = new Session();
  session.connect();
  return session;
}
