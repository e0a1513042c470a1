// For --require: prints the OpenTelemetry packages that a process had loaded when it ended.
process.on('exit', () => {
  const loaded = Object.keys(require.cache).flatMap((path) => /@opentelemetry\/([^/]+)/.exec(path)?.[1] ?? []);
  process.stdout.write(`loaded: ${[...new Set(loaded)].sort().join(' ')}\n`);
});
