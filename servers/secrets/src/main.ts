/**
 * Without a handler, this signal opens the runtime's debugger, in which any user of this machine can run code. Everything else is
 * loaded after it has been taken: that is most of the time of a start.
 */
process.on('SIGUSR1', () => undefined);

await import('./program/program.js');
