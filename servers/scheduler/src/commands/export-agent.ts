import { readJson, RequestError } from '@tamis/http';
import { createIntern, type Intern } from '../model/intern.js';
import { ShapeError } from '../model/read-shape.js';
import { exportedResources, type ExportedResource } from '../model/resources.js';
import { CommandError } from './command-error.js';
import { lineOfShown } from './export-lines.js';

export interface ExportAgentRequest {
  /** Base URL of the agent. */
  readonly address: string;
  /** The secret of a token; null for none. */
  readonly token: string | null;
  readonly fetch: typeof globalThis.fetch;
}

/** An entry of a list, as far as it tells where the object is. */
type Stub = Readonly<Record<'ID' | 'Namespace', string>>;

/** Entries of a page, each of which may be read by a request of its own. */
const pageSize = 500;
/** Single reads under way at a time: enough to hide the way to the agent and back, few enough to leave it its work. */
const readsAtOnce = 8;
/** Milliseconds that one answer may take. */
const patience = 30_000;

/**
 * The lines of an export from a running agent, each with its newline.
 *
 * @throws CommandError when the agent cannot be reached or refuses.
 */
export async function* exportAgent(request: ExportAgentRequest): AsyncGenerator<string> {
  const intern = createIntern();
  for (const resource of exportedResources) {
    const { list, object } = resource;
    const isNamespaced = resource.shape.properties.has('Namespace');
    for await (const stubs of pagesOf(request, isNamespaced ? `${list}?namespace=*` : list)) {
      for (let at = 0; at < stubs.length; at += readsAtOnce) {
        const group = stubs.slice(at, at + readsAtOnce);
        const objects = await Promise.all(
          group.map(async (stub) =>
            object === undefined
              ? stub
              : readOrGone(request, `${object}${placeOf(stub as Stub, isNamespaced)}`),
          ),
        );
        for (const found of objects) if (found !== null) yield lineOf(resource, found, intern);
      }
    }
  }
}

function placeOf({ ID, Namespace }: Stub, isNamespaced: boolean): string {
  const id = encodeURIComponent(ID);
  return isNamespaced ? `${id}?namespace=${encodeURIComponent(Namespace)}` : id;
}

function lineOf(resource: ExportedResource, object: unknown, intern: Intern): string {
  try {
    return lineOfShown(resource, object, intern);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new CommandError(`The agent has sent what is no ${resource.kind}: ${error.message}`);
  }
}

async function* pagesOf(request: ExportAgentRequest, list: string): AsyncGenerator<readonly object[]> {
  for (let token: string | null = ''; token !== null;) {
    const mark = list.includes('?') ? '&' : '?';
    const path = `${list}${mark}per_page=${pageSize}&next_token=${encodeURIComponent(token)}`;
    const response = await ask(request, path);
    const page = await readBody(response, path);
    if (!Array.isArray(page))
      throw new CommandError(`${request.address}${list} is no list: is it a scheduler?`);
    yield page as readonly object[];
    token = response.headers.get('x-scheduler-nexttoken');
  }
}

/** An object in full; null when it has gone since it was listed. */
async function readOrGone(request: ExportAgentRequest, path: string): Promise<unknown> {
  const response = await ask(request, path);
  return response.status === 404 ? null : readBody(response, path);
}

async function ask({ address, token, fetch }: ExportAgentRequest, path: string): Promise<Response> {
  const url = `${address.replace(/\/+$/, '')}${path}`;
  const headers = token === null ? {} : { 'x-scheduler-token': token };
  try {
    return await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(patience) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new CommandError(
      `${url} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

async function readBody(response: Response, path: string): Promise<unknown> {
  const text = await response.text();
  if (response.status !== 200) {
    throw new CommandError(`${path} is answered with ${response.status}: ${text.slice(0, 200).trim()}`);
  }
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new CommandError(`${path} is no JSON: ${error.message}`);
  }
}
