#!/usr/bin/env node
import 'reflect-metadata';
import { ProcessTerminal } from './cli/process-terminal';
import { runCommandLine } from './cli/run';

const complain = (line: string): void => {
  process.stderr.write(line);
};

void runCommandLine(process.argv.slice(2), { terminal: new ProcessTerminal(), complain }).then((code) => {
  process.exitCode = code;
});
