import { style } from './ui-style.js';

/** The page, its style and its script, as separate files for the strictest content security policy. */
export interface UiFiles {
  readonly page: string;
  readonly style: string;
  readonly script: string;
}

/**
 * Returns the files of the page.
 *
 * @param mounts paths of the mounts with logins, such as `auth/cloud`. Without script, or if a policy forbids the page to call
 * the server, the browser submits the form and shows the response.
 */
export function uiFiles(mounts: readonly string[]): UiFiles {
  return { page: page(mounts), style, script };
}

function page(mounts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Secrets server</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/ui/style.css">
<script src="/ui/script.js" defer></script>
</head>
<body>
<main>
<h1>Secrets server</h1>
<section aria-labelledby="health">
<h2 id="health">Health</h2>
<p role="status" id="status"><a href="/v1/sys/health">Check the server</a></p>
</section>
${mounts.length === 0 ? '' : loginSection(mounts)}</main>
</body>
</html>
`;
}

/** Returns a button for each mount. The button sets the target of the form, so that no script is needed. */
function loginSection(mounts: readonly string[]): string {
  return `<section aria-labelledby="login">
<h2 id="login">Try a role</h2>
<p>Logs in as a workload would, with the token that the cloud gave to a machine. What comes back is a token of this
server: treat it as a password.</p>
<form id="form" method="post" autocomplete="off">
<label for="role">Role</label>
<input id="role" name="role" required spellcheck="false" autocapitalize="none">
<label for="jwt">Identity token (JWT)</label>
<textarea id="jwt" name="jwt" rows="6" required spellcheck="false"></textarea>
<details>
<summary>Machine, for roles that are bound to one</summary>
<label for="subscription_id">Subscription id</label>
<input id="subscription_id" name="subscription_id" spellcheck="false">
<label for="resource_group_name">Resource group</label>
<input id="resource_group_name" name="resource_group_name" spellcheck="false">
<label for="vm_name">Virtual machine</label>
<input id="vm_name" name="vm_name" spellcheck="false">
<label for="vmss_name">Scale set</label>
<input id="vmss_name" name="vmss_name" spellcheck="false">
<label for="resource_id">Resource id</label>
<input id="resource_id" name="resource_id" spellcheck="false">
</details>
${mounts.map((mount) => loginButton(mount, mounts.length > 1)).join('\n')}
</form>
<div role="status" aria-live="polite" id="result" tabindex="-1"></div>
</section>
`;
}

function loginButton(mount: string, isNamed: boolean): string {
  const path = escapeHtml(mount);
  return `<button type="submit" formaction="/v1/${path}/login">Log in${isNamed ? ` at ${path}` : ''}</button>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const script = `'use strict';
const status = document.getElementById('status');
const form = document.getElementById('form');
const result = document.getElementById('result');

function say(place, kind, text) {
  place.className = kind;
  place.textContent = text;
}

fetch('/v1/sys/health').then((response) => response.json()).then((health) => {
  const state = !health.initialized ? 'not initialized' : health.sealed ? 'sealed' : 'ready';
  say(status, state === 'ready' ? 'good' : 'bad', 'The server is ' + state + ', version ' + health.version + '.');
}, () => { /* The link to the same response stays. */ });

function show(auth) {
  const rows = [['Token', auth.client_token], ['Accessor', auth.accessor], ['Policies', auth.token_policies.join(', ')],
    ['Lives', auth.lease_duration + ' seconds'], ['Renewable', auth.renewable ? 'yes' : 'no']];
  const list = document.createElement('dl');
  for (const [name, value] of rows) {
    const term = document.createElement('dt');
    const detail = document.createElement('dd');
    term.textContent = name;
    detail.textContent = value;
    list.append(term, detail);
  }
  result.className = 'good';
  result.replaceChildren(list);
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const button = event.submitter;
  const fields = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
  button.disabled = true;
  say(result, '', 'Logging in...');
  fetch(button.formAction, { method: 'POST', body: JSON.stringify(fields) }).then(async (response) => {
    const body = await response.json();
    if (response.ok) show(body.auth);
    else say(result, 'bad', (body.errors || []).join('; ') || 'The server returned ' + response.status + '.');
    result.focus();
  }).catch(() => {
    // If a policy forbids requests of the page, the form is submitted, and the browser shows the response.
    form.action = button.formAction;
    form.submit();
  }).finally(() => { button.disabled = false; });
});
`;
