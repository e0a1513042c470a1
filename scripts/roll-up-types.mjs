// Bundles the types of each entry of a package into one file per module format, because relative imports in declarations
// need a file extension. Run in the package: `node roll-up-types.mjs index=index server=server/index`.
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { calmEnd } from './calm-end.mjs';

const root = process.cwd();
const quiet = { logLevel: 'none' };

/** @param source the entry's declarations, relative to `.tmp/types` */
function rollUp(name, source) {
  const rolled = join(root, 'dist', `${name}.d.ts`);
  const configuration = ExtractorConfig.prepare({
    packageJsonFullPath: join(root, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, '.tmp/types', `${source}.d.ts`),
      compiler: { tsconfigFilePath: join(root, 'tsconfig.build.json'), skipLibCheck: true },
      apiReport: { enabled: false },
      docModel: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: rolled },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        extractorMessageReporting: {
          default: { logLevel: 'error' },
          'ae-missing-release-tag': quiet,
          'ae-undocumented': quiet,
          'ae-forgotten-export': quiet,
        },
        tsdocMessageReporting: { default: quiet },
      },
    },
  });
  if (!Extractor.invoke(configuration, { localBuild: true }).succeeded) return false;
  copyFileSync(rolled, join(root, 'dist', `${name}.d.cts`));
  return true;
}

const entries = process.argv.slice(2).map((entry) => entry.split('='));
if (!entries.every(([name, source]) => rollUp(name, source))) process.exitCode = 1;
await calmEnd();
