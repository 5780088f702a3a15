import { html, type Markup } from './markup.js';

/** The content of the page. */
export interface PageFacts {
  /** Base URL that the browser used for the agent. */
  readonly address: string;
  readonly region: string;
  /** The health of each part of the agent. */
  readonly health: readonly { readonly part: string; readonly ok: boolean; readonly message: string }[];
  /** Null with ACLs, because the page is served without a token. */
  readonly agent: { readonly name: string; readonly version: string } | null;
  /** Null with ACLs, or if the agent has no state. */
  readonly counts: readonly Count[] | null;
  readonly acl: boolean;
}

/** The number of rows in a list. */
export interface Count {
  readonly list: string;
  readonly count: number;
  readonly path: string;
}

export const stylePath = '/ui/page.css';

/** Renders the front page of an agent. It works without scripts and loads nothing from elsewhere. */
export function renderPage(facts: PageFacts): string {
  const { region } = facts;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Scheduler in ${region}</title>
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <main>
          <h1>Scheduler</h1>
          <p>
            This is an agent of a scheduler: it takes jobs and places their tasks on nodes. Its interface is
            HTTP and JSON under
            <code>/v1/</code>; this page only shows the way.
          </p>
          <h2>This agent</h2>
          <dl>
            <dt>Region</dt>
            <dd>${region}</dd>
            ${renderAgent(facts)}${facts.health.map(renderHealth)}
            <dt>Access control</dt>
            <dd>${facts.acl ? 'on: requests need a token' : 'off'}</dd>
          </dl>
          ${renderCounts(facts)}
          <h2>Try it</h2>
          <pre><code>${curlLines(facts).join('\n')}</code></pre>
          <p>All of the interface: <a href="/v1/openapi.json?pretty">OpenAPI document</a>.</p>
        </main>
      </body>
    </html> `.text;
}

function renderAgent({ agent }: PageFacts): Markup {
  if (agent === null) return html``;
  return html`<dt>Name</dt>
    <dd>${agent.name}</dd>
    <dt>Version</dt>
    <dd>${agent.version}</dd>`;
}

function renderHealth({ part, ok, message }: PageFacts['health'][number]): Markup {
  return html`<dt>Health of the ${part}</dt>
    <dd class="${ok ? 'well' : 'unwell'}">${message}</dd>`;
}

function renderCounts({ counts }: PageFacts): Markup {
  if (counts === null) return html``;
  const rows = counts.map(({ count, list, path }) => {
    return html`<tr>
      <th scope="row"><a href="${path}">${list}</a></th>
      <td>${count.toLocaleString('en')}</td>
    </tr>`;
  });
  return html`<h2>What it keeps</h2>
    <table>
      ${rows}
    </table>`;
}

/** Commands that the reader can paste into a shell unchanged. */
function curlLines({ acl, address, counts }: PageFacts): readonly string[] {
  const token = acl ? '-H "X-Scheduler-Token: $SCHEDULER_TOKEN" ' : '';
  if (counts === null && !acl) {
    return ['agent/health', 'agent/self', 'agent/servers'].map(
      (path) => `curl -s '${address}/v1/${path}?pretty'`,
    );
  }
  return [
    `curl -s ${token}'${address}/v1/jobs?namespace=*&per_page=2&pretty'`,
    `curl -s ${token}--get '${address}/v1/nodes?per_page=2&pretty' --data-urlencode 'filter=Status == "ready"'`,
    `curl -s '${address}/v1/agent/health'`,
  ];
}
