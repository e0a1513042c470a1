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

  it.each([
    [true, ['\r\u001b[K10 %', '\r\u001b[K20 %', '\r\u001b[K']],
    [false, []],
  ])('shows a status in place of the last one on a screen only (%s)', (isTTY, expected) => {
    const written: unknown[] = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(text) > 0);
    const wasTTY = process.stderr.isTTY;
    process.stderr.isTTY = isTTY;
    try {
      const terminal = new ProcessTerminal();
      for (const text of ['10 %', '10 %', '20 %', '', '']) terminal.showStatus(text);
    } finally {
      process.stderr.isTTY = wasTTY;
    }
    expect(written).toEqual(expected);
  });
});
