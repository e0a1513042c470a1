/*
 * Holds what the package exports to the reports in docs/api, which a person has read: a change that the reports do not
 * show fails. `npm run api:update` writes them anew. The declarations must have been built (`npm run build:types`).
 */
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { join } from 'node:path';
import { calmEnd } from './calm-end.mjs';

const root = join(import.meta.dirname, '..');
const update = process.argv.includes('--update');
const quiet = { logLevel: 'none' };

/** Each entry point of `exports` in package.json. */
const entries = [
  { name: 'castellan', declarations: 'dist/types/src/index.d.ts' },
  { name: 'castellan-testing', declarations: 'dist/types/src/testing/index.d.ts' },
];

function configurationOf({ name, declarations }) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(root, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, declarations),
      compiler: { tsconfigFilePath: join(root, 'tsconfig.build.json'), skipLibCheck: true },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(root, 'docs/api'),
        reportTempFolder: join(root, '.tmp/api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        // Nothing is sorted into alpha and beta: what is exported is public.
        extractorMessageReporting: {
          default: { logLevel: 'error' },
          'ae-missing-release-tag': quiet,
          'ae-undocumented': quiet,
          // The shape of what is not exported itself is in the report, too.
          'ae-forgotten-export': { logLevel: 'none', addToApiReportFile: true },
        },
        tsdocMessageReporting: { default: quiet },
      },
    },
  });
}

const configurations = entries.map(configurationOf);
// One program for all: reading the declarations is most of the work.
const compilerState = CompilerState.create(configurations[0], {
  additionalEntryPoints: configurations.slice(1).map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
});

for (const configuration of configurations) {
  const { succeeded } = Extractor.invoke(configuration, { compilerState, localBuild: update });
  if (succeeded) continue;
  console.error(`${configuration.reportFilePath}: npm run api:update writes it anew, to be read and committed`);
  process.exitCode = 1;
}
await calmEnd();
