import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError, Terminal } from './command';

/** Takes what a terminal echoes, and shows none of it. */
const nowhere = (): Writable =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });

const ENDED_BY_READER = 'EPIPE';

/** The terminal of this very process. */
export class ProcessTerminal implements Terminal {
  /** The code of what kept the output from being written. */
  private failure: string | undefined;

  constructor() {
    process.stdout.on('error', (error: Error) => {
      this.fail(error);
    });
    // Where standard error is closed, the exit code is the only report.
    process.stderr.on('error', () => undefined);
  }

  get isOver(): boolean {
    return this.failure !== undefined;
  }

  write(text: string): void {
    if (this.isOver) return;
    try {
      process.stdout.write(text);
    } catch (error) {
      // Node writes to files at once, and some of its versions throw.
      this.fail(error as Error);
    }
  }

  /** Never fails: only the exit code could report it. */
  complain(line: string): void {
    try {
      process.stderr.write(line);
    } catch {
      // As for the output.
    }
  }

  async finish(): Promise<void> {
    if (!this.isOver) await this.written();
    if (this.failure === undefined || this.failure === ENDED_BY_READER) return;
    throw new CommandError(`Cannot write the output: ${this.failure}`);
  }

  readInput(): Promise<string> {
    return text(process.stdin);
  }

  async readSecret(prompt: string): Promise<string> {
    if (!process.stdin.isTTY) return (await this.readInput()).replace(/\r?\n$/, '');
    const first = await this.ask(`${prompt}: `);
    if (first !== (await this.ask(`${prompt}, again: `))) throw new CommandError('The two are not the same.');
    return first;
  }

  private async ask(prompt: string): Promise<string> {
    this.complain(prompt);
    const lines = createInterface({ input: process.stdin, output: nowhere(), terminal: true });
    try {
      return await lines.question('');
    } finally {
      lines.close();
      this.complain('\n');
    }
  }

  /** What was written before is out; an error of it has come before this answer. */
  private written(): Promise<void> {
    return new Promise((resolve) => {
      process.stdout.write('', () => {
        setImmediate(resolve);
      });
    });
  }

  private fail({ code, message }: NodeJS.ErrnoException): void {
    this.failure ??= code ?? message;
  }
}
