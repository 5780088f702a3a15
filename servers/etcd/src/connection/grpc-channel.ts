import { readFileSync } from 'node:fs';
import {
  Client,
  credentials,
  Metadata,
  type ChannelCredentials,
  type ClientDuplexStream,
  type ServiceError,
} from '@grpc/grpc-js';
import { EtcdError } from '../errors.js';
import type { Method } from '../protocol/methods.js';
import type { Endpoint, TlsFiles } from './settings.js';
import { fromStatus } from './status-errors.js';
import type { Channel, ChannelOptions } from './transport.js';

/** Maximum size of a response, in bytes. A page of 10,000 rows fits; the default limit of gRPC, 4 MB, would refuse it. */
const maxMessageBytes = 1 << 30;

/** Receive window, in bytes. With the HTTP/2 default of 64 KiB, loading would wait for every part of a page. */
const receiveWindow = 8 << 20;

/**
 * Returns a function that connects by gRPC. The TLS files are read now, so that a wrong path is a configuration error.
 *
 * @throws EtcdError `configuration` if a file cannot be read or is not PEM.
 */
export function createGrpcDialer(tls: TlsFiles | undefined): (endpoint: Endpoint) => Channel {
  if (tls !== undefined) readCredentials(tls);
  return (endpoint) => dialGrpc(endpoint, tls);
}

/** Creates a gRPC channel over HTTP/2. It connects at its first call. */
function dialGrpc(endpoint: Endpoint, tls: TlsFiles | undefined): Channel {
  const client = new Client(
    endpoint.address,
    endpoint.isSecure ? readCredentials(tls ?? {}) : credentials.createInsecure(),
    {
      'grpc.max_receive_message_length': maxMessageBytes,
      'grpc.max_send_message_length': maxMessageBytes,
      'grpc-node.flow_control_window': receiveWindow,
      // Prevents a new channel from reusing a connection that was just found to be frozen.
      'grpc.use_local_subchannel_pool': 1,
      // Retries are made by the callers of this module.
      'grpc.enable_retries': 0,
      'grpc.service_config_disable_resolution': 1,
      'grpc.enable_http_proxy': 0,
      ...(tls?.serverName === undefined ? {} : { 'grpc.ssl_target_name_override': tls.serverName }),
    },
  );
  const active = new Set<{ cancel(): void }>();
  let isClosed = false;
  const refuseClosed = (): void => {
    if (isClosed) throw new EtcdError('not-sent', 'etcd: the member has been left');
  };
  return {
    call<Request, Response>(
      { path, encode, decode }: Method<Request, Response>,
      request: Request,
      options: ChannelOptions & { readonly timeout: number },
    ) {
      return new Promise<Response>((resolve, reject) => {
        refuseClosed();
        const call = client.makeUnaryRequest(
          path,
          encode,
          decode,
          request,
          metadataOf(options),
          {
            deadline: Date.now() + options.timeout,
          },
          (error, response) => {
            active.delete(call);
            if (error !== null) reject(fromStatus(error));
            else if (response === undefined) reject(new EtcdError('unknown', 'etcd: an empty response'));
            else resolve(response);
          },
        );
        active.add(call);
      });
    },
    async *stream<Request, Response>(
      { path, encode, decode, sendsMany }: Method<Request, Response>,
      request: Request,
      options: ChannelOptions & { readonly signal?: AbortSignal | undefined },
    ) {
      refuseClosed();
      if (options.signal?.aborted === true) return;
      const call = client.makeBidiStreamRequest(path, encode, decode, metadataOf(options));
      const cancel = (): void => call.cancel();
      active.add(call);
      options.signal?.addEventListener('abort', cancel);
      call.write(request);
      if (!sendsMany) call.end();
      try {
        yield* messagesOf(call, options.signal);
      } finally {
        active.delete(call);
        options.signal?.removeEventListener('abort', cancel);
      }
    },
    close() {
      isClosed = true;
      for (const call of active) call.cancel();
      client.close();
    },
  };
}

/** Yields the messages of a call until it ends; the call is cancelled when the consumer stops. */
async function* messagesOf<Request, Response>(
  call: ClientDuplexStream<Request, Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Response> {
  // Ignores the error that cancelling the call below emits after the consumer has stopped.
  call.on('error', () => undefined);
  try {
    for await (const message of call) yield message as Response;
  } catch (error) {
    if (signal?.aborted !== true) throw fromStatus(error as ServiceError);
  } finally {
    call.cancel();
  }
}

function metadataOf({ requireLeader, token }: ChannelOptions): Metadata {
  const metadata = new Metadata();
  if (requireLeader) metadata.set('hasleader', 'true');
  if (token !== undefined) metadata.set('token', token);
  return metadata;
}

function readCredentials({ caFile, keyFile, certificateFile }: TlsFiles): ChannelCredentials {
  const [ca, key, certificate] = [caFile, keyFile, certificateFile].map((file) =>
    file === undefined ? null : readPem(file),
  );
  try {
    return credentials.createSsl(ca, key, certificate);
  } catch (error) {
    throw new EtcdError('configuration', `etcd tls: ${(error as Error).message}`, { cause: error });
  }
}

function readPem(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new EtcdError('configuration', `etcd tls: ${(error as Error).message}`, { cause: error });
  }
}
