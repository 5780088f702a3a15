import { once } from 'node:events';
import type { Server } from 'node:http';
import type { ListenOptions } from 'node:net';
import type { Logger } from '../base/logger.js';

/** Starts and stops an HTTP server. @param name subject of the log entry for its later errors. */
export function createServerPort(server: Server, name: string, logger: Logger) {
  let pending = 0;
  let isClosing = false;
  const closeIfIdle = (): void => {
    if (isClosing && pending === 0) server.closeAllConnections();
  };
  server.on('request', (_request, response) => {
    pending += 1;
    response.once('close', () => {
      pending -= 1;
      closeIfIdle();
    });
  });
  return {
    isClosing: () => isClosing,
    /** @throws the error of `listen`, such as `EADDRINUSE` */
    async listen(options: ListenOptions): Promise<void> {
      server.listen(options);
      await once(server, 'listening');
      server.on('error', (error) => logger.error({ err: error }, `${name} failed`));
    },
    /** Accepts no more connections. Resolves when pending responses are sent; clients may keep idle connections open. */
    close: (): Promise<void> => {
      isClosing = true;
      return new Promise((resolve) => {
        server.close(() => resolve());
        closeIfIdle();
      });
    },
  };
}
