import { ProcessTerminal } from './process-terminal';
import { runCommandLine } from './run';

describe('ProcessTerminal', () => {
  const full = (): never => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('returns the exit code of a usage error when stderr cannot be written', async () => {
    const terminal = new ProcessTerminal();
    const complaint = jest.spyOn(process.stderr, 'write').mockImplementation(full);
    const code = await runCommandLine(['burn'], {
      terminal,
      complain: (line) => {
        terminal.complain(line);
      },
    });
    expect(complaint).toHaveBeenCalled();
    expect(code).toBe(2);
  });
});
