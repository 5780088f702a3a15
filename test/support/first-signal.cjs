// Reports how much has been loaded when the first signal is handled.
const { on } = process;
process.on = function (name, ...rest) {
  if (name === 'SIGUSR1') {
    process.on = on;
    process.stderr.write(`loaded before: ${Object.keys(require.cache).length - 1}\n`);
  }
  return on.call(this, name, ...rest);
};
