// Bundles the types into one file per module format, because relative imports in declarations need a file extension.
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { calmEnd } from '../../scripts/calm-end.mjs';

const root = import.meta.dirname;
const rolled = join(root, 'dist/index.d.ts');
const quiet = { logLevel: 'none' };
const configuration = ExtractorConfig.prepare({
  packageJsonFullPath: join(root, 'package.json'),
  configObjectFullPath: undefined,
  configObject: {
    projectFolder: root,
    mainEntryPointFilePath: join(root, '.tmp/types/index.d.ts'),
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
if (Extractor.invoke(configuration, { localBuild: true }).succeeded)
  copyFileSync(rolled, join(root, 'dist/index.d.cts'));
else process.exitCode = 1;
await calmEnd();
