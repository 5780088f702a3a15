/**
 * By default this signal opens the debugger of Node.js, which lets local users run code. The handler is installed before
 * everything else loads, because loading takes most of the startup time.
 */
process.on('SIGUSR1', () => undefined);

await import('./program/program.js');
