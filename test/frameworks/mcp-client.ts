import type { Check, ImportPackage } from './support.js';

interface Client {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{
    readonly tools: readonly {
      readonly name: string;
      readonly inputSchema: { readonly properties: object };
    }[];
  }>;
  callTool(
    call: object,
  ): Promise<{ readonly content: readonly { readonly text: string }[]; readonly isError?: boolean }>;
  close(): Promise<void>;
}

/** Calls the tool of an MCP server with the client of the SDK. */
export async function callTool(check: Check, url: string, own: ImportPackage): Promise<string[]> {
  const sdk = '@modelcontextprotocol/sdk/client';
  const { Client } = (await own(`${sdk}/index.js`)) as { Client: new (info: object) => Client };
  const { StreamableHTTPClientTransport } = (await own(`${sdk}/streamableHttp.js`)) as {
    StreamableHTTPClientTransport: new (url: URL, options: object) => unknown;
  };
  const connect = async (token: string): Promise<Client> => {
    const client = new Client({ name: 'proof', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return client;
  };
  const call = async (client: Client, args: object): Promise<readonly [isError: boolean, text: string]> => {
    const { content, isError = false } = await client.callTool({ name: 'list_jobs', arguments: args });
    return [isError, content[0]?.text ?? ''];
  };

  const web = await connect('w');
  const { tools } = await web.listTools();
  check(
    'tools',
    tools.map(({ name }) => name),
    ['list_jobs'],
  );
  check('arguments', Object.keys(tools[0]?.inputSchema.properties ?? {}).slice(0, 3), [
    'filter',
    'fields',
    'sort',
  ]);
  check(
    'call',
    await call(web, { filter: 'Priority > 20', sort: '-Priority', fields: ['ID'], total: true }),
    [false, '[{"ID":"api"},{"ID":"mail"}]\nX-Total-Count: 2'],
  );
  const [, page] = await call(web, { per_page: 1, fields: 'ID' });
  const token = /X-Next-Token: (\S+)/.exec(page)?.[1];
  check(
    'next page',
    (await call(web, { per_page: 1, fields: 'ID', next_token: token }))[1],
    /^\[\{"ID":"mail"\}\]/,
  );
  check('wrong filter', await call(web, { filter: 'Stauts == dead' }), [
    true,
    '1:1: Stauts: there is no such field. Did you mean Status?\nCorrected: Status == dead',
  ]);
  check('wrong argument', (await call(web, { where: 'x' }))[0], true);
  await web.close();
  const data = await connect('d');
  check('other caller', await call(data, { fields: 'ID' }), [false, '[{"ID":"etl"}]']);
  await data.close();
  const unknown = await connect('x');
  check('no caller', await call(unknown, {}), [true, 'Which team are you?']);
  await unknown.close();
  return ['list tools', 'call', 'next page', 'corrections of a wrong filter', 'rights'];
}
