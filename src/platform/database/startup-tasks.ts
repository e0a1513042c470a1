import { compareCodeUnits } from '../util';

/** A check that fails the startup by throwing. It changes nothing. */
export interface StartupCheck {
  readonly name: string;
  run(): Promise<void>;
}

/** In order: a stage may rely on the stages before it. */
const STAGES = ['partitions', 'secrets', 'roles', 'administrator'] as const;

export type StartupStage = (typeof STAGES)[number];

export interface StartupTask extends StartupCheck {
  readonly stage: StartupStage;
}

const inOrder = (a: StartupTask, b: StartupTask): number =>
  STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage) || compareCodeUnits(a.name, b.name);

/**
 * Prepares the data before the first request: partitions, signing keys, system roles, the first administrator. The
 * tasks run under the startup lock by stage and then by name, so the order of the modules does not matter.
 */
export class StartupTasks {
  private readonly checks: StartupCheck[] = [];
  private readonly tasks: StartupTask[] = [];

  add(task: StartupTask): void {
    this.tasks.push(task);
  }

  /** Checks run for commands of the command line, too. */
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

  /** Runs the tasks of one stage, which must be repeatable. */
  async runStage(stage: StartupStage): Promise<void> {
    for (const task of this.tasks.toSorted(inOrder)) if (task.stage === stage) await task.run();
  }
}
