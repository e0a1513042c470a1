import { compareCodeUnits } from '../text';

/** What ends a start by throwing and changes nothing. */
export interface StartupCheck {
  readonly name: string;
  run(): Promise<void>;
}

/** In the order of the start: what a stage does may rely on all stages before it. */
const STAGES = ['partitions', 'secrets', 'roles', 'administrator'] as const;

export type StartupStage = (typeof STAGES)[number];

export interface StartupTask extends StartupCheck {
  readonly stage: StartupStage;
}

const inOrder = (a: StartupTask, b: StartupTask): number =>
  STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage) || compareCodeUnits(a.name, b.name);

/**
 * What must be true of the data before the first request: partitions, signing keys, system roles, the first administrator.
 * They run by their stages and, within one, by their names, under the start-up lock; in what order modules are built
 * does not matter.
 */
export class StartupTasks {
  private readonly checks: StartupCheck[] = [];
  private readonly tasks: StartupTask[] = [];

  add(task: StartupTask): void {
    this.tasks.push(task);
  }

  /** Commands are held to checks, too. */
  addCheck(check: StartupCheck): void {
    this.checks.push(check);
  }

  async runChecks(): Promise<void> {
    for (const check of this.checks) await check.run();
  }

  async runAll(): Promise<void> {
    await this.runChecks();
    for (const task of this.tasks.toSorted(inOrder)) await task.run();
  }

  /** The tasks of one stage, which may run at any time again. */
  async runStage(stage: StartupStage): Promise<void> {
    for (const task of this.tasks.toSorted(inOrder)) if (task.stage === stage) await task.run();
  }
}
