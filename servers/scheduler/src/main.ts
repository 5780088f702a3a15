/**
 * By default this signal opens the runtime's debugger, which lets local users run code. It is handled before everything else is
 * loaded, because loading takes most of the startup time.
 */
process.on('SIGUSR1', () => undefined);

await import('./program/program.js');
