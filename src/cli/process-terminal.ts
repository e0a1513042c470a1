import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError, Terminal } from './command';

/** Discards what the terminal would echo. */
const nowhere = (): Writable =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });

/** Moves the cursor to the beginning of the line, and clears it (ECMA-48 §8.3.41). */
const LINE_START = '\r\u001b[K';
const ENDED_BY_READER = 'EPIPE';

/** The terminal of the current process. */
export class ProcessTerminal implements Terminal {
  /** The error code of the first failed write. */
  private failure: string | undefined;
  private status = '';

  constructor() {
    process.stdout.on('error', (error: Error) => {
      this.fail(error);
    });
    // When standard error is closed, only the exit code can report an error.
    process.stderr.on('error', () => undefined);
  }

  get isOver(): boolean {
    return this.failure !== undefined;
  }

  get isScreen(): boolean {
    return process.stdout.isTTY;
  }

  get isInteractive(): boolean {
    return process.stdin.isTTY && process.stderr.isTTY;
  }

  write(text: string): void {
    if (this.isOver) return;
    try {
      process.stdout.write(text);
    } catch (error) {
      // Writes to files are synchronous, and some versions of Node throw.
      this.fail(error as Error);
    }
  }

  /** Never throws, because only the exit code could report the failure. */
  complain(line: string): void {
    try {
      process.stderr.write(line);
    } catch {
      // See `write`.
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
    const first = await this.askSecret(`${prompt}: `);
    if (first !== (await this.askSecret(`${prompt}, again: `))) throw new CommandError('The entries do not match.');
    return first;
  }

  showStatus(text: string): void {
    if (process.stderr.isTTY && text !== this.status) this.complain(`${LINE_START}${text}`);
    this.status = text;
  }

  async ask(question: string): Promise<string> {
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  }

  private async askSecret(prompt: string): Promise<string> {
    this.complain(prompt);
    const lines = createInterface({ input: process.stdin, output: nowhere(), terminal: true });
    try {
      return await lines.question('');
    } finally {
      lines.close();
      this.complain('\n');
    }
  }

  /** Resolves after all previous writes. An error of theirs arrives before the callback of this empty write. */
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
