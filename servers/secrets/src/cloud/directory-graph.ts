import type { AccessTokens } from './access-token.js';
import { CloudError } from './cloud-error.js';
import {
  buildUrl,
  get,
  postJson,
  readObject,
  recordsField,
  requireSuccess,
  textField,
  withBearer,
} from './cloud-request.js';
import type { CloudResponse, CloudRequest } from './cloud-request.js';
import type { Send } from './transport.js';

/** The server's own application in the directory. */
export interface Application {
  /** ID of the object in the directory, not the client ID. */
  readonly id: string;
  readonly passwords: readonly Password[];
}

export interface Password {
  readonly keyId: string;
  readonly displayName: string;
  /** First characters of the secret, the only part that the directory reveals; empty if it reveals none. */
  readonly hint: string;
}

export interface NewPassword {
  readonly keyId: string;
  readonly secret: string;
}

/** Changes the secrets of one application. Requests are not retried, because adding a password is not idempotent. */
export type DirectoryGraph = ReturnType<typeof createDirectoryGraph>;

export interface DirectoryGraphOptions {
  readonly send: Send;
  readonly tokens: AccessTokens;
  readonly graph: string;
}

/**
 * Returns the request for an application. Quotes in an OData string are doubled, so that a client ID cannot inject an expression.
 */
function applicationRequest(graph: string, clientId: string): CloudRequest {
  const filter = `appId eq '${clientId.replaceAll("'", "''")}'`;
  return get('the application', buildUrl(graph, ['v1.0', 'applications'], { $filter: filter }));
}

function readApplication(request: CloudRequest, response: CloudResponse): Application {
  const [application, ...others] = recordsField(readObject(request, response), 'value');
  const id = application === undefined ? null : textField(application, 'id');
  if (application === undefined || id === null || others.length > 0) {
    throw new CloudError(
      'refused',
      'the directory does not know exactly one application of this client id',
      404,
    );
  }
  const passwords = recordsField(application, 'passwordCredentials').flatMap((password) => {
    const keyId = textField(password, 'keyId');
    if (keyId === null) return [];
    const field = (name: string): string => textField(password, name) ?? '';
    return [{ keyId, displayName: field('displayName'), hint: field('hint') }];
  });
  return { id, passwords };
}

function addPasswordRequest(
  graph: string,
  application: string,
  displayName: string,
  expires: Date,
): CloudRequest {
  const url = buildUrl(graph, ['v1.0', 'applications', application, 'addPassword']);
  return postJson('the new password', url, {
    passwordCredential: { displayName, endDateTime: expires.toISOString() },
  });
}

function readNewPassword(request: CloudRequest, response: CloudResponse): NewPassword {
  const object = readObject(request, response);
  const secret = textField(object, 'secretText');
  const keyId = textField(object, 'keyId');
  if (secret === null || keyId === null) {
    throw new CloudError('malformed', 'the new password lacks secretText or keyId');
  }
  return { secret, keyId };
}

function removePasswordRequest(graph: string, application: string, keyId: string): CloudRequest {
  const url = buildUrl(graph, ['v1.0', 'applications', application, 'removePassword']);
  return postJson('the removal of a password', url, { keyId });
}

export function createDirectoryGraph({ send, tokens, graph }: DirectoryGraphOptions) {
  const sendWithToken = async (request: CloudRequest, signal: AbortSignal): Promise<CloudResponse> =>
    send(withBearer(request, await tokens.token(graph, signal), graph), signal);

  return {
    async application(clientId: string, signal: AbortSignal): Promise<Application> {
      const request = applicationRequest(graph, clientId);
      return readApplication(request, await sendWithToken(request, signal));
    },
    async addPassword(
      application: string,
      displayName: string,
      expires: Date,
      signal: AbortSignal,
    ): Promise<NewPassword> {
      const request = addPasswordRequest(graph, application, displayName, expires);
      return readNewPassword(request, await sendWithToken(request, signal));
    },
    async removePassword(application: string, keyId: string, signal: AbortSignal): Promise<void> {
      const request = removePasswordRequest(graph, application, keyId);
      const response = await sendWithToken(request, signal);
      // A password that does not exist any more counts as removed.
      if (response.status !== 404) requireSuccess(request, response);
    },
  };
}
