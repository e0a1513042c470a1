export interface StartupTask {
  readonly name: string;
  run(): Promise<void>;
}

/**
 * What must be true of the data before the first request: system roles, signing keys, the first administrator. Modules
 * add theirs when they are built, so the order is the order of modules; all run under the start-up lock.
 */
export class StartupTasks {
  private readonly tasks: StartupTask[] = [];

  add(task: StartupTask): void {
    this.tasks.push(task);
  }

  async runAll(): Promise<void> {
    for (const task of this.tasks) await task.run();
  }
}
