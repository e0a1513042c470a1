/*
 * Compares the package's exports with the reviewed reports in docs/api, and fails when a report is out of date.
 * `npm run api:update` updates the reports. Needs the declarations of `npm run build:types`.
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
  { name: 'castellan-guard', declarations: 'dist/types/src/service-guard/client/index.d.ts' },
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
        // The package has no alpha or beta exports: every export is public.
        extractorMessageReporting: {
          default: { logLevel: 'error' },
          'ae-missing-release-tag': quiet,
          'ae-undocumented': quiet,
          // The report includes the types that exports refer to without exporting them.
          'ae-forgotten-export': { logLevel: 'none' },
        },
        tsdocMessageReporting: { default: quiet },
      },
    },
  });
}

const configurations = entries.map(configurationOf);
// All configurations share one program, because reading the declarations takes most of the time.
const compilerState = CompilerState.create(configurations[0], {
  additionalEntryPoints: configurations.slice(1).map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
});

for (const configuration of configurations) {
  const { succeeded } = Extractor.invoke(configuration, { compilerState, localBuild: update });
  if (succeeded) continue;
  console.error(
    `${configuration.reportFilePath}: out of date, run npm run api:update, review the change and commit it`,
  );
  process.exitCode = 1;
}
await calmEnd();
