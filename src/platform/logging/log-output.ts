import { write, writeSync } from 'node:fs';

/** A destination for whole lines. */
export interface LogDestination {
  write(line: string): unknown;
}

export interface LogOutputOptions {
  /** File descriptor. Default: 1, standard output. */
  readonly descriptor?: number;
  /** Bytes buffered while the reader is slow or the disk full. Default: 4 MiB. Further lines are dropped. */
  readonly maxPendingBytes?: number;
}

const largestWrite = 64 * 1_024;
const retryMs = 100;
const exitPatienceMs = 250;
const lostForGood = new Set(['EPIPE', 'EBADF', 'EIO', 'ENXIO']);
const busy = new Set(['EAGAIN', 'EBUSY']);

/**
 * Writes lines without blocking the event loop, as pino.destination({ sync: false }) does. Unlike that, a flush waits
 * for a limited time: pino's flushSync waits forever on a full disk or a stopped reader, and its flush does not wait at
 * all.
 */
export class LogOutput implements LogDestination {
  private readonly descriptor: number;
  private readonly maxPendingBytes: number;
  private queue: Buffer[] = [];
  private inFlight: Buffer = Buffer.alloc(0);
  private pendingBytes = 0;
  private isWriting = false;
  private isResting = false;
  private isLost = false;
  private droppedLines = 0;
  private droppedSinceSuccess = 0;
  private recovered: (droppedLines: number) => void = () => undefined;
  private waiting: (() => void)[] = [];
  private readonly atExit = (): void => {
    this.flushSync();
  };

  constructor(options: LogOutputOptions = {}) {
    this.descriptor = options.descriptor ?? 1;
    this.maxPendingBytes = options.maxPendingBytes ?? 4 * 1_024 * 1_024;
    // Accessing process.stdout makes a pipe non-blocking. Otherwise a stopped reader would block a pool thread and the
    // exit.
    if (this.descriptor === 1) process.stdout.on('error', () => undefined);
    process.on('exit', this.atExit);
  }

  /** Lines lost since startup, for metrics. */
  get dropped(): number {
    return this.droppedLines;
  }

  /** Calls the listener with the number of lost lines once writing works again. */
  onRecovery(listener: (droppedLines: number) => void): void {
    this.recovered = listener;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.isLost || this.pendingBytes + bytes.length > this.maxPendingBytes) {
      this.drop(1);
      return;
    }
    this.queue.push(bytes);
    this.pendingBytes += bytes.length;
    this.pump();
  }

  /** Waits until everything is written, at most `patienceMs`. */
  async flush(patienceMs = 2_000): Promise<void> {
    if (this.pendingBytes === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Writes the buffer synchronously before the process ends; gives up on a blocked reader. */
  flushSync(): void {
    const giveUpAt = performance.now() + exitPatienceMs;
    let rest = Buffer.concat(this.isWriting ? this.queue : [this.inFlight, ...this.queue]);
    const running = this.isWriting ? this.inFlight.length : 0;
    if (!this.isWriting) this.inFlight = Buffer.alloc(0);
    while (rest.length > 0 && !this.isLost) {
      try {
        rest = rest.subarray(writeSync(this.descriptor, rest));
      } catch (error) {
        if (!busy.has(codeOf(error)) || performance.now() > giveUpAt) break;
      }
    }
    this.queue = rest.length > 0 ? [rest] : [];
    this.pendingBytes = running + rest.length;
  }

  /** Removes the exit handler; the descriptor stays open. */
  release(): void {
    process.off('exit', this.atExit);
  }

  private pump(): void {
    if (this.isWriting || this.isResting || (this.inFlight.length === 0 && this.queue.length === 0)) return;
    this.isWriting = true;
    if (this.inFlight.length === 0) this.inFlight = this.nextChunk();
    write(this.descriptor, this.inFlight, 0, this.inFlight.length, null, (error, written) => {
      this.isWriting = false;
      if (error) this.failed(error);
      else this.succeeded(written);
    });
  }

  private nextChunk(): Buffer {
    let bytes = 0;
    let lines = 0;
    for (const line of this.queue) {
      bytes += line.length;
      if (lines > 0 && bytes > largestWrite) break;
      lines += 1;
    }
    return Buffer.concat(this.queue.splice(0, lines));
  }

  private succeeded(written: number): void {
    this.inFlight = this.inFlight.subarray(written);
    this.pendingBytes -= written;
    if (this.pendingBytes === 0) this.settle();
    this.pump();
    if (this.droppedSinceSuccess === 0 || this.pendingBytes > this.maxPendingBytes / 2) return;
    const lines = this.droppedSinceSuccess;
    this.droppedSinceSuccess = 0;
    this.recovered(lines);
  }

  private failed(error: unknown): void {
    if (!lostForGood.has(codeOf(error))) {
      this.isResting = true;
      setTimeout(() => {
        this.isResting = false;
        this.pump();
      }, retryMs).unref();
      return;
    }
    this.isLost = true;
    this.drop(this.queue.length + 1);
    this.queue = [];
    this.inFlight = Buffer.alloc(0);
    this.pendingBytes = 0;
    this.settle();
  }

  private drop(lines: number): void {
    this.droppedLines += lines;
    this.droppedSinceSuccess += lines;
  }

  private settle(): void {
    for (const done of this.waiting.splice(0)) done();
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
