#!/usr/bin/env node
import 'reflect-metadata';
import { ProcessTerminal } from './cli/process-terminal';
import { runCommandLine } from './cli/run';

const terminal = new ProcessTerminal();

void runCommandLine(process.argv.slice(2), {
  terminal,
  complain: (line) => {
    terminal.complain(line);
  },
}).then((code) => {
  process.exitCode = code;
});
