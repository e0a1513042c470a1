// Programs of an example, as separate processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Returns a function that finds the first group of a pattern in what a stream has printed, or waits for it. */
function finder(stream) {
  let text = '';
  let waiting;
  stream.on('data', (chunk) => {
    text += chunk;
    waiting?.();
  });
  const ended = once(stream, 'close').then(() => waiting?.());
  return async (pattern) => {
    for (;;) {
      const found = pattern.exec(text);
      if (found) return found[1];
      if (stream.closed) throw new Error(`${pattern} is not in: ${text}`);
      await Promise.race([ended, new Promise((done) => (waiting = done))]);
    }
  };
}

/** Starts programs of the folder. `lines` reads what a program prints, and `stop` ends all. */
export function examples(folder) {
  const children = [];
  return {
    start(file, environment) {
      const child = spawn(process.execPath, [join(folder, file)], { env: { PATH: process.env.PATH, ...environment } });
      children.push(child);
      child.stderr.pipe(process.stderr);
      return { child, lines: finder(child.stdout) };
    },
    stop() {
      for (const child of children) child.kill();
    },
  };
}
