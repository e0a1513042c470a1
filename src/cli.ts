#!/usr/bin/env node
import 'reflect-metadata';
import { ProcessTerminal } from './cli/process-terminal';
import { runCommandLine } from './cli/run';

const complain = (line: string): void => {
  process.stderr.write(line);
};

// Whoever reads the output may have read enough (`| head`); the command still ends in order.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

void runCommandLine(process.argv.slice(2), { terminal: new ProcessTerminal(), complain }).then((code) => {
  process.exitCode = code;
});
