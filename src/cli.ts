#!/usr/bin/env node
import 'reflect-metadata';
import { calmEnd } from './standalone/calm-end';
import { ProcessTerminal } from './cli/process-terminal';
import { runCommandLine } from './cli/run';

/** Maximum time to wait at exit for other threads. */
const CALM_MS = 5_000;

const terminal = new ProcessTerminal();

void runCommandLine(process.argv.slice(2), {
  terminal,
  complain: (line) => {
    terminal.complain(line);
  },
}).then((code) => {
  process.exitCode = code;
  return calmEnd(CALM_MS);
});
