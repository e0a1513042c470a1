export interface StartupTask {
  readonly name: string;
  run(): Promise<void>;
}

/**
 * What must be true of the data before the first request: system roles, signing keys, the first administrator. Modules
 * add theirs when they are built, so the order is the order of modules; all run under the start-up lock.
 */
export class StartupTasks {
  private readonly checks: StartupTask[] = [];
  private readonly tasks: StartupTask[] = [];

  add(task: StartupTask): void {
    this.tasks.push(task);
  }

  /** What ends a start by throwing and changes nothing; commands are held to it, too. */
  addCheck(check: StartupTask): void {
    this.checks.push(check);
  }

  async runChecks(): Promise<void> {
    for (const check of this.checks) await check.run();
  }

  async runAll(): Promise<void> {
    await this.runChecks();
    for (const task of this.tasks) await task.run();
  }
}
