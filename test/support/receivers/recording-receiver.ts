import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeedItem } from './events';
import { freePort } from '../servers/redis-server';

const SCRIPT = join(__dirname, '../../fixtures/recording-receiver.mjs');

export interface RecordedDelivery {
  /** `webhook-id`. */
  readonly id: string;
  readonly text: string;
  readonly event: FeedItem;
}

/** A receiver of webhooks in a process that can be killed. It records deliveries also when it dies before the answer. */
export class RecordingReceiver {
  private process: ChildProcess | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'castellan-receiver-'));
  private readonly file = join(this.folder, 'deliveries.jsonl');

  private constructor(private readonly port: number) {
    writeFileSync(this.file, '');
  }

  static async start(): Promise<RecordingReceiver> {
    const receiver = new RecordingReceiver(await freePort());
    await receiver.begin();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/events`;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.begin();
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** In the order of their arrival. */
  get received(): RecordedDelivery[] {
    return readFileSync(this.file, 'utf8')
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { id, text } = JSON.parse(line) as { id: string; text: string };
        return { id, text, event: JSON.parse(text) as FeedItem };
      });
  }

  private async begin(): Promise<void> {
    this.process = spawn(process.execPath, [SCRIPT, String(this.port), this.file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(this.process.stdout!, 'data');
  }

  private async kill(): Promise<void> {
    if (!this.process || this.process.exitCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }
}
