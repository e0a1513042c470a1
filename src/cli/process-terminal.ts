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

/** The terminal of this very process. */
export class ProcessTerminal implements Terminal {
  write(line: string): void {
    process.stdout.write(line);
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
    process.stderr.write(prompt);
    const lines = createInterface({ input: process.stdin, output: nowhere(), terminal: true });
    try {
      return await lines.question('');
    } finally {
      lines.close();
      process.stderr.write('\n');
    }
  }
}
