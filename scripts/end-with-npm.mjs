// npm passes a signal on to the shell that it runs a script in. That shell dies of it and tells nobody, so a server
// would live on and hold its port. Imported by the scripts that run long; under anything but npm it does nothing.

const checkMs = 100;

if (process.env['npm_lifecycle_event'] !== undefined) {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, checkMs);
  watch.unref();
}
