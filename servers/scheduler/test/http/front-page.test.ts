import { describe, expect, it } from 'vitest';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { html } from '../../src/api/pages/front-page/markup.js';
import { createAclCluster } from '../support/acl-cluster.js';
import { createBaseAgent } from '../support/base-cluster.js';
import { call, createTestAgent, type TestResponse } from '../support/test-agent.js';

/** Addresses of a page: where it leads, and what it loads. */
function addressesIn({ text }: TestResponse): readonly string[] {
  return [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  );
}

describe('the page of an agent', () => {
  it('is where / leads to, with its style, and runs and loads nothing else', async () => {
    const agent = await createBaseAgent();
    for (const [path, location] of [
      ['/', '/ui/'],
      ['/ui', '/ui/'],
      ['/?a=b', '/ui/?a=b'],
      ['/ui?a=b', '/ui/?a=b'],
      // Without a console, as in a server that runs from its sources.
      ['/ui/', '/ui/plain'],
      ['/ui/?a=b', '/ui/plain?a=b'],
    ] as const) {
      const response = await call(agent, path);
      expect([response.status, response.headers['location']]).toEqual([307, location]);
    }
    const page = await call(agent, '/ui/plain?a=b', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.text).not.toMatch(
      /<script|<style|<img|<iframe|<form|javascript:|\son\w+=|\sstyle=|https?:\/\/(?!localhost)/i,
    );
    const style = await call(agent, '/ui/page.css');
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect(style.text).not.toMatch(/@import|url\(/);
    for (const method of ['PUT', 'POST', 'DELETE']) {
      expect((await call(agent, '/ui/plain', { method })).status).toBe(405);
    }
  });

  it('leads to what it counts, and nowhere else', async () => {
    const agent = await createBaseAgent();
    const page = await call(agent, '/ui/plain');
    const { tables } = agent.state.snapshot();
    for (const list of ['jobs', 'nodes', 'deployments'] as const) {
      expect(page.text).toMatch(new RegExp(`>${list}</a>\\s*</th>\\s*<td>${tables[list].primary.size}</td>`));
    }
    expect(page.text).toMatch(/Health of the server<\/dt>\s*<dd class="well">ok<\/dd>/);
    for (const address of addressesIn(page)) {
      expect(address).toMatch(/^\//);
      expect((await call(agent, address)).status).toBe(200);
    }
  });

  it('shows with access control only what needs no right', async () => {
    const { agent } = await createAclCluster({});
    const page = await call(agent, '/ui/plain');
    expect(page.status).toBe(200);
    expect(page.text).toContain('on: requests need a token');
    for (const secret of ['scheduler</dd>', '<table', 'alpha', 'Version'])
      expect(page.text).not.toContain(secret);
    for (const address of addressesIn(page)) expect((await call(agent, address)).status).toBe(200);
  });

  it('says why the agent is not well', async () => {
    const agent = await createTestAgent({ config: { bootstrapExpect: 3 } });
    const page = await call(agent, '/ui/plain');
    expect(page.text).toContain('<dd class="unwell">No cluster leader</dd>');
  });

  it('takes no name for markup, and no host for a command', async () => {
    const agent = await createTestAgent({ config: { region: '<i>&"', nodeName: "<b>'", bind: '0.0.0.0' } });
    const page = await call(agent, '/ui/plain', { headers: { host: "x';rm -rf ~;'" } });
    expect(page.text).not.toMatch(/<[ib]>|rm -rf/);
    expect(page.text).toContain('&lt;i&gt;&amp;&quot;');
    expect(page.text).toContain('http://localhost/v1/jobs');
  });

  it('is there on a client too, without a table', async () => {
    const client = { ...defaultAgentConfig.client, enabled: true, register: false };
    const page = await call(await createTestAgent({ config: { client } }), '/ui/plain');
    expect(page.text).toContain('Health of the client');
  });
});

describe('markup', () => {
  it('escapes what is put into it, and only once', () => {
    const inner = html`<b>${'<&>"\''}</b>`;
    expect(html`<p>${inner}${[inner, html`!`]}${1}</p>`.text).toBe(
      '<p><b>&lt;&amp;&gt;&quot;&#39;</b><b>&lt;&amp;&gt;&quot;&#39;</b>!1</p>',
    );
  });
});
