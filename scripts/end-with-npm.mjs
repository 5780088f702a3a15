// npm forwards a signal only to the shell that runs the script. The shell dies without forwarding it, so a server would keep
// running and keep its port. Long-running scripts import this file; without npm it does nothing.

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
