import { render } from 'preact';
import { createApiClient } from './api/api-client.js';
import { createSession } from './api/session.js';
import { App } from './app/app.js';
import { ConsoleContext } from './app/console.js';
import { createLocation } from './app/location.js';
import { createLive } from './live/live.js';
import './style/console.css';

const session = createSession(sessionStorage);
const api = createApiClient(() => session.token.peek());
const live = createLive(api, {
  isHidden: () => document.hidden,
  subscribe: (changed) => {
    document.addEventListener('visibilitychange', changed);
  },
});
// A different token may see different data, so it is loaded again.
session.token.subscribe(live.restart);
const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element for the console');
render(
  <ConsoleContext.Provider value={{ api, session, live, location: createLocation() }}>
    <App />
  </ConsoleContext.Provider>,
  root,
);
