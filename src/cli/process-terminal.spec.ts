import { ProcessTerminal } from './process-terminal';
import { runCommandLine } from './run';

describe('the terminal of a process whose complaints find no room', () => {
  const full = (): never => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('ends with the code that was promised', async () => {
    const terminal = new ProcessTerminal();
    const complaint = jest.spyOn(process.stderr, 'write').mockImplementation(full);
    const code = await runCommandLine(['burn'], {
      terminal,
      complain: (line) => {
        terminal.complain(line);
      },
    });
    expect(complaint).toHaveBeenCalled();
    expect(code).toBe(64);
  });
});
