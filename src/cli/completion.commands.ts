import { Command, StaticCommand } from './command';
import { completionScript, Shell, shells } from './completion-script';

/** @param list returns all commands, including this one */
export const completionCommands = (list: () => readonly Command[]): readonly StaticCommand[] => [
  {
    name: 'completion',
    summary: 'Print a script that completes commands and options in a shell',
    example: 'completion bash > /etc/bash_completion.d/castellan',
    arguments: [{ name: shells.join('|'), summary: 'The shell', choices: shells }],
    output: ({ words: [shell] }) => completionScript(shell as Shell, list()),
  },
];
