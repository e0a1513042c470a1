import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A child process that communicates by lines. */
export class LineChild {
  private readonly received: string[] = [];
  private readonly readers: ((line: string) => void)[] = [];

  private constructor(private readonly child: ChildProcess) {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const reader = this.readers.shift();
      if (reader) reader(line);
      else this.received.push(line);
    });
  }

  /** Starts a script of this folder. */
  static start(script: string, ...args: string[]): LineChild {
    const child = spawn(process.execPath, [join(__dirname, script), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    return new LineChild(child);
  }

  get pid(): number {
    return this.child.pid!;
  }

  nextLine(): Promise<string> {
    const line = this.received.shift();
    return line === undefined ? new Promise((resolve) => this.readers.push(resolve)) : Promise.resolve(line);
  }

  /** Lines that arrived and were not read. */
  restOfLines(): readonly string[] {
    return this.received;
  }

  go(): void {
    this.child.stdin!.write('go\n');
  }

  /** Sends SIGKILL. Resolves when the process has ended and its output is read. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const closed = once(this.child, 'close');
    this.child.kill('SIGKILL');
    await closed;
  }
}
