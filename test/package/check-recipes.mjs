// Checks the files of a TypeScript project without those that they import: `node check-recipes.mjs FOLDER`.
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { calmEnd } from '../../scripts/calm-end.mjs';

const file = join(process.argv[2] ?? '.', 'tsconfig.json');
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(file, ts.sys.readFile).config,
  ts.sys,
  dirname(file),
);
const program = ts.createProgram(fileNames, options);
const faults = fileNames.flatMap((name) => {
  const source = program.getSourceFile(name);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
});
const host = { getCurrentDirectory: () => process.cwd(), getNewLine: () => '\n', getCanonicalFileName: (name) => name };
process.stdout.write(ts.formatDiagnostics([...errors, ...program.getOptionsDiagnostics(), ...faults], host));
await calmEnd();
