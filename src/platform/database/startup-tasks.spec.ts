import { StartupTasks } from './startup-tasks';

function tasksOf(names: readonly (readonly ['partitions' | 'secrets' | 'roles' | 'administrator', string])[]): {
  startup: StartupTasks;
  ran: string[];
} {
  const startup = new StartupTasks();
  const ran: string[] = [];
  for (const [stage, name] of names) {
    startup.add({
      name,
      stage,
      run: async () => {
        ran.push(name);
      },
    });
  }
  return { startup, ran };
}

describe('StartupTasks', () => {
  it('runs tasks by stage and name', async () => {
    const { startup, ran } = tasksOf([
      ['administrator', 'first administrator'],
      ['secrets', 'secrets of settings'],
      ['roles', 'system roles'],
      ['partitions', 'partitions'],
      ['secrets', 'secrets of factors'],
    ]);
    await startup.runAll();
    expect(ran).toEqual([
      'partitions',
      'secrets of factors',
      'secrets of settings',
      'system roles',
      'first administrator',
    ]);
  });

  it('runs no task when a check fails', async () => {
    const { startup, ran } = tasksOf([['roles', 'system roles']]);
    startup.addCheck({ name: 'keys', run: () => Promise.reject(new Error('other keys')) });
    await expect(startup.runAll()).rejects.toThrow('other keys');
    expect(ran).toEqual([]);
  });
});
