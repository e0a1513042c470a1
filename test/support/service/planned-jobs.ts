import type { Job, Scheduler } from '../../../src/platform/jobs';

/** The periodic jobs that a service plans when its module starts: `[name, seconds]`. */
export function plannedJobs(create: (scheduler: Scheduler) => { onModuleInit(): void }): [string, number][] {
  const planned: [string, number][] = [];
  const every = (seconds: number, { name }: Job): void => void planned.push([name, seconds]);
  create({ every } as Scheduler).onModuleInit();
  return planned;
}
