import { ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Build } from './service-process';

interface Report {
  readonly failed?: string;
}

/** A process that starts instances of a build in sequence without loading the build again. */
export class StartingInstance {
  private constructor(private readonly child: ChildProcess) {}

  static async start({ folder }: Build): Promise<StartingInstance> {
    const child = fork(join(__dirname, 'start-instances.cjs'), [join(folder, 'dist')], {
      env: { PATH: process.env['PATH'] ?? '' },
      execArgv: [],
    });
    const instance = new StartingInstance(child);
    await instance.report();
    return instance;
  }

  start(environment: Record<string, string>): Promise<void> {
    return this.order({ start: environment });
  }

  stop(): Promise<void> {
    return this.order({ stop: true });
  }

  /** Sends SIGKILL. Resolves when the process has ended. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  private async order(message: object): Promise<void> {
    const report = this.report();
    this.child.send(message);
    await report;
  }

  private async report(): Promise<void> {
    const [report] = (await Promise.race([once(this.child, 'message'), once(this.child, 'exit').then(() => [])])) as [
      Report | undefined,
    ];
    if (!report) throw new Error('The process ended');
    if (report.failed !== undefined) throw new Error(report.failed);
  }
}
