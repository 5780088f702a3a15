// A tool of a Model Context Protocol server, over HTTP: an agent lists the jobs that its user may see.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { listEndpoint, listTool } from 'tamis/http';
import { jobs, options } from './jobs.mjs';

const tool = listTool(listEndpoint(jobs, options), { name: 'list_jobs', about: 'The jobs of the cluster.' });

function createMcpServer() {
  const server = new Server({ name: 'jobs', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: tool.name, description: tool.description, inputSchema: tool.inputSchema }],
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestInfo, signal }) => {
    if (params.name !== tool.name) throw new McpError(ErrorCode.InvalidParams, `Unknown tool ${params.name}`);
    const { authorization = '' } = requestInfo?.headers ?? {};
    return tool.call(params.arguments ?? {}, { headers: { authorization }, signal });
  });
  return server;
}

export async function start(port = 0) {
  const http = createServer(async (request, response) => {
    // Without sessions: each request has a server of its own.
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    const server = createMcpServer();
    response.once('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  const close = () => new Promise((resolve) => http.close(resolve));
  return { url: `http://127.0.0.1:${http.address().port}/mcp`, close };
}
